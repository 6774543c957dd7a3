package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evergreen"

	"github.com/spf13/cobra"
)

// localCollection is what ids of a file that is in no collection begin with.
const localCollection = "local"

func tocCommand(a *app) *cobra.Command {
	var r evergreen.OutlineRequest
	var all bool
	cmd := &cobra.Command{
		Use:   "toc COLLECTION[/DOC_PATH] | FILE",
		Short: "Show the outline of a collection, a document or a file",
		Long: "Show documents and sections with their sizes in tokens and the ids that get\n" +
			"takes. A path that names no collection is read as a file.",
		Example: "  evergreen toc react\n" +
			"  evergreen toc react/learn/state.md\n" +
			"  evergreen toc ./README.md",
		Args: argCount(1, 1, "one collection, document or file"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.collectionNames(cmd), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if all {
				r.Limit = -1
			}
			outline, err := a.outline(cmd, r, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(outline)
			}
			if err := a.print(outlineText(outline)); err != nil {
				return err
			}
			if outline.NextCursor != "" {
				a.say("more: add --cursor " + outline.NextCursor + ", or --all")
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&r.Cursor, "cursor", "", "go on where the last page ended")
	cmd.Flags().BoolVar(&all, "all", false, "the whole outline at once")
	cmd.Flags().IntVar(&r.Depth, "depth", 0, "deepest heading level shown (default: all)")
	return cmd
}

// outline reads the argument as a collection, a document of one, or a file, in
// this order.
func (a *app) outline(cmd *cobra.Command, r evergreen.OutlineRequest, arg string) (evergreen.Outline, error) {
	e, s, err := a.open(cmd)
	if err != nil {
		return evergreen.Outline{}, err
	}
	defer e.Close()
	collections, err := e.Collections(cmd.Context())
	if err != nil {
		return evergreen.Outline{}, err
	}
	a.sayDamaged(cmd.Context(), e)
	for _, d := range e.Damaged(cmd.Context()) {
		collections = append(collections, evergreen.Collection{Name: d.Name}) // the engine says what is wrong
	}
	if r.Collection, r.DocPath = splitTarget(collections, arg); r.Collection != "" {
		return e.Outline(cmd.Context(), r)
	}
	switch info, err := os.Stat(arg); {
	case err == nil && info.IsDir():
		return evergreen.Outline{}, evergreen.Errorf(evergreen.NotFound, "%s is a folder, not a collection or a file", arg).
			Fix("index it first: evergreen index %s", arg)
	case err == nil:
		r.Collection = localCollection
		return a.world.opener.outlineFile(cmd.Context(), s, arg, r)
	case isPath(arg):
		return evergreen.Outline{}, evergreen.Errorf(evergreen.NotFound, "there is no file %s", arg).
			Fix("evergreen list shows the collections")
	}
	r.Collection, r.DocPath, _ = strings.Cut(arg, "/") // the engine names the nearest
	return e.Outline(cmd.Context(), r)
}

// isPath tells an argument that can only mean a file: it is written as a path, or
// has no slash and a document's extension.
func isPath(arg string) bool {
	slashed := filepath.ToSlash(arg)
	if filepath.IsAbs(arg) || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") {
		return true
	}
	extensions := []string{".md", ".mdx", ".markdown", ".txt", ".html", ".htm", ".json"}
	return !strings.Contains(slashed, "/") && slices.Contains(extensions, strings.ToLower(filepath.Ext(arg)))
}

// splitTarget finds the collection that an argument begins with: the longest
// name that is the argument or stands before a slash in it.
func splitTarget(collections []evergreen.Collection, arg string) (collection, docPath string) {
	for _, c := range collections {
		rest, ok := strings.CutPrefix(arg, c.Name)
		if ok && (rest == "" || rest[0] == '/') && len(c.Name) > len(collection) {
			collection, docPath = c.Name, strings.TrimPrefix(rest, "/")
		}
	}
	return collection, docPath
}

// outlineText writes one line per document and section: tokens, title, and the
// last part of the section's id.
func outlineText(o evergreen.Outline) string {
	var b strings.Builder
	for _, d := range o.Documents {
		fmt.Fprintf(&b, "%s  %s\n", d.Path, d.Title)
		for _, s := range d.Sections {
			fmt.Fprintf(&b, "%8s  %s%s  %s\n", thousands(s.Tokens), strings.Repeat("  ", max(0, s.Level-1)), s.Title, s.ID)
		}
	}
	return b.String()
}
