package study

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Sizes adds up the library's files in MB: the stored texts, and all else.
func Sizes(library string) (text, beside float64, err error) {
	err = filepath.WalkDir(library, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".text") {
			text += float64(info.Size()) / 1e6
		} else {
			beside += float64(info.Size()) / 1e6
		}
		return nil
	})
	return text, beside, err
}
