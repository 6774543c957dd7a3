package watch

// This file listens to the file system.

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"evergreen"
	"evergreen/internal/folder"

	"github.com/fsnotify/fsnotify"
)

// ears hear what happens in the folders of a source.
type ears struct {
	location string
	most     int // folders
	watcher  *fsnotify.Watcher
	folders  map[string]bool // listened to
	only     string          // the one file that is of interest, "" for all
}

// listen begins to listen to a source. Where that is not possible it tells why,
// and whether the source is not there at all.
func listen(ctx context.Context, location string, most int) (e *ears, why string, gone bool) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err.Error(), false
	}
	e = &ears{location: location, most: most, watcher: watcher, folders: map[string]bool{}}
	if err := e.attend(ctx); err != nil {
		e.close()
		return nil, err.Error(), evergreen.KindOf(err) == evergreen.NotFound
	}
	return e, "", false
}

func (e *ears) close() { _ = e.watcher.Close() } // nothing is lost with it

// attend listens to the folders that the source has now.
func (e *ears) attend(ctx context.Context) error {
	found, err := folder.Walk(ctx, e.location, folder.Options{})
	if err != nil {
		return err
	}
	if len(found.Folders) > e.most {
		return fmt.Errorf("more than %d folders", e.most)
	}
	if n := len(found.Files); holdsFilesOpen(runtime.GOOS) && n > maxKqueueFiles {
		return fmt.Errorf("more than %d files, which this system would hold open", maxKqueueFiles)
	}
	for _, f := range found.Folders {
		if e.folders[f] {
			continue
		}
		if err := e.watcher.Add(f); err != nil {
			return err
		}
		e.folders[f] = true
	}
	e.only = ""
	if real, err := filepath.EvalSymlinks(e.location); err == nil && len(found.Files) == 1 && len(found.Folders) == 1 {
		if abs, err := filepath.Abs(real); err == nil && abs == found.Files[0].Abs {
			e.only = abs
		}
	}
	return nil
}

// follow keeps up with folders that came and went; false when that is not
// possible.
func (e *ears) follow(ctx context.Context) bool {
	listened := map[string]bool{}
	for _, f := range e.watcher.WatchList() {
		listened[f] = true
	}
	e.folders = listened // what is gone may come back as another
	return e.attend(ctx) == nil
}

// wait returns when something happened and it has become quiet again, or nothing
// happened for a time; false when ctx ended or there is nothing to hear.
func (e *ears) wait(ctx context.Context, longest time.Duration) bool {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case event, open := <-e.watcher.Events:
			if !open {
				return false
			}
			if !e.matters(event) {
				continue
			}
		case _, open := <-e.watcher.Errors: // events were lost
			if !open {
				return false
			}
		}
		now := time.Now()
		if last.IsZero() {
			last = now.Add(maxQuiet)
		}
		timer.Reset(min(quiet, max(last.Sub(now), 0)))
	}
}

// matters reports whether an event can mean a change of what is read.
func (e *ears) matters(event fsnotify.Event) bool {
	return event.Op != fsnotify.Chmod && (e.only == "" || event.Name == e.only)
}

// holdsFilesOpen reports whether a system's events cost an open file each.
func holdsFilesOpen(system string) bool {
	return slices.Contains([]string{"darwin", "dragonfly", "freebsd", "netbsd", "openbsd"}, system)
}
