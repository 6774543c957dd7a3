package robots

import "time"

const (
	// MaxBytes is how much of a robots.txt is read: the least that RFC 9309
	// (2.5) asks of a crawler and what the large search engines read.
	MaxBytes = 500 << 10
	// maxCrawlDelay bounds what is believed of a Crawl-delay; above an hour it
	// is a mistake (often milliseconds), and the value is cut to this.
	maxCrawlDelay = time.Hour
	// maxDiagnostics bounds the findings kept; a binary file has one a line.
	maxDiagnostics = 50
)
