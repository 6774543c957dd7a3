package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// cache keeps answers under dir/raw: KEY.bin holds the body as received,
// KEY.meta the rest as readable key=value lines. The file clock of KEY.bin says
// how old an answer is. Another process may write at the same time: files
// appear whole, and a pair that does not belong together is no answer.
type cache struct {
	dir string
	now func() time.Time
	max int64 // bytes of all files; 0 is no bound

	unseen   atomic.Int64 // bytes written since the last look at all files
	trimming sync.Mutex
}

// entry is an answer as it came, without anything computed from it.
type entry struct {
	url, finalURL, contentType string
	status                     int
	etag, lastModified         string
	links, robots              []string
	redirects                  []Redirect
	fetchedAt                  time.Time
	private                    bool // came from outside the public internet
	body                       []byte

	written time.Time // by the file clock
}

// fresh tells whether an entry may be used without asking the server.
func (e *entry) fresh(ttl time.Duration, now time.Time) bool {
	age := now.Sub(e.written)
	return age < ttl && age > -time.Hour // a clock set back must not keep it for ever
}

// cacheKey is the sha256 of the URL; a request with headers of its own has its
// own answer.
func cacheKey(req Request, u *url.URL) string {
	h := sha256.New()
	h.Write([]byte(u.String()))
	if req.Accept != "" {
		fmt.Fprintf(h, "\naccept: %s", req.Accept)
	}
	names := make([]string, 0, len(req.Header))
	for name := range req.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(h, "\n%s: %q", strings.ToLower(name), req.Header[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (c *cache) path(key, ext string) string { return filepath.Join(c.dir, "raw", key+ext) }

// checkStart begins the last line of a description: the sha256 of all before it.
const checkStart = "check="

// checked cuts the last line off a description and tells whether it is right.
func checked(meta []byte) (described string, whole bool) {
	i := bytes.LastIndex(meta, []byte("\n"+checkStart))
	if i < 0 {
		return string(meta), false
	}
	sum := sha256.Sum256(meta[:i+1])
	return string(meta[:i+1]), string(meta[i+1:]) == checkStart+hex.EncodeToString(sum[:])+"\n"
}

// load returns the stored answer, or nil: without description, damaged, of an
// earlier version, or from a private network when that is not allowed now. A
// description made by hand needs no sums; an empty one is what a crash leaves.
func (c *cache) load(key string, allowPrivate bool) *entry {
	info, err := os.Stat(c.path(key, ".meta"))
	if err != nil || info.Size() > maxMetaBytes {
		return nil
	}
	meta, err := os.ReadFile(c.path(key, ".meta"))
	if err != nil {
		return nil
	}
	described, whole := checked(meta)
	e, sum, err := parseMeta(described)
	ours := sum != "" || len(described) < len(meta)
	if err != nil || len(meta) == 0 || ours && !whole || e.private && !allowPrivate {
		return nil
	}
	if e.body, err = os.ReadFile(c.path(key, ".bin")); err != nil {
		return nil
	}
	if got := sha256.Sum256(e.body); sum != "" && sum != hex.EncodeToString(got[:]) {
		return nil
	}
	if info, err = os.Stat(c.path(key, ".bin")); err != nil {
		return nil
	}
	e.written = info.ModTime()
	e.fetchedAt = e.written.UTC() // a confirmation moves the file clock only
	return e
}

// save writes the body first: until the description follows, the old one does
// not fit it and the pair is a miss.
func (c *cache) save(key string, e *entry) error {
	if err := os.MkdirAll(filepath.Join(c.dir, "raw"), 0o755); err != nil {
		return err
	}
	if err := c.write(key, ".bin", e.body); err != nil {
		return err
	}
	meta := e.meta()
	if err := c.write(key, ".meta", meta); err != nil {
		return err
	}
	return c.spent(len(e.body) + len(meta))
}

// renew marks an answer as confirmed now.
func (c *cache) renew(key string, e *entry) error {
	e.written = c.now()
	e.fetchedAt = e.written.UTC()
	return os.Chtimes(c.path(key, ".bin"), e.written, e.written)
}

func (c *cache) write(key, ext string, data []byte) error {
	f, err := os.CreateTemp(filepath.Join(c.dir, "raw"), key[:8]+"-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		now := c.now()
		err = errors.Join(os.Chtimes(f.Name(), now, now), os.Rename(f.Name(), c.path(key, ext)))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// meta describes an entry for people and for parseMeta.
func (e *entry) meta() []byte {
	var b bytes.Buffer
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s=%s\n", key, strings.NewReplacer("\r", " ", "\n", " ").Replace(value))
		}
	}
	sum := sha256.Sum256(e.body)
	line("sha256", hex.EncodeToString(sum[:])) // first: whatever is cut off has it
	line("url", e.url)
	line("final_url", e.finalURL)
	line("status", strconv.Itoa(e.status))
	line("content_type", e.contentType)
	line("etag", e.etag)
	line("last_modified", e.lastModified)
	line("fetched_at", e.fetchedAt.Format(time.RFC3339))
	if e.private {
		line("private", "true")
	}
	for _, v := range e.links {
		line("link", v)
	}
	for _, v := range e.robots {
		line("robots", v)
	}
	for _, r := range e.redirects {
		line("redirect", fmt.Sprintf("%d %s %s", r.Status, r.From, r.To))
	}
	check := sha256.Sum256(b.Bytes())
	line("check", hex.EncodeToString(check[:]))
	return b.Bytes()
}

// parseMeta reads a description. Absent fields have their defaults: status 200
// and empty text; a line that makes no sense spoils the whole.
func parseMeta(text string) (e *entry, sum string, err error) {
	e = &entry{status: 200}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		if !ok {
			return nil, "", fmt.Errorf("no key=value line: %q", line)
		}
		switch key {
		case "url":
			e.url = value
		case "final_url":
			e.finalURL = value
		case "status":
			e.status, err = strconv.Atoi(value)
		case "content_type":
			e.contentType = value
		case "etag":
			e.etag = value
		case "last_modified":
			e.lastModified = value
		case "fetched_at":
			e.fetchedAt, err = time.Parse(time.RFC3339, value)
		case "sha256":
			if sum = value; sum == "" {
				err = errors.New("a sum that was cut off")
			}
		case "check": // see checked
		case "private":
			e.private = value == "true"
		case "link":
			e.links = append(e.links, value)
		case "robots":
			e.robots = append(e.robots, value)
		case "redirect":
			var r Redirect
			_, err = fmt.Sscanf(value, "%d %s %s", &r.Status, &r.From, &r.To)
			e.redirects = append(e.redirects, r)
		}
		if err != nil {
			return nil, "", err
		}
	}
	return e, sum, nil
}
