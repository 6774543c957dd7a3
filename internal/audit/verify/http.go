package verify

// This file asks how the server keeps to HTTP: headers, validators, errors,
// paths that try to climb out.

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"evergreen/internal/audit/probe"
)

func httpChecks() []check {
	return []check{
		{"headers", homeHeaders},
		{"not-modified", notModified},
		{"not-found", notFound},
		{"method-not-allowed", wrongMethod},
		{"traversal", traversal},
	}
}

func homeHeaders(ctx context.Context, r *run) (string, error) {
	a := r.Once(ctx, probe.Request{URL: "/", Header: map[string]string{"Accept": "text/html"}, Stay: true})
	link := strings.Join(a.Header.Values("Link"), ", ")
	switch tag := a.Header.Get("ETag"); {
	case !a.OK():
		return "", broken(a, "200")
	case !strings.Contains(link, "llms.txt") || !strings.Contains(link, `rel="describedby"`):
		return "", broken(a, `a Link header to llms.txt with rel="describedby", not %q`, link)
	case !strings.Contains(link, `rel="alternate"`) || !strings.Contains(link, "text/markdown"):
		return "", broken(a, `a Link header to the mirror with rel="alternate" and type="text/markdown", not %q`, link)
	case a.Header.Get("Cache-Control") == "":
		return "", broken(a, "Cache-Control")
	case tag == "" || strings.HasPrefix(tag, "W/"):
		return "", broken(a, "a strong ETag, not %q", tag)
	case !varies(a, "Accept"):
		return "", broken(a, "Vary: Accept, not %q", a.Header.Get("Vary"))
	case !strings.EqualFold(a.Header.Get("X-Content-Type-Options"), "nosniff"):
		return "", broken(a, "X-Content-Type-Options: nosniff")
	}
	return "Link, Cache-Control, ETag, Vary and nosniff are there", nil
}

// varies reports whether the Vary header names a field.
func varies(a *probe.Answer, field string) bool {
	for _, value := range a.Header.Values("Vary") {
		for name := range strings.SplitSeq(value, ",") {
			if name = strings.TrimSpace(name); name == "*" || strings.EqualFold(name, field) {
				return true
			}
		}
	}
	return false
}

func notModified(ctx context.Context, r *run) (string, error) {
	for _, path := range []string{"/", "/llms.txt", "/context.json"} {
		first := r.Once(ctx, probe.Request{URL: path, Stay: true, Header: map[string]string{"Accept": "*/*"}})
		tag := first.Header.Get("ETag")
		if tag == "" {
			return "", broken(first, "an ETag")
		}
		a := r.Do(ctx, probe.Request{URL: path, Stay: true, Header: map[string]string{"If-None-Match": tag, "Accept": "*/*"}})
		switch {
		case a.Err != nil || a.Status != http.StatusNotModified:
			return "", broken(a, "304")
		case len(a.Body) > 0:
			return "", broken(a, "a 304 without body, not %d bytes", len(a.Body))
		case a.Header.Get("ETag") == "":
			return "", broken(a, "the ETag on the 304 too")
		}
	}
	return "If-None-Match is answered 304 without body", nil
}

func notFound(ctx context.Context, r *run) (string, error) {
	for _, path := range []string{"/evergreen-verify-no-such-page", "/evergreen-verify-no-such-page.md", "/evergreen-verify-no-such-page.html.md"} {
		for _, accept := range []string{"*/*", "text/markdown"} {
			a := r.Once(ctx, probe.Request{URL: path, Stay: true, Header: map[string]string{"Accept": accept}})
			if a.Err != nil || a.Status != http.StatusNotFound {
				return "", broken(a, "404")
			}
			for _, way := range []string{"/llms.txt", "/context.json", "/api/context", "/mcp"} {
				if !strings.Contains(a.Text(), way) {
					return "", broken(a, "a body that lists the ways in for machines; %s is missing", way)
				}
			}
		}
	}
	return "404 lists the ways in", nil
}

func wrongMethod(ctx context.Context, r *run) (string, error) {
	for _, t := range []struct{ method, path, right string }{
		{"POST", "/api/context", "GET"}, {"DELETE", "/llms.txt", "GET"}, {"PUT", "/mcp", "POST"},
	} {
		a := r.Once(ctx, probe.Request{Method: t.method, URL: t.path, Stay: true})
		switch {
		case a.Err != nil || a.Status != http.StatusMethodNotAllowed:
			return "", broken(a, "405")
		case !strings.Contains(a.Header.Get("Allow"), t.right):
			return "", broken(a, "an Allow header with %s, not %q", t.right, a.Header.Get("Allow"))
		case !strings.Contains(a.Text(), t.right):
			return "", broken(a, "a body that names the right method, %s", t.right)
		}
	}
	return "405 with Allow and the right method", nil
}

// traversal tries to climb out of the site. The paths go out byte for byte.
func traversal(ctx context.Context, r *run) (string, error) {
	paths := []string{"/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cwindows%5cwin.ini",
		"/docs/..%2f..%2f..%2fetc%2fpasswd", "/llms.txt%00.md", "/../../windows/win.ini"}
	for _, path := range paths {
		a := r.Once(ctx, probe.Request{URL: path, Raw: true, Stay: true})
		switch {
		case a.Err != nil:
			return "", broken(a, "an answer")
		case a.Status >= 300 && a.Status < 400:
			return "", broken(a, "404, never a redirect")
		case a.Status != http.StatusNotFound && a.Status != http.StatusBadRequest && a.Status != http.StatusForbidden:
			return "", broken(a, "404")
		}
	}
	return fmt.Sprintf("%d paths that climb are refused", len(paths)), nil
}
