package afdocs

// This file is the table of checks: weight, layer, phase, question, fix. The
// order is that in which they run: later ones look at earlier ones.

import "evergreen/internal/audit/finding"

// The fixes that serve several checks.
const (
	fixIndex   = "evergreen serve --origin URL   # or: evergreen export DIR, and put llms.txt at the root"
	fixMirrors = "evergreen serve --origin URL   # answers PAGE.md and PAGE.html.md for every page"
	fixAccept  = "evergreen serve --origin URL   # answers Accept: text/markdown with the mirror and Vary: Accept"
	fixPointer = `<p><a href="/llms.txt">/llms.txt</a>: index of this site for agents.</p>   <!-- first in <body> -->`
)

func table() []rule {
	return []rule{
		{"llms-txt-exists", 10, "L1", finding.P0, false, "llms.txt is there", fixIndex, (*judge).exists},
		{"llms-txt-valid", 4, "L1", finding.P0, false, "llms.txt has title, summary, sections and links",
			"# Name\n\n> One sentence.\n\n## Docs\n\n- [Page](https://example.com/page.md): what it is about.", (*judge).valid},
		{"llms-txt-size", 7, "L1", finding.P0, false, "llms.txt is not too long", "split llms.txt by section and link the parts from the root file", (*judge).size},
		{"llms-txt-links-resolve", 7, "L1", finding.P0, false, "links of llms.txt lead somewhere", "remove or mend the dead links; evergreen serve writes only links that it answers", (*judge).linksResolve},
		{"llms-txt-links-markdown", 7, "L1", finding.P0, false, "links of llms.txt lead to Markdown", "link PAGE.html.md instead of PAGE.html", (*judge).linksMarkdown},
		{"llms-txt-directive-html", 7, "L2", finding.P0, true, "pages point at llms.txt", fixPointer, (*judge).directiveHTML},
		{"markdown-url-support", 7, "L2", finding.P0, true, "every page has a .md twin", fixMirrors, (*judge).urlSupport},
		{"content-negotiation", 4, "L2", finding.P0, true, "Accept: text/markdown gives Markdown", fixAccept, (*judge).negotiation},
		{"llms-txt-directive-md", 4, "L2", finding.P0, true, "mirrors point at llms.txt",
			"> Index of this site for agents: [/llms.txt](https://example.com/llms.txt).", (*judge).directiveMarkdown},
		{"llms-txt-coverage", 4, "L1", finding.P0, false, "llms.txt names the pages of the sitemap", fixIndex, (*judge).coverage},
		{"rendering-strategy", 10, "L6", finding.P1, true, "pages hold their text without a script", "render pages on the server, or: evergreen export DIR", (*judge).rendering},
		{"page-size-markdown", 7, "L2", finding.P0, true, "mirrors are not too long", "split pages above 50,000 characters", (*judge).sizeMarkdown},
		{"page-size-html", 7, "L6", finding.P1, true, "pages are not too long", "split pages above 50,000 characters", (*judge).sizeHTML},
		{"page-size-transfer", 4, "L6", finding.P1, true, "pages are small on the wire", "move inlined scripts, styles and data out of the page", (*judge).sizeTransfer},
		{"content-start-position", 4, "L6", finding.P1, true, "content begins early in the page", "put navigation behind the content, or in <nav> outside of the first tenth", (*judge).contentStart},
		{"single-fetch-completeness", 4, "L2", finding.P0, true, "a mirror is the whole page", "say at the top of the mirror where it goes on: [Next page](https://example.com/page.md?page=2)", (*judge).singleFetch},
		{"tabbed-content-serialization", 4, "L6", finding.P1, true, "tabs do not swell the page", "give each variant a page of its own", (*judge).tabs},
		{"section-header-quality", 2, "L6", finding.P1, true, "headings in tabs say which tab", "name the variant in the heading: ## Install (Linux)", (*judge).tabHeadings},
		{"embedded-data-serialization", 4, "L6", finding.P1, true, "data does not drown the text", "link large tables and JSON as files", (*judge).embedded},
		{"markdown-code-fence-validity", 4, "L2", finding.P0, true, "code fences are closed", "close every ``` with a line of its own", (*judge).fences},
		{"markdown-link-portability", 4, "L2", finding.P0, true, "links in mirrors are absolute and alive", "evergreen serve --base-url https://example.com   # writes absolute links", (*judge).portability},
		{"http-status-codes", 7, "L7", finding.P0, true, "missing pages answer 404", "try_files $uri $uri.html =404;   # nginx: no shell for unknown paths", (*judge).statusCodes},
		{"redirect-behavior", 4, "L7", finding.P0, true, "redirects are plain and stay on the host", "return 301 https://example.com$request_uri;   # nginx, instead of a script or meta refresh", (*judge).redirects},
		{"cache-header-hygiene", 2, "L7", finding.P0, true, "pages are checked for news", `add_header Cache-Control "public, max-age=900";   # nginx`, (*judge).caching},
		{"markdown-content-parity", 4, "L2", finding.P0, true, "mirrors say what pages say", fixMirrors, (*judge).parity},
		{"auth-gate-detection", 10, "L7", finding.P0, true, "pages are open", "open the documentation to readers without an account", (*judge).authGate},
		{"auth-alternative-access", 4, "L7", finding.P0, false, "closed content can be had otherwise", "publish llms.txt and mirrors outside of the login", (*judge).alternative},
		{"bot-protection-interference", 7, "L7", finding.P0, false, "agents are not blocked", "let agents pass the bot protection on documentation paths", (*judge).botProtection},
	}
}
