package sitemap

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html/charset"
)

// Parse reads one sitemap found at the URL base, against which relative
// locations are resolved. Data compressed with gzip is recognised by its first
// bytes, whatever name or header it came with. A broken file yields what stood
// before the break; an error means that data is no sitemap at all.
func Parse(data []byte, base string) (*Sitemap, error) {
	s := &Sitemap{}
	data, err := s.unpack(data)
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("sitemap: base URL: %w", err)
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	switch {
	case len(text) == 0:
		return nil, errors.New("sitemap: the file is empty")
	case text[0] == '<' || isUTF16(data):
		err = s.readXML(text, at)
	default:
		err = s.readText(text, at)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// unpack undoes gzip, also twice: a file.xml.gz sent with a content coding that
// nobody undid.
func (s *Sitemap) unpack(data []byte) ([]byte, error) {
	for range 2 {
		if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
			break
		}
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("sitemap: gzip: %w", err)
		}
		data, err = io.ReadAll(io.LimitReader(zr, MaxBytes+1))
		if err != nil {
			if len(data) == 0 {
				return nil, fmt.Errorf("sitemap: gzip: %w", err)
			}
			s.tell("the compressed data is damaged: %v", err)
		}
	}
	if len(data) > MaxBytes {
		data = data[:MaxBytes]
		s.tell("larger than %d MiB: the rest is not read", MaxBytes>>20)
	}
	return data, nil
}

func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\xff\xfe"))
}

// readXML walks the tokens instead of decoding into structs, so that what
// stands before a syntax error is kept.
func (s *Sitemap) readXML(data []byte, base *url.URL) error {
	var input io.Reader = bytes.NewReader(data)
	if isUTF16(data) {
		var err error
		if input, err = charset.NewReaderLabel("utf-16", input); err != nil {
			return fmt.Errorf("sitemap: %w", err)
		}
	}
	d := xml.NewDecoder(input)
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if isUTF16(data) {
			return r, nil // decoded already
		}
		return charset.NewReaderLabel(label, r)
	}
	r := xmlReader{sitemap: s, base: base}
	for !s.full {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			if r.root == "" {
				return fmt.Errorf("sitemap: %w", err)
			}
			s.tell("broken XML: %v", err)
			break
		}
		if err := r.take(token); err != nil {
			return err
		}
	}
	if r.root == "" {
		return errors.New("sitemap: the file holds no element")
	}
	return nil
}

// xmlReader follows the path of open elements: only a loc or lastmod directly
// in url or sitemap counts, not those of image and video extensions.
type xmlReader struct {
	sitemap *Sitemap
	base    *url.URL
	root    string
	path    []string
	page    Page
	text    strings.Builder
}

func (r *xmlReader) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		name := strings.ToLower(t.Name.Local)
		if r.root == "" {
			switch name {
			case "urlset":
			case "sitemapindex":
				r.sitemap.Index = true
			default:
				return fmt.Errorf("sitemap: the file is no sitemap but <%s>", name)
			}
			r.root = name
		}
		r.path = append(r.path, name)
		r.text.Reset()
	case xml.CharData:
		r.text.Write(t)
	case xml.EndElement:
		if len(r.path) > 0 {
			r.end()
			r.path = r.path[:len(r.path)-1]
		}
	}
	return nil
}

func (r *xmlReader) end() {
	depth := len(r.path)
	value := strings.TrimSpace(r.text.String())
	switch name := r.path[depth-1]; {
	case depth == 3 && name == "loc":
		r.page.Loc = value
	case depth == 3 && name == "lastmod":
		r.page.LastMod = value
	case depth == 2 && (name == "url" || name == "sitemap"):
		r.sitemap.add(r.page, r.base)
		r.page = Page{}
	}
	r.text.Reset()
}

// readText reads one URL a line.
func (s *Sitemap) readText(data []byte, base *url.URL) error {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if s.full {
			break
		}
		if !strings.HasPrefix(line, "http://") && !strings.HasPrefix(line, "https://") && line[0] != '/' {
			s.tell("%q is no URL", clip(line))
			continue
		}
		s.add(Page{Loc: line}, base)
	}
	if len(s.Pages) == 0 {
		return errors.New("sitemap: the file is neither XML nor a list of URLs")
	}
	return nil
}

// add resolves the page's location and keeps it when it is a web address.
func (s *Sitemap) add(p Page, base *url.URL) {
	if p.Loc == "" {
		s.tell("an entry without location")
		return
	}
	u, err := base.Parse(p.Loc)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		s.tell("%q is no web address", clip(p.Loc))
		return
	}
	if len(s.Pages) == MaxURLs {
		s.full = true
		s.tell("more than %d locations: the rest is not read", MaxURLs)
		return
	}
	p.Loc = u.String()
	s.Pages = append(s.Pages, p)
}

// clip shortens foreign text for a message.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
