// Whose a folder is on Windows: the place for temporary folders is each user's
// own.

package store

import "io/fs"

func oursAlone(fs.FileInfo) bool { return true }
