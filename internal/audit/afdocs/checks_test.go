package afdocs_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/finding"
)

const keys = "/docs/guide/keys"

// asPage puts HTML into the page on keys, before its end.
func asPage(body string) audittest.Fault { return audittest.Replace(keys, "</main>", body+"</main>") }

// asMirror adds Markdown to every mirror of the page on keys.
func asMirror(text string) audittest.Fault {
	return audittest.Edit(func(r *http.Request) bool {
		return strings.HasPrefix(r.URL.Path, keys) && strings.HasSuffix(r.URL.Path, ".md")
	}, func(status int, _ http.Header, body []byte) (int, []byte) {
		return status, append(bytes.TrimRight(body, "\n"), "\n\n"+text+"\n"...)
	})
}

func answered(status int, header ...string) audittest.Fault {
	return audittest.Instead(keys, func(w http.ResponseWriter, r *http.Request) {
		for _, line := range header {
			k, v, _ := strings.Cut(line, ": ")
			w.Header().Set(k, strings.ReplaceAll(v, "{host}", r.Host))
		}
		w.WriteHeader(status)
	})
}

func table(rows int) string {
	var b strings.Builder
	b.WriteString("<table><tr><th>Key</th><th>Value</th></tr>")
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td>key %d</td><td>the value of number %d</td></tr>", i, i)
	}
	return b.String() + "</table>"
}

