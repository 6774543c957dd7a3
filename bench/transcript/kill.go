package main

// This file is the part of the story where things go wrong.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evergreen/bench/internal/report"
)

const (
	// editedFile gets a line with a word that nothing else says.
	editedFile = "files/en-us/web/css/reference/properties/flex/index.md"
	editedWord = "quillfeather"
	editedLine = "\nOne more line added by hand: " + editedWord + ".\n"
	allLine    = "\nAnother line.\n"
	// killAt is how many bytes a new file must hold before its writer is killed.
	killAt = 1 << 20
	// patience bounds the wait for it.
	patience = 2 * time.Minute
)

// editAndKill edits a file, kills an indexing process while it writes, and
// shows that the library answers before and after, and heals.
func (st *story) editAndKill(ctx context.Context) error {
	st.Say("## One file edited")
	if err := appendTo(filepath.Join(st.source, filepath.FromSlash(editedFile)), editedLine); err != nil {
		return err
	}
	if err := st.shell(ctx, "index", st.source, "--name", tree); err != nil {
		return err
	}
	if err := st.shell(ctx, "search", editedWord, "-n", "1"); err != nil {
		return err
	}
	st.Say("## Killed in mid-write\n\nEvery file gets another line, and the process that reads them is killed while it writes.")
	if err := st.appendToAll(); err != nil {
		return err
	}
	before, err := st.files()
	if err != nil {
		return err
	}
	if err := st.kill(ctx, before); err != nil {
		return err
	}
	st.Say("The library answers as before:")
	if err := st.shell(ctx, "search", editedWord, "-n", "1"); err != nil {
		return err
	}
	st.Say("The next run does the work and sweeps up:")
	if err := st.shell(ctx, "index", st.source, "--name", tree); err != nil {
		return err
	}
	return st.shell(ctx, "doctor")
}

func appendTo(path, line string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(line)
	return errors.Join(err, file.Close())
}

func (st *story) appendToAll() error {
	return filepath.WalkDir(st.source, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return appendTo(path, allLine)
	})
}

// kill starts an indexing process and kills it as soon as a file it writes has
// grown large enough.
func (st *story) kill(ctx context.Context, before map[string]int64) error {
	cmd, err := st.Program.Start(ctx, "index", st.source, "--name", tree, "--quiet", "--library", st.library)
	if err != nil {
		return err
	}
	started := time.Now()
	for {
		now, err := st.files()
		if err == nil && time.Since(started) > patience {
			err = fmt.Errorf("no file of %d bytes was written within %s", killAt, patience)
		}
		grown := newFiles(before, now)
		large := slices.ContainsFunc(grown, func(name string) bool { return now[name] >= killAt })
		if err == nil && !large {
			time.Sleep(2 * time.Millisecond)
			continue
		}
		_ = cmd.Process.Kill() // it may just have ended, which Wait tells
		ended := cmd.Wait()
		if err != nil {
			return err
		}
		if ended == nil {
			return fmt.Errorf("the process had ended before it was killed")
		}
		lines := []string{fmt.Sprintf("$ evergreen index ./mdn --name %s &", tree),
			fmt.Sprintf("$ kill -9 $!   # after %s s: %v", report.Number(time.Since(started).Seconds()), ended)}
		for _, name := range grown {
			lines = append(lines, fmt.Sprintf("unfinished: %s, %s bytes", name, report.Thousands(int(now[name]))))
		}
		st.Say("```console\n" + strings.Join(lines, "\n") + "\n```")
		return nil
	}
}

// files lists the library with sizes.
func (st *story) files() (map[string]int64, error) {
	out := map[string]int64{}
	err := filepath.WalkDir(st.library, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err != nil {
			return ignoreGone(err)
		}
		name, err := filepath.Rel(st.library, path)
		out[filepath.ToSlash(name)] = info.Size()
		return err
	})
	return out, err
}

// ignoreGone takes a file that was renamed meanwhile for absent.
func ignoreGone(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

func newFiles(before, now map[string]int64) []string {
	var names []string
	for name := range now {
		if _, ok := before[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
