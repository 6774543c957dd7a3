package overlay

// This file keeps validators apart: a page with our links and its mirror are
// other bytes than what the origin vouches for, so their ETags carry a suffix,
// which the origin never sees.

import (
	"net/http"
	"strconv"
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

// vouch gives a page without ETag one of its last change and its length, as file
// servers make them.
func vouch(res *http.Response) {
	changed, err := http.ParseTime(res.Header.Get("Last-Modified"))
	if res.Header.Get("ETag") != "" || err != nil || res.ContentLength < 0 {
		return
	}
	res.Header.Set("ETag", `"`+strconv.FormatInt(changed.Unix(), 16)+"-"+strconv.FormatInt(res.ContentLength, 16)+`"`)
}

// unchanged turns an answer that the visitor has already into a 304, where the
// origin does not know the tag or takes none.
func unchanged(res *http.Response, visit *visit) {
	tag := res.Header.Get("ETag")
	if res.StatusCode != http.StatusOK || tag == "" {
		return
	}
	for asked := range strings.SplitSeq(visit.asked, ",") {
		if strings.TrimPrefix(strings.TrimSpace(asked), "W/") != strings.TrimPrefix(tag, "W/") {
			continue
		}
		_ = res.Body.Close() // nothing of it is sent
		res.StatusCode, res.Status = http.StatusNotModified, ""
		res.Body, res.ContentLength = http.NoBody, 0
		res.Header.Del("Content-Length")
		res.Header.Del("Content-Type")
		res.Header.Del("Content-Encoding")
		return
	}
}