func TestChecks(t *testing.T) {
	long := "<p>" + strings.Repeat("A sentence of this long page. ", 2000) + "</p>"
	for i, tt := range []struct {
		what   string
		fault  audittest.Fault
		id     string
		status finding.Status
		got    string
	}{
		{"a login in front", answered(401), "auth-gate-detection", finding.Fail, "401"},
		{"a way to another host's login", answered(302, "Location: http://login.localhost:1/"), "auth-gate-detection", finding.Fail, "login"},
		{"a password field", asPage(`<input name="p" type="password">`), "auth-gate-detection", finding.Warn, "login"},
		{"a title about logging in", audittest.Replace(keys, "<title>Keys", "<title>Log in"), "auth-gate-detection", finding.Pass, ""},
		{"a redirect within the host", answered(301, "Location: /docs/guide/install"), "redirect-behavior", finding.Pass, ""},
		{"a redirect to another host", answered(301, "Location: http://localhost:1/"), "redirect-behavior", finding.Warn, "another host"},
		{"a meta refresh", audittest.Replace(keys, "<head>", `<head><meta http-equiv="refresh" content="0; url=/">`), "redirect-behavior", finding.Fail, "meta refresh"},
		{"a script that is only shown", asPage("<pre>window.location = x</pre>"), "redirect-behavior", finding.Pass, ""},
		{"no word on caching", audittest.Edit(audittest.At(keys), func(s int, h http.Header, b []byte) (int, []byte) {
			for _, name := range []string{"Cache-Control", "ETag", "Last-Modified"} {
				h.Del(name)
			}
			return s, b
		}), "cache-header-hygiene", finding.Fail, "no Cache-Control"},
		{"caching for half a day", audittest.Header(keys, "Cache-Control", "max-age=43200"), "cache-header-hygiene", finding.Warn, "43200"},
		{"shared caching rules", audittest.Header(keys, "Cache-Control", "max-age=0, s-maxage=90000"), "cache-header-hygiene", finding.Fail, "s-maxage"},
		{"revalidation", audittest.Header(keys, "Cache-Control", "max-age=90000, must-revalidate"), "cache-header-hygiene", finding.Pass, ""},
		{"no store", audittest.Header(keys, "Cache-Control", "no-store"), "cache-header-hygiene", finding.Pass, ""},
		{"a long page", asPage(long), "page-size-html", finding.Warn, "characters"},
		{"a very long page", asPage(long + long), "page-size-html", finding.Fail, "characters"},
		{"a long mirror", asMirror(strings.Repeat("word ", 12_000)), "page-size-markdown", finding.Warn, "characters"},
		{"a heavy page", asPage("<script>" + strings.Repeat("x", 1_000_000) + "</script>"), "page-size-transfer", finding.Warn, "bytes"},
		{"data that drowns the text", asPage(table(2000)), "embedded-data-serialization", finding.Warn, "tables and data"},
		{"data beside more text", asPage(long + table(30)), "embedded-data-serialization", finding.Pass, ""},
		{"tabs of a page's size", asPage(`<div class="tabbed-set"><div class="tabbed-block">` + long + `</div><div class="tabbed-block">` + long + "</div></div>"),
			"tabbed-content-serialization", finding.Fail, "in tabs"},
		{"headings that repeat in tabs", asPage(`<div><div role="tablist"></div><div role="tabpanel"><h3>Use</h3></div><div role="tabpanel"><h3>Use</h3></div></div>`),
			"section-header-quality", finding.Fail, "repeat a heading"},
		{"headings of their own in tabs", asPage(`<div><div role="tablist"></div><div role="tabpanel"><h3>Use on Linux</h3></div><div role="tabpanel"><h3>Use on macOS</h3></div></div>`),
			"section-header-quality", finding.Pass, ""},
		{"a page that the index leaves out", audittest.Replace("/llms.txt", "/docs/guide/keys.html.md", "/docs/guide/install.html.md"), "llms-txt-coverage", finding.Warn, "is missing"},
		{"a link that needs the page", asMirror("See [install](install.md)."), "markdown-link-portability", finding.Fail, "page's address: install.md"},
		{"a link that needs the site", asMirror("See [install](/docs/guide/install.md)."), "markdown-link-portability", finding.Warn, "site's address"},
		{"a dead link", audittest.Edit(func(r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, keys) && strings.HasSuffix(r.URL.Path, ".md")
		},
			func(s int, _ http.Header, b []byte) (int, []byte) {
				return s, bytes.ReplaceAll(b, []byte("/llms.txt)"), []byte("/gone.md)"))
			}), "markdown-link-portability", finding.Fail, "dead link"},
		{"the next page named at the top", audittest.Edit(func(r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, keys) && strings.HasSuffix(r.URL.Path, ".md")
		},
			func(s int, _ http.Header, b []byte) (int, []byte) {
				return s, append([]byte("[Next page](/docs/guide/install.md?page=2)\n\n"), b...)
			}), "single-fetch-completeness", finding.Pass, ""},
		{"a next page that is not there", asMirror("[Next page](/gone.md?page=2)"), "single-fetch-completeness", finding.Fail, "cannot be had"},
		{"a part that does not say so", audittest.Edit(func(r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, keys) && strings.HasSuffix(r.URL.Path, ".md")
		},
			func(s int, _ http.Header, b []byte) (int, []byte) {
				return s, append([]byte("Showing 20 of 300 keys, next: ask again.\n\n"), b...)
			}), "single-fetch-completeness", finding.Fail, "where it goes on"},
		{"navigation before the content", audittest.Replace(keys, "<main>", "<div>"+strings.Repeat(`<a href="/x">A page of the menu</a> `, 60)+"</div><main>"), "content-start-position", finding.Fail, "begins at"},
		{"a challenge", audittest.Instead(keys, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
			_, _ = w.Write([]byte("<title>Just a moment...</title>"))
		}), "bot-protection-interference", finding.Warn, "403"},
		{"an index of the second size", audittest.Replace("/llms.txt", "## Optional", "## More\n\n"+strings.Repeat("- [Install](http://a.example/x): once more and again\n", 1200)+"\n## Optional"), "llms-txt-size", finding.Warn, "characters"},
		{"an index without summary", audittest.Replace("/llms.txt", "\n> ", "\n"), "llms-txt-valid", finding.Warn, "summary"},
		{"an index of HTML pages", audittest.Replace("/llms.txt", ".html.md", ""), "llms-txt-links-markdown", finding.Pass, ""}, // they negotiate
		{"an index with a dead link", audittest.Gone("/docs/guide/keys.html.md"), "llms-txt-links-resolve", finding.Warn, "404"},
	} {
		if testing.Short() && i%7 != 0 {
			continue // each row judges a whole site
		}
		checks, _ := judge(t, audittest.Broken(audittest.New(t), tt.fault))
		if c := checks[tt.id]; c.Status != tt.status || !strings.Contains(c.Got, tt.got) {
			t.Errorf("%s: %s is %s (%s: %s), want %s with %q", tt.what, tt.id, c.Status, c.Requested, c.Got, tt.status, tt.got)
		}
	}
}
