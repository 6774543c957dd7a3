package crawl

import (
	"net/url"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/net/publicsuffix"
)

// scope is the part of a host that a crawl covers.
type scope struct {
	scheme, host string
	folder       string // escaped path with its final slash
}

// newScope takes the folder of a URL. A last segment without extension may be a
// page or a folder ("/docs"): it is a folder when something lies below it.
func newScope(u *url.URL, found []*url.URL) scope {
	s := scope{scheme: u.Scheme, host: u.Host, folder: u.RawPath[:strings.LastIndexByte(u.RawPath, '/')+1]}
	if !strings.HasSuffix(u.RawPath, "/") && !hasExtension(u.RawPath) {
		below := scope{s.scheme, s.host, u.RawPath + "/"}
		for _, f := range found {
			if f.Host == u.Host && strings.HasPrefix(f.RawPath, below.folder) && f.RawPath != below.folder {
				return below
			}
		}
	}
	return s
}

func (s scope) String() string { return s.scheme + "://" + s.host + s.folder }

// own reads a link to the scope's host over the other scheme as a link over the
// scope's own.
func (s scope) own(u *url.URL) *url.URL {
	if u.Host != s.host || u.Scheme == s.scheme {
		return u
	}
	same := *u
	same.Scheme = s.scheme
	return &same
}

func (s scope) contains(u *url.URL) bool {
	return u.Host == s.host && (strings.HasPrefix(u.RawPath, s.folder) || u.RawPath+"/" == s.folder)
}

// sameSite tells whether a redirect of the seed stays with the same owner: the
// same host, or the same registrable domain.
func sameSite(a, b *url.URL) bool {
	if a.Hostname() == b.Hostname() {
		return true
	}
	x, errX := publicsuffix.EffectiveTLDPlusOne(a.Hostname())
	y, errY := publicsuffix.EffectiveTLDPlusOne(b.Hostname())
	return errX == nil && errY == nil && x == y
}

// excluded tells whether the globs leave a page out. A pattern may be written
// for the whole path or for what follows the scope's folder.
func (s scope) excluded(u *url.URL, include, exclude []string) bool {
	whole := strings.Trim(u.Path, "/")
	folder, _ := url.PathUnescape(s.folder)
	below := strings.Trim(strings.TrimPrefix(u.Path, folder), "/")
	matches := func(patterns []string) bool {
		for _, p := range patterns {
			p = strings.TrimPrefix(p, "/")
			if ok, _ := doublestar.Match(p, whole); ok {
				return true
			}
			if ok, _ := doublestar.Match(p, below); ok {
				return true
			}
		}
		return false
	}
	return matches(exclude) || len(include) > 0 && !matches(include)
}

// isAsset tells whether a path names something that is no page for certain:
// pictures, fonts, media, archives, and the files that speak about the site.
// Endings that are also names ("node.js", "System.Xml") are fetched and judged.
func isAsset(p string) bool {
	switch path.Base(p) {
	case "robots.txt", "llms.txt", "llms-full.txt", "ai.txt", "security.txt", "sitemap.xml":
		return true
	}
	switch strings.ToLower(strings.TrimPrefix(path.Ext(p), ".")) {
	case "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "tif", "tiff", "psd",
		"css", "woff", "woff2", "ttf", "otf", "eot",
		"zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "jar", "whl", "deb", "rpm", "dmg", "exe", "msi", "iso", "apk",
		"mp3", "mp4", "m4a", "m4v", "webm", "ogg", "ogv", "wav", "mov", "avi",
		"docx", "xls", "xlsx", "pptx", "odt", "epub", "mobi":
		return true
	}
	return false
}

// hasExtension tells a file name from a folder name that holds a dot ("v1.2").
func hasExtension(p string) bool {
	ext := path.Ext(p)
	return len(ext) > 1 && len(ext) <= 6 && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// repeats tells a path that grows by a relative link leading into itself.
func repeats(p string) bool {
	count := map[string]int{}
	for _, s := range strings.Split(p, "/") {
		if s == "" {
			continue
		}
		if count[s]++; count[s] > maxRepeats {
			return true
		}
	}
	return false
}
