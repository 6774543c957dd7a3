// Figures shows measurements in the documents: it reads bench/results/*.md and
// rewrites the marked regions of README.md and docs/benchmarks.md, and the
// plot beside them. It measures nothing. The same results give the same bytes.
//
//	go -C tools run ./figures ..
//	go -C tools run ./figures -check ..
//
// A region is what stands between <!-- figures: NAME --> and
// <!-- figures end -->. With -check nothing is written; exit 1 names what is
// out of date.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// documents hold regions.
func documents() []string { return []string{"README.md", "docs/benchmarks.md"} }

func main() {
	check := flag.Bool("check", false, "write nothing; exit 1 when a document is out of date")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	stale, err := update(root, !*check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
	for _, name := range stale {
		fmt.Println(name)
	}
	if *check && len(stale) > 0 {
		fmt.Fprintln(os.Stderr, "figures: out of date; run make figures")
		os.Exit(1)
	}
}

// update makes the documents and the plot anew and returns those that differ.
func update(root string, write bool) (stale []string, err error) {
	results, err := readResults(filepath.Join(root, "bench", "results"))
	if err != nil {
		return nil, err
	}
	fresh := map[string]string{}
	if fresh[plotFile], err = draw(results); err != nil {
		return nil, err
	}
	for _, name := range documents() {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		if fresh[name], err = rewrite(string(text), results); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, text := range fresh {
		path := filepath.Join(root, filepath.FromSlash(name))
		if now, err := os.ReadFile(path); err == nil && string(now) == text {
			continue
		}
		stale = append(stale, name)
		if write {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(stale)
	return stale, nil
}
