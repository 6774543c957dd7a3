package main

import (
	"fmt"
	"strings"

	"evergreen"

	"github.com/spf13/cobra"
)

// defaultMaxBytes is about 2,000 tokens of English: what an agent reads at
// once.
const defaultMaxBytes = 8000

func getCommand(a *app) *cobra.Command {
	var r evergreen.SectionRequest
	cmd := &cobra.Command{
		Use:   "get ID...",
		Short: "Print sections and entries by id or marker",
		Long: "Print the exact text of sections and curated entries. An id is what search and\n" +
			"toc show, a marker such as [react:3fa9c1], or DOC_PATH#anchor.",
		Example: "  evergreen get 'react::learn/state.md::state#1'\n" +
			"  evergreen get EG-201 --context\n" +
			"  evergreen get 'react::learn/state.md::state#1' --offset 8000 --verify",
		Args: argCount(1, -1, "at least one id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.MaxBytes < -1 {
				return usage("--max-bytes must be a number of bytes, or -1 for all, not %d", r.MaxBytes)
			}
			if r.Offset < 0 {
				return usage("--offset must not be negative")
			}
			e, _, err := a.openToAsk(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			return a.getAll(cmd, e, r, args)
		},
	}
	flags := cmd.Flags()
	switchSetting(flags, "guard", "guard", "mark passages that address the model with instructions")
	flags.IntVar(&r.MaxBytes, "max-bytes", defaultMaxBytes, "most bytes of each text; 0 or -1: all")
	flags.IntVar(&r.Offset, "offset", 0, "begin this many bytes into the text")
	flags.BoolVar(&r.Verify, "verify", false, "compare the text with the hash it was indexed under")
	flags.BoolVar(&r.Context, "context", false, "also show what surrounds the section")
	return cmd
}

// getAll prints the texts in order. An id that is not found does not keep the
// others from being printed.
func (a *app) getAll(cmd *cobra.Command, e library, r evergreen.SectionRequest, ids []string) error {
	var texts []evergreen.SectionText
	var failed error
	for _, id := range ids {
		r.ID = id
		text, err := e.Section(cmd.Context(), r)
		if err != nil {
			a.exit(cmd, err)
			failed = silent{exitOf(err)}
			continue
		}
		if text.Verified != nil && !*text.Verified {
			failed = silent{exitFailure}
		}
		texts = append(texts, text)
	}
	if a.json {
		if len(texts) == 0 {
			return failed
		}
		var err error
		if len(ids) == 1 {
			err = a.writeJSON(texts[0])
		} else {
			err = a.writeJSON(texts)
		}
		if err != nil {
			return err
		}
	}
	for i, text := range texts {
		if !a.json {
			if err := a.print(sectionText(text, i, len(ids) > 1)); err != nil {
				return err
			}
		}
		a.saySection(text)
	}
	return failed
}

// sectionText is the text itself; of several, each is announced by a comment.
func sectionText(t evergreen.SectionText, i int, several bool) string {
	var b strings.Builder
	if several {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "<!-- %s -->\n", t.ID)
	}
	b.WriteString(t.Markdown)
	if !strings.HasSuffix(t.Markdown, "\n") {
		b.WriteString("\n")
	}
	if t.Context != nil {
		b.WriteString(contextText(*t.Context))
	}
	return b.String()
}

func contextText(c evergreen.SectionContext) string {
	var b strings.Builder
	line := func(label string, refs ...evergreen.SectionRef) {
		for _, ref := range refs {
			fmt.Fprintf(&b, "%-9s %s  %s (%s)\n", label, ref.ID, ref.Title, count(ref.Tokens, "token"))
		}
	}
	b.WriteString("\n---\n")
	line("under", c.Ancestors...)
	if c.Previous != nil {
		line("previous", *c.Previous)
	}
	if c.Next != nil {
		line("next", *c.Next)
	}
	line("holds", c.Children...)
	return b.String()
}

// saySection tells what the text itself does not.
func (a *app) saySection(t evergreen.SectionText) {
	if t.Hint != "" {
		a.say(t.Hint)
	}
	if t.Truncated {
		a.say(fmt.Sprintf("%s: %s of %s bytes shown; go on with --offset %d", t.ID,
			thousands(len(t.Markdown)), thousands(t.TotalBytes), t.NextOffset))
	}
	a.sayWarnings(t.Warnings)
	if t.Verified != nil {
		if *t.Verified {
			a.say(t.ID + ": verified")
		} else {
			a.say(t.ID + ": the text differs from what was indexed; run evergreen index again")
		}
	}
}
