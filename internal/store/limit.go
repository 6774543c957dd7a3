package store

import "time"

const (
	// formatVersion is the version of everything on disk. Another version is
	// treated as not indexed and built anew.
	formatVersion = 1
	// maxKeyBytes keeps folder names below the limits of all file systems,
	// with room for the hash.
	maxKeyBytes = 100
	// lockPoll is how often a waiting writer looks whether the lock is free.
	lockPoll = 50 * time.Millisecond
	// maxManifestBytes bounds the manifest that is read into memory; 1 KiB a
	// segment and the dead documents of a large collection stay far below.
	maxManifestBytes = 64 << 20
	// maxMoved bounds the remembered ids of sections that moved or vanished.
	maxMoved = 10_000
)
