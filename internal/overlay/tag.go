package overlay

// This file keeps validators apart: a page with our links and its mirror are
// other bytes than what the origin vouches for, so their ETags carry a suffix,
// which the origin never sees.

import (
	"net/http"
	"strings"
)

const (
	pageSuffix   = "-evergreen"
	mirrorSuffix = "-evergreen-md"
)

// validators tells what If-None-Match named, by the origin's own tags.
type validators struct {
	suffixed map[string]string // origin's tag to our suffix
}

// readTags takes our suffixes off If-None-Match. Tags of the other form of a
// page are dropped: they say nothing about this one.
func readTags(h http.Header, mirror bool) validators {
	tags := validators{suffixed: map[string]string{}}
	named := joined(h.Values("If-None-Match"))
	if named == "" || strings.TrimSpace(named) == "*" {
		return tags
	}
	var kept []string
	for tag := range strings.SplitSeq(named, ",") {
		own, suffix := splitTag(strings.TrimSpace(tag))
		switch {
		case own == "" || mirror != (suffix == mirrorSuffix):
			continue
		case suffix != "":
			tags.suffixed[strings.TrimPrefix(own, "W/")] = suffix
		}
		kept = append(kept, own)
	}
	if h.Del("If-None-Match"); len(kept) > 0 {
		h.Set("If-None-Match", strings.Join(kept, ", "))
	} else {
		h.Del("If-Modified-Since") // it was meant to yield to the tags
	}
	return tags
}

// splitTag takes our suffix off a tag.
func splitTag(tag string) (own, suffix string) {
	for _, suffix := range []string{mirrorSuffix, pageSuffix} {
		if own, ok := strings.CutSuffix(tag, suffix+`"`); ok {
			return own + `"`, suffix
		}
	}
	return tag, ""
}

// suffixTag marks the answer's tag as that of our bytes.
func suffixTag(h http.Header, suffix string) {
	if tag := h.Get("ETag"); strings.HasSuffix(tag, `"`) && len(tag) > 1 {
		h.Set("ETag", tag[:len(tag)-1]+suffix+`"`)
	}
}

// restore gives a 304 the tag by which the visitor knows what it has.
func (t validators) restore(h http.Header) {
	if suffix, ok := t.suffixed[strings.TrimPrefix(h.Get("ETag"), "W/")]; ok {
		suffixTag(h, suffix)
	}
}
