package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"evergreen"
	"evergreen/internal/charset"
)

// receive reads the final answer of a chain, puts it into the cache and makes
// the result.
func (e *exchange) receive(answer *http.Response, u *url.URL, t *trail) (*Result, error) {
	defer answer.Body.Close()
	c := e.client
	if answer.StatusCode == http.StatusNotModified && e.stored != nil {
		return e.renewed()
	}
	got := &entry{
		url: e.first.String(), finalURL: u.String(), status: answer.StatusCode,
		contentType: answer.Header.Get("Content-Type"),
		etag:        answer.Header.Get("ETag"), lastModified: answer.Header.Get("Last-Modified"),
		links: answer.Header.Values("Link"), robots: answer.Header.Values("X-Robots-Tag"),
		redirects: t.hops, fetchedAt: c.opts.Now().UTC(), private: t.private,
	}
	media := mediaType(got.contentType)
	if e.req.AnyType || media == "" || acceptedType(media) || untypedType(media) {
		var err error
		if got.body, err = readBody(answer, c.opts.MaxBytes); err != nil {
			return nil, err
		}
	} else if success(got.status) {
		return nil, refusedType(got.contentType, "is not read")
	}
	r, err := e.result(got)
	if err != nil {
		return nil, err
	}
	r.Location = t.refused
	if r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable {
		r.RetryAfter = retryAfter(answer.Header, c.opts.Now())
	}
	if c.cache != nil && storable(answer) {
		// An answer that cannot be kept is still an answer.
		_ = c.cache.save(e.key, got)
	}
	return r, nil
}

// storable tells which answers are kept: those that say what is there or that
// nothing is. A refusal or failure would hide the page from the next run.
func storable(answer *http.Response) bool {
	for directive := range strings.SplitSeq(answer.Header.Get("Cache-Control"), ",") {
		if strings.EqualFold(strings.TrimSpace(directive), "no-store") {
			return false
		}
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusNonAuthoritativeInfo, http.StatusNotFound, http.StatusGone:
		return true
	}
	return false
}

func success(status int) bool { return status >= 200 && status < 300 }

// renewed takes the stored answer that the server has just confirmed.
func (e *exchange) renewed() (*Result, error) {
	_ = e.client.cache.renew(e.key, e.stored)
	return e.fromCache()
}

// usable drops a stored answer that this request would not have got: too large
// now, or by way of a redirect that it does not want.
func (e *exchange) usable(stored *entry) *entry {
	if stored == nil || int64(len(stored.body)) > e.client.opts.MaxBytes {
		return nil
	}
	for _, hop := range stored.redirects {
		to, err := url.Parse(hop.To)
		if err != nil || e.req.Hop != nil && !e.req.Hop(to) {
			return nil
		}
	}
	return stored
}

func (e *exchange) fromCache() (*Result, error) {
	r, err := e.result(e.stored)
	if err != nil {
		return nil, err
	}
	r.FromCache = true
	return r, nil
}

// result judges and decodes an answer, fresh or stored.
func (e *exchange) result(got *entry) (*Result, error) {
	r := &Result{
		URL: e.first.String(), FinalURL: got.finalURL, Status: got.status, ContentType: got.contentType,
		Redirects: got.redirects, Bytes: len(got.body), Body: got.body, ETag: got.etag, LastModified: got.lastModified,
		Links: got.links, RobotsTag: got.robots, FetchedAt: got.fetchedAt,
	}
	if r.FinalURL == "" {
		r.FinalURL = r.URL
	}
	if r.Redirects == nil {
		r.Redirects = []Redirect{}
	}
	if e.req.AnyType || len(got.body) == 0 && got.contentType == "" {
		return r, nil
	}
	urlPath := ""
	if u, err := url.Parse(got.finalURL); err == nil {
		urlPath = u.Path
	}
	contentType, text, err := judge(got.contentType, urlPath, got.body)
	switch {
	case err != nil && success(got.status):
		return nil, err
	case err != nil:
		r.Body = nil // an error page that nobody can read
		return r, nil
	}
	r.ContentType = contentType
	if text {
		media := r.MediaType()
		html := media == "text/html" || media == "application/xhtml+xml"
		r.Body, r.Charset, r.CharsetWarning = charset.Decode(got.body, got.contentType, html)
	}
	if e.client.opts.Platform != nil {
		r.Platform = e.client.opts.Platform(r.FinalURL, r.MediaType(), r.Body)
	}
	return r, nil
}

// errTooLarge is told by a reader that has passed its limit.
var errTooLarge = errors.New("larger than allowed")

// limited reads at most left bytes and fails on the first one beyond.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n, errTooLarge
	}
	return n, err
}

// readBody reads and unpacks a body. All its forms are bounded, so that neither
// an endless body nor a bomb costs more than the limit.
func readBody(answer *http.Response, most int64) ([]byte, error) {
	tooLarge := evergreen.Errorf(evergreen.TooLarge, "%s is larger than %d bytes", answer.Request.URL.Redacted(), most).
		Fix("Allow more with --max-bytes.")
	if answer.ContentLength > most {
		return nil, tooLarge
	}
	unpacked, err := unpack(answer.Body, most, answer.Header.Get("Content-Encoding"))
	if errors.Is(err, io.EOF) {
		return nil, nil // no body at all
	}
	var body []byte
	if err == nil {
		body, err = io.ReadAll(unpacked)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, tooLarge
	case damaged(err):
		return nil, evergreen.Errorf(evergreen.Upstream, "%s sent a damaged body: %w", answer.Request.URL.Redacted(), err)
	}
	return body, err
}

// damaged tells broken compression from a broken connection.
func damaged(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrChecksum) || errors.As(err, &corrupt)
}

// unpack undoes content codings, the last applied first. None of the forms may
// be longer than most: what one coding hides in another costs time to unpack,
// however little comes out.
func unpack(r io.Reader, most int64, codings string) (io.Reader, error) {
	r = &limited{r, most}
	list := strings.Split(strings.ToLower(codings), ",")
	if len(list) > 2 {
		return nil, evergreen.Errorf(evergreen.Upstream, "content coding %q is not undone", codings)
	}
	for i := len(list) - 1; i >= 0; i-- {
		var err error
		switch coding := strings.TrimSpace(list[i]); coding {
		case "", "identity":
			continue
		case "gzip", "x-gzip":
			r, err = gzip.NewReader(r)
		case "deflate":
			r, err = inflate(r)
		default:
			return nil, evergreen.Errorf(evergreen.Upstream, "content coding %q was not asked for", coding)
		}
		if err != nil {
			return nil, err
		}
		r = &limited{r, most}
	}
	return r, nil
}

// inflate reads zlib data, or raw deflate data, which some servers send.
func inflate(r io.Reader) (io.Reader, error) {
	var head [2]byte
	n, err := io.ReadFull(r, head[:])
	if n == 0 {
		return nil, err
	}
	whole := io.MultiReader(bytes.NewReader(head[:n]), r)
	if n == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(whole)
	}
	return flate.NewReader(whole), nil
}
