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

// listener hears what happens in the folders of a source.
type listener struct {
	location string
	most     int // folders
	watcher  *fsnotify.Watcher
	folders  map[string]bool // listened to
	only     string          // the one file that is of interest, "" for all
}

// listen begins to listen to a source. Where that is not possible it tells why,
// and whether the source is not there at all.
func listen(ctx context.Context, location string, most int) (l *listener, why string, gone bool) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err.Error(), false
	}
	l = &listener{location: location, most: most, watcher: watcher, folders: map[string]bool{}}
	if err := l.attend(ctx); err != nil {
		l.close()
		return nil, err.Error(), evergreen.KindOf(err) == evergreen.NotFound
	}
	return l, "", false
}

func (l *listener) close() { _ = l.watcher.Close() } // nothing is lost with it

// attend listens to the folders that the source has now.
func (l *listener) attend(ctx context.Context) error {
	found, err := folder.Walk(ctx, l.location, folder.Options{})
	if err != nil {
		return err
	}
	if len(found.Folders) > l.most {
		return fmt.Errorf("more than %d folders", l.most)
	}
	if n := len(found.Files); holdsFilesOpen(runtime.GOOS) && n > maxKqueueFiles {
		return fmt.Errorf("more than %d files, which this system would hold open", maxKqueueFiles)
	}
	for _, f := range found.Folders {
		if l.folders[f] {
			continue
		}
		if err := l.watcher.Add(f); err != nil {
			return err
		}
		l.folders[f] = true
	}
	l.only = ""
	if real, err := filepath.EvalSymlinks(l.location); err == nil && len(found.Files) == 1 && len(found.Folders) == 1 {
		if abs, err := filepath.Abs(real); err == nil && abs == found.Files[0].Abs {
			l.only = abs
		}
	}
	return nil
}

// follow keeps up with folders that came and went; false when that is not
// possible.
func (l *listener) follow(ctx context.Context) bool {
	listened := map[string]bool{}
	for _, f := range l.watcher.WatchList() {
		listened[f] = true
	}
	l.folders = listened // what is gone may come back as another
	return l.attend(ctx) == nil
}

// wait returns when something happened and it has become quiet again, or nothing
// happened for a time; false when ctx ended or there is nothing to hear.
func (l *listener) wait(ctx context.Context, longest time.Duration) bool {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case event, open := <-l.watcher.Events:
			if !open {
				return false
			}
			if !l.matters(event) {
				continue
			}
		case _, open := <-l.watcher.Errors: // events were lost
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
func (l *listener) matters(event fsnotify.Event) bool {
	return event.Op != fsnotify.Chmod && (l.only == "" || event.Name == l.only)
}

// holdsFilesOpen reports whether a system's events cost an open file each.
func holdsFilesOpen(system string) bool {
	return slices.Contains([]string{"darwin", "dragonfly", "freebsd", "netbsd", "openbsd"}, system)
}
