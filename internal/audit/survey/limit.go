package survey

const (
	// maxSample is how many pages and links are looked at: what the public
	// scanner takes by default.
	maxSample = 50
	// maxListed and maxSitemaps bound what is read of sitemaps; a site of 50,000
	// pages has one file.
	maxListed   = 50_000
	maxSitemaps = 20
	// maxDiscovered is how many pages of a sitemap are added to those that the
	// index names before the sample is taken.
	maxDiscovered = 500
	// workers is how many pages are asked for at a time.
	workers = 3
)
