package watch

import "time"

const (
	// pollEvery is how long a source rests between two looks while it cannot be
	// listened to: soon enough for somebody who writes, seldom enough that a walk
	// over a large folder is no load.
	pollEvery = 2 * time.Second

	// lookEvery is how long a source that is listened to may go unread: file
	// systems of networks and containers tell of some changes only.
	lookEvery = 5 * time.Minute

	// quiet is how long nothing may happen before a source is read, so that saving
	// many files makes one run; maxQuiet is how long that may take.
	quiet    = 100 * time.Millisecond
	maxQuiet = 2 * time.Second

	// maxFolders is how many folders of one source are listened to. Linux allows
	// 8,192 for all programs of a user where nobody raised it.
	maxFolders = 4096

	// maxKqueueFiles is how many files a source may have on systems that hold
	// every file of a folder open to hear of its changes, of which a process may
	// have some hundreds.
	maxKqueueFiles = 128
)
