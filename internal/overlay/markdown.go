package overlay

// This file makes a page's Markdown mirror of the origin's HTML.

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"evergreen/internal/charset"
	"evergreen/internal/extract"
	"evergreen/internal/markdown"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

// markdown sends an answer to who asked for Markdown.
func (v *Overlay) markdown(res *http.Response, visit *visit, isPage bool) error {
	if res.StatusCode == http.StatusNotModified {
		visit.tags.restore(res.Header)
		addVary(res.Header)
		return nil
	}
	if u, err := url.Parse(res.Header.Get("Location")); err == nil && !visit.fallback && redirects(res) {
		if rest, within := strings.CutPrefix(u.Path, basePath(visit.base)); within && (u.Host == "" || u.Scheme+"://"+u.Host == origin(visit.base)) {
			visit.moved = "/" + strings.TrimPrefix(rest, "/")
			return errDeclined
		}
	}
	if !isPage || res.StatusCode != http.StatusOK {
		if !visit.fallback && (res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone || !isPage && res.StatusCode == http.StatusOK) {
			return errDeclined
		}
		if isPage || res.StatusCode >= 400 {
			addVary(res.Header)
		}
		return nil
	}
	addVary(res.Header)
	vouch(res)
	body, whole, err := v.whole(res)
	if err != nil {
		return err
	}
	if !whole {
		if visit.fallback {
			return nil // too large, or packed in a way that cannot be undone: the page itself
		}
		return errDeclined
	}
	v.answer(res, visit, v.mirror(body, res.Header.Get("Content-Type"), visit))
	return nil
}

// basePath is the path of a base address, without a final slash.
func basePath(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.Path, "/")
}

// origin is scheme and host of a base address.
func origin(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// whole reads a page to its end, unpacked. When that is not to be, whole is
// false and the answer is as it was.
func (v *Overlay) whole(res *http.Response) (body []byte, whole bool, err error) {
	if !known(res.Header) || res.ContentLength > maxPageBytes || fixed(res.Header) {
		return nil, false, nil
	}
	raw := res.Body
	taken := &bytes.Buffer{}
	var text io.Reader = io.TeeReader(raw, taken)
	if strings.Contains(strings.ToLower(res.Header.Get("Content-Encoding")), "gzip") {
		unzipped, err := gzip.NewReader(text)
		if err != nil {
			res.Body = rest(taken, raw)
			return nil, false, nil
		}
		text = unzipped
	}
	body, err = io.ReadAll(io.LimitReader(text, maxPageBytes+1))
	if err != nil {
		return nil, false, err
	}
	if len(body) > maxPageBytes {
		res.Body = rest(taken, raw)
		return nil, false, nil
	}
	_ = raw.Close() // it has been read to its end
	return body, true, nil
}

// mirror is a page's Markdown under the pointer that every mirror begins with.
func (v *Overlay) mirror(page []byte, contentType string, visit *visit) string {
	text, _, _ := charset.Decode(page, contentType, true)
	address := visit.base + escaped(visit.page)
	found := extract.Page(text, address)
	for _, a := range tree.Find(found.Node, atom.A) {
		if href := tree.Attr(a, "href"); href != "" {
			tree.SetAttr(a, "href", v.target(href, visit))
		}
	}
	name := path.Base(visit.page)
	if strings.HasSuffix(visit.page, "/") {
		name = visit.page
	}
	var b strings.Builder
	b.WriteString("> Index of this site for agents: [/llms.txt](" + visit.base + "/llms.txt). This page as HTML: [" + plainName(name) + "](" + address + ").\n\n")
	content := strings.TrimLeft(markdown.FromNode(found.Node, ""), "\n")
	if !strings.HasPrefix(content, "# ") {
		title := found.Title
		if title == "" {
			title = name
		}
		b.WriteString("# " + plainName(title) + "\n\n")
	}
	b.WriteString(content)
	return b.String()
}

// plainName keeps a name from being read as markup in a heading or link.
func plainName(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`).Replace(strings.Join(strings.Fields(s), " "))
}

// target leads a link to a page of the site to its mirror, under the public
// address. Other links stay.
func (v *Overlay) target(href string, visit *visit) string {
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return href
	}
	base, err := url.Parse(visit.base)
	if err != nil {
		return href
	}
	prefix := ""
	switch {
	case strings.EqualFold(u.Host, base.Host):
		prefix = strings.TrimRight(base.Path, "/")
	case strings.EqualFold(u.Host, v.origin.Host):
		prefix = strings.TrimRight(v.origin.Path, "/")
	default:
		return href
	}
	page, below := strings.CutPrefix(u.Path, prefix)
	if !below || page != "" && page[0] != '/' {
		return href
	}
	if page == "" {
		page = "/"
	}
	target := page
	if v.o.Layers != nil && v.o.Layers.Mirrored(page) && u.RawQuery == "" {
		target = mirrorOf(page)
	}
	target = visit.base + escaped(target)
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		target += "#" + u.EscapedFragment()
	}
	return target
}

// answer puts the mirror in the place of the page.
func (v *Overlay) answer(res *http.Response, visit *visit, text string) {
	h := res.Header
	changed(h)
	if tag := h.Get("ETag"); tag != "" {
		own, _ := splitTag(tag)
		h.Set("ETag", own)
		suffixTag(h, mirrorSuffix)
	} else {
		sum := sha256.Sum256([]byte(text))
		h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+mirrorSuffix+`"`)
	}
	h.Del("Content-Encoding")
	h.Del("Content-Language")
	h.Del("Content-Security-Policy")
	h.Set("Content-Type", "text/markdown; charset=utf-8")
	if visit.plain {
		h.Set("Content-Type", "text/plain; charset=utf-8")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Markdown-Tokens", strconv.Itoa(v.o.Count(text)))
	h.Set("Link", "<"+visit.base+escaped(visit.page)+`>; rel="canonical"`)
	h.Add("Link", v.o.Links(visit.base))
	if v.o.Signal != "" {
		h.Set("Content-Signal", v.o.Signal)
	}
	if visit.secret || h.Get("Set-Cookie") != "" {
		h.Set("Cache-Control", "private, no-store")
	}
	if h.Get("Cache-Control") == "" && h.Get("Expires") == "" {
		h.Set("Cache-Control", "no-cache")
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	res.ContentLength = int64(len(text))
	res.Body = io.NopCloser(strings.NewReader(text))
}
