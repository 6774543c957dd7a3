package mcp

import (
	"testing"

	"evergreen"
)

// What the engine tells people, and what an agent reads of it on a server with
// every tool and on one that only answers.
func TestFixesSpeakTheDialectOfAgents(t *testing.T) {
	all := serve(t, smallLibrary())
	readers := serve(t, smallLibrary(), func(o *Options) { o.Sets = []Set{SetKB} })
	const index = "index_local adds or refreshes a folder, index_url a web site."
	for _, c := range []struct{ fix, all, readers string }{
		{"Pass next_cursor of the previous page as it is.", "Pass next_cursor of the previous page as it is.", "Pass next_cursor of the previous page as it is."},
		{"`evergreen list` shows all collections.", "list_repos shows all collections.", ""},
		{"`evergreen toc react` lists its documents.", "get_toc shows documents and section ids.", ""},
		{"The library is empty: `evergreen index SOURCE` fills it.", "The library is empty. " + index, "The library is empty."},
		{"Index its source again: `evergreen index SOURCE --name x`. The sources themselves are untouched.",
			"Index its source again. " + index + " The sources themselves are untouched.", "Index its source again. The sources themselves are untouched."},
		{"Name a folder, a file or a web address, for example `evergreen index ./docs`.",
			"Name a folder, a file or a web address. " + index, "Name a folder, a file or a web address."},
		{"Say what to look for, for example `evergreen search \"clean up\"`.", "Say what to look for. search_sections finds sections by words.", "Say what to look for."},
		{"Run `evergreen doctor` to see what is affected.", "", ""},
		{"Use --allow-private if you mean to read from a private network.", "", ""},
		{"Set --library DIR or EVERGREEN_LIBRARY.", "", ""},
		{"Leave it out, and pass credentials with --header.", "Leave it out.", "Leave it out."},
		{"Try again later, or allow more time with --timeout.", "Try again later.", "Try again later."},
		{"Send credentials as a header: --header 'Authorization: ...'.", "", ""},
		{"Free disk space, or put the library elsewhere with --library DIR. What was indexed before is unchanged.",
			"Free disk space. What was indexed before is unchanged.", "Free disk space. What was indexed before is unchanged."},
		{"Evergreen reads text, Markdown, HTML, XML, JSON, YAML and PDF.", "Evergreen reads text, Markdown, HTML, XML, JSON, YAML and PDF.", "Evergreen reads text, Markdown, HTML, XML, JSON, YAML and PDF."},
		{"Use a--b as it is.", "Use a--b as it is.", "Use a--b as it is."},
	} {
		if got := all.forAgents(c.fix); got != c.all {
			t.Errorf("%q\n with all tools: %q\n want %q", c.fix, got, c.all)
		}
		if got := readers.forAgents(c.fix); got != c.readers {
			t.Errorf("%q\n with kb only: %q\n want %q", c.fix, got, c.readers)
		}
	}
	fault := all.faultAnswer(tool{name: "get_toc", example: "{}"}, evergreen.Errorf(evergreen.NotFound, "no collection").
		Fix("`evergreen list` shows all collections.").Fix("Use --allow-private."))
	if want := "get_toc: no collection\nExample: get_toc {}\nTry: list_repos shows all collections."; fault.text != want {
		t.Errorf("got %q, want %q", fault.text, want)
	}
}
