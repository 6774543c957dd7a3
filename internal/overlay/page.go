package overlay

// This file puts the links into a page: into the stream as it comes, changing
// no other byte, so that pages that are sent in pieces arrive in pieces.

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page sends an answer to who asked for a page.
func (v *Overlay) page(res *http.Response, visit *visit, isPage bool) error {
	if res.StatusCode == http.StatusNotModified {
		visit.tags.restore(res.Header)
		addVary(res.Header)
		return nil
	}
	if !isPage {
		return nil
	}
	addVary(res.Header)
	if res.StatusCode != http.StatusOK || res.ContentLength > maxPageBytes || fixed(res.Header) {
		return nil
	}
	vouch(res)
	careful(res.Header, visit)
	res.Header.Add("Link", "<"+visit.base+escaped(mirrorOf(visit.page))+`>; rel="alternate"; type="text/markdown"`)
	res.Header.Add("Link", v.o.Links(visit.base))
	if wide(res.Header) || !known(res.Header) {
		return nil // the links in the header must do
	}
	if res.Request.Method == http.MethodHead {
		changed(res.Header)
		return nil
	}
	return v.inject(res, visit)
}

// careful sets what a page should say and the origin leaves out: that its type
// holds, and that nobody keeps it without asking again.
func careful(h http.Header, visit *visit) {
	h.Set("X-Content-Type-Options", "nosniff")
	if h.Get("Cache-Control") != "" || h.Get("Expires") != "" {
		return
	}
	h.Set("Cache-Control", "no-cache")
	if visit.secret || h.Get("Set-Cookie") != "" {
		h.Set("Cache-Control", "private, no-cache")
	}
}

// fixed reports whether the origin forbids every change (RFC 9111, 5.2.2.6).
func fixed(h http.Header) bool {
	return strings.Contains(strings.ToLower(joined(h.Values("Cache-Control"))), "no-transform")
}

// known reports whether the content coding is one that can be undone here.
func known(h http.Header) bool {
	switch strings.ToLower(h.Get("Content-Encoding")) {
	case "", "identity", "gzip", "x-gzip":
		return true
	}
	return false
}

// wide reports whether the page declares a coding of characters in which ASCII
// is not ASCII, so that no plain bytes may be put in.
func wide(h http.Header) bool {
	_, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	label := strings.ToLower(parameters["charset"])
	return err == nil && (strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "utf-32") || label == "utf-7")
}

// changed takes off the headers that hold for the origin's bytes only.
func changed(h http.Header) {
	for _, name := range []string{"Content-Length", "Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest"} {
		h.Del(name)
	}
	suffixTag(h, pageSuffix)
}

// inject puts the links into the page's stream.
func (v *Overlay) inject(res *http.Response, visit *visit) error {
	zipped := res.Header.Get("Content-Encoding") != "" && !strings.EqualFold(res.Header.Get("Content-Encoding"), "identity")
	raw := res.Body
	taken := &bytes.Buffer{} // what was read of raw, to be sent as it is when nothing is found
	var text io.Reader = io.TeeReader(raw, taken)
	if zipped {
		unzipped, err := gzip.NewReader(text)
		if err != nil {
			res.Body = rest(taken, raw)
			return nil // not what it says it is: none of our business
		}
		text = unzipped
	}
	head, ok := v.begin(text, visit)
	if !ok {
		res.Body = rest(taken, raw)
		return nil
	}
	length := res.ContentLength
	changed(res.Header)
	res.ContentLength = -1
	if !zipped {
		res.Body = rest(bytes.NewBuffer(head.bytes), raw)
		if length >= 0 {
			res.ContentLength = length + int64(head.added)
			res.Header.Set("Content-Length", strconv.FormatInt(res.ContentLength, 10))
		}
		return nil
	}
	text = io.MultiReader(bytes.NewReader(head.bytes), text)
	if visit.zipped {
		res.Body = zip(text, raw)
		return nil
	}
	res.Header.Del("Content-Encoding")
	res.Body = readCloser{text, raw}
	return nil
}

// head is the begin of a page with the links in it, as far as it was read.
type head struct {
	bytes []byte
	added int
}

// begin reads a page up to the begin of its body and puts the links in. ok is
// false when there is no such place, or it is too far in.
func (v *Overlay) begin(text io.Reader, visit *visit) (h head, ok bool) {
	read := &bytes.Buffer{}
	z := html.NewTokenizer(io.TeeReader(text, read))
	z.SetMaxBuf(maxHeadBytes)
	var f finder
	for at := 0; at <= maxHeadBytes; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return head{}, false
		}
		size := len(z.Raw())
		f.token(z, kind, at, size)
		at += size
		if f.wide {
			return head{}, false
		}
		if f.body < 0 || !f.done {
			continue
		}
		links, pointer := v.links(visit, f), v.pointer(visit)
		all := read.Bytes()
		out := make([]byte, 0, len(all)+len(links)+len(pointer))
		out = append(append(out, all[:f.headEnd]...), links...)
		out = append(append(out, all[f.headEnd:f.body]...), pointer...)
		return head{append(out, all[f.body:]...), len(links) + len(pointer)}, true
	}
	return head{}, false
}

