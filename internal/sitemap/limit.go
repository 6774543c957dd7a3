package sitemap

const (
	// MaxURLs and MaxBytes are what the protocol allows one file, uncompressed.
	// Written files keep to both; of a larger read file the rest is left out.
	MaxURLs  = 50_000
	MaxBytes = 50 << 20

	// MaxFiles bounds the sitemaps that Collect reads for one site: a site of a
	// million pages stays within it, a tree of generated indexes does not.
	MaxFiles = 200
	// MaxPages bounds what Collect returns: far more than a crawl may visit.
	MaxPages = 200_000
	// maxDepth bounds indexes of indexes. The protocol allows none at all;
	// two levels are seen.
	maxDepth = 5
)
