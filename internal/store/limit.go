package store

import "time"

const (
	// formatVersion is the version of everything on disk. An earlier one is
	// treated as not indexed and built anew, a later one is left alone.
	formatVersion = 3
	// maxKeyBytes keeps folder names below the limits of all file systems,
	// with room for the hash.
	maxKeyBytes = 100
	// lockPoll is how often a waiting writer looks whether the lock is free.
	lockPoll = 50 * time.Millisecond
	// maxManifestBytes bounds the manifest that is read into memory; 1 KiB a
	// segment and the dead documents of a large collection stay far below.
	maxManifestBytes = 64 << 20
	// verifyBuffer is how much of a segment is read at a time to check it: enough
	// that the calls do not count, and no memory that stays.
	verifyBuffer = 64 << 10
	// markBytes is how much of a hash a client is remembered by: enough that no two
	// are ever taken for one.
	markBytes = 16
	// temporaryTries is how often a temporary folder is made anew that another
	// process took away before it was held.
	temporaryTries = 5
	// maxMoved bounds the remembered ids of sections that moved or vanished.
	maxMoved = 10_000
	// maxSkipped bounds the remembered places that were left out; nobody reads a
	// longer list.
	maxSkipped = 10_000
)