// finder looks for the end of the head and the begin of the body.
type finder struct {
	headEnd, body int // offsets; links go before the first, the pointer before the second
	started       bool
	done          bool
	wide          bool // made of 16-bit characters, or of frames: nothing can be put in
	alternate     bool // the page links to a Markdown form of its own
	describedby   bool
	inside        atom.Atom // element whose text is no text of the body
}

// token takes the next token, which stands at [at, at+size).
func (f *finder) token(z *html.Tokenizer, kind html.TokenType, at, size int) {
	if !f.started {
		f.started, f.headEnd, f.body = true, -1, -1
		if raw := z.Raw(); bytes.IndexByte(raw, 0) >= 0 || bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
			f.wide = true
			return
		}
	}
	switch kind {
	case html.TextToken:
		if f.inside == 0 && len(bytes.TrimSpace(bytes.TrimPrefix(z.Raw(), []byte("\xef\xbb\xbf")))) > 0 {
			f.implied(at)
		}
		return
	case html.StartTagToken, html.SelfClosingTagToken:
	case html.EndTagToken:
		name, _ := z.TagName()
		switch a := atom.Lookup(name); a {
		case atom.Head:
			f.headEnd = at
		case f.inside:
			f.inside = 0
		}
		return
	default:
		return // comments and doctypes stand anywhere
	}
	name, attributes := z.TagName()
	switch a := atom.Lookup(name); a {
	case atom.Html, atom.Head, atom.Meta, atom.Base:
	case atom.Link:
		f.link(z, attributes)
	case atom.Title, atom.Script, atom.Style, atom.Noscript, atom.Template:
		if kind == html.StartTagToken {
			f.inside = a
		}
	case atom.Frameset:
		f.wide = true
	case atom.Body:
		if f.headEnd < 0 {
			f.headEnd = at
		}
		f.body, f.done = at+size, true
	default:
		if f.inside == 0 {
			f.implied(at)
		}
	}
}

// implied begins the body without a tag for it.
func (f *finder) implied(at int) {
	if f.headEnd < 0 {
		f.headEnd = at
	}
	f.body, f.done = at, true
}

// link sees what the page links to by itself.
func (f *finder) link(z *html.Tokenizer, more bool) {
	var rel, kind string
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "rel":
			rel = strings.ToLower(string(value))
		case "type":
			kind = strings.ToLower(string(value))
		}
	}
	f.alternate = f.alternate || strings.Contains(rel, "alternate") && strings.HasPrefix(kind, "text/markdown")
	f.describedby = f.describedby || strings.Contains(rel, "describedby")
}

// links are the link elements, in ASCII, so that they mean the same in every
// coding of characters that pages use.
func (v *Overlay) links(visit *visit, f finder) string {
	var b strings.Builder
	if !f.alternate {
		b.WriteString(`<link rel="alternate" type="text/markdown" href="` + html.EscapeString(visit.base+escaped(mirrorOf(visit.page))) + "\">\n")
	}
	if !f.describedby {
		b.WriteString(`<link rel="describedby" type="text/markdown" href="` + html.EscapeString(visit.base) + "/llms.txt\">\n")
	}
	return b.String()
}

// pointer is what stands first in the body.
func (v *Overlay) pointer(visit *visit) string {
	return `<p><a href="` + html.EscapeString(visit.base) + `/llms.txt">/llms.txt</a>: index of this site for agents. <a href="` +
		html.EscapeString(visit.base+escaped(mirrorOf(visit.page))) + `">This page as Markdown</a></p>` + "\n"
}

type readCloser struct {
	io.Reader
	io.Closer
}

// rest is what was read and what is still to come.
func rest(read *bytes.Buffer, raw io.ReadCloser) io.ReadCloser {
	return readCloser{io.MultiReader(read, raw), raw}
}

// zip packs a text as it comes: what one read gives is flushed at once.
func zip(text io.Reader, raw io.Closer) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		packed := gzip.NewWriter(in)
		buffer := make([]byte, 32<<10)
		for {
			n, err := text.Read(buffer)
			if n > 0 {
				if _, err := packed.Write(buffer[:n]); err != nil {
					return // the visitor is gone
				}
				if err := packed.Flush(); err != nil {
					return
				}
			}
			if err == io.EOF {
				in.CloseWithError(packed.Close())
				return
			}
			if err != nil {
				in.CloseWithError(err)
				return
			}
		}
	}()
	return &piped{out, raw}
}

// piped ends both the packing and what is packed.
type piped struct {
	*io.PipeReader
	raw io.Closer
}

func (p *piped) Close() error {
	err := p.PipeReader.Close()
	if rawErr := p.raw.Close(); err == nil {
		err = rawErr
	}
	return err
}

// addVary says that the answer depends on what the client takes.
func addVary(h http.Header) {
	have := strings.ToLower(joined(h.Values("Vary")))
	for _, name := range []string{"Accept", "Accept-Encoding"} {
		named := false
		for field := range strings.SplitSeq(have, ",") {
			field = strings.TrimSpace(field)
			named = named || field == "*" || field == strings.ToLower(name)
		}
		if !named {
			h.Add("Vary", name)
		}
	}
}

func mediaType(res *http.Response) string {
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")) // "" when unreadable
	return media
}
