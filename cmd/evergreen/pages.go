package main

// This file gets pages for the commands that turn one page into something
// else: from the web, a file or standard input.

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/charset"
	"evergreen/internal/config"
	"evergreen/internal/fetch"
	"evergreen/internal/platform"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// isURL tells an argument that names something on the web from a path.
func isURL(arg string) bool { return strings.Contains(arg, "://") }

// durationFlag takes 30s or bare milliseconds, as settings do.
type durationFlag time.Duration

func (d *durationFlag) String() string { return time.Duration(*d).String() }
func (d *durationFlag) Type() string   { return "duration" }

// Set reads a duration.
func (d *durationFlag) Set(text string) error {
	v, err := config.ParseDuration(text)
	if err != nil {
		return usage("must be a duration such as 30s or 1500 (milliseconds)")
	}
	*d = durationFlag(v)
	return nil
}

// fetchFlags say how a page is fetched.
type fetchFlags struct {
	maxBytes     int64
	timeout, ttl durationFlag
	retries      int
	allowPrivate bool
	header       []string
}

func (f *fetchFlags) define(flags *pflag.FlagSet) {
	f.timeout, f.ttl = durationFlag(fetch.DefaultTimeout), durationFlag(fetch.DefaultCacheTTL)
	flags.Int64Var(&f.maxBytes, "max-bytes", fetch.DefaultMaxBytes, "most bytes of the body, also unpacked")
	flags.Var(&f.timeout, "timeout", "longest time for the whole answer, such as 30s or 1500 (milliseconds)")
	flags.IntVar(&f.retries, "retries", fetch.DefaultRetries, "further attempts when the network fails")
	flags.Var(&f.ttl, "cache-ttl", "use a stored answer that is not older than this; 0 always asks")
	flags.BoolVar(&f.allowPrivate, "allow-private", false, "reach addresses that are not public")
	headerFlag(flags, &f.header)
	proxyFlag(flags)
}

// proxyFlag defines --proxy.
func proxyFlag(flags *pflag.FlagSet) {
	setting(flags, "proxy", "fetch.proxy", "fetch web pages through the HTTP proxy at `URL`")
}

// headerFlag defines --header.
func headerFlag(flags *pflag.FlagSet, lines *[]string) {
	flags.StringArrayVar(lines, "header", nil, "send `'KEY: VALUE'` to the address's own host; may be repeated")
}

// readHeader reads 'Key: Value' lines.
func readHeader(lines []string) (http.Header, error) {
	h := http.Header{}
	for _, line := range lines {
		key, value, ok := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if !ok || key == "" || strings.ContainsAny(key, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
			return nil, usage("--header %q is no header", line).Fix("write it as --header 'Key: Value'")
		}
		h.Add(key, strings.TrimSpace(value))
	}
	return h, nil
}

// get fetches a URL. Answers are kept where crawls keep theirs.
func (f *fetchFlags) get(a *app, cmd *cobra.Command, url string) (*fetch.Result, error) {
	header, err := readHeader(f.header)
	switch {
	case err != nil:
		return nil, err
	case f.maxBytes < 1:
		return nil, usage("--max-bytes must be above 0, not %d", f.maxBytes)
	case f.timeout < 1:
		return nil, usage("--timeout must be above 0")
	case f.retries < 0:
		return nil, usage("--retries must not be negative, not %d", f.retries)
	}
	s, err := a.settings(cmd)
	if err != nil {
		return nil, err
	}
	o := fetch.Defaults()
	o.MaxBytes, o.Timeout, o.Retries = f.maxBytes, time.Duration(f.timeout), f.retries
	o.AllowPrivate, o.CacheDir, o.CacheTTL = f.allowPrivate, filepath.Join(s.Library, "cache"), time.Duration(f.ttl)
	o.Proxy = s.Fetch.ProxyURL()
	o.Platform = func(finalURL, mediaType string, text []byte) string {
		if !isHTML(mediaType) {
			return ""
		}
		return platform.DetectHTML(text, finalURL)
	}
	client := fetch.New(o)
	defer client.CloseIdle()
	return client.Get(cmd.Context(), fetch.Request{URL: url, Header: header})
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

// page is HTML in UTF-8 and where it came from.
type page struct {
	html []byte
	url  string // "" of a file
}

// page reads an argument: a URL, a file, or "-" for standard input.
func (f *fetchFlags) page(a *app, cmd *cobra.Command, arg string) (page, error) {
	if !isURL(arg) {
		data, err := a.readInput(arg, maxInputBytes)
		if err != nil {
			return page{}, err
		}
		text, _, warning := charset.Decode(data, "", true)
		if warning != "" {
			a.say(arg + ": " + warning)
		}
		return page{html: text}, nil
	}
	r, err := f.get(a, cmd, arg)
	switch {
	case err != nil:
		return page{}, err
	case r.Status >= http.StatusBadRequest:
		return page{}, evergreen.Errorf(evergreen.Upstream, "%s answers with status %d", r.FinalURL, r.Status).
			Fix("look at the answer with: evergreen fetch %s", arg)
	case !isHTML(r.MediaType()):
		return page{}, evergreen.Errorf(evergreen.Invalid, "%s is %s, not HTML", r.FinalURL, r.MediaType()).
			Fix("print it as it is with: evergreen fetch %s", arg)
	}
	if r.CharsetWarning != "" {
		a.say(r.FinalURL + ": " + r.CharsetWarning)
	}
	return page{r.Body, r.FinalURL}, nil
}

// input opens a file, or standard input for "-".
func (a *app) input(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.stdin), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.NotFound, "%w", err)
	}
	return f, nil
}

// readInput reads a whole input of at most limit bytes.
func (a *app) readInput(name string, limit int64) ([]byte, error) {
	in, err := a.input(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(in, limit+1))
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "read %s: %w", name, err)
	}
	if n > limit {
		return nil, evergreen.Errorf(evergreen.TooLarge, "%s is larger than %d bytes", name, limit)
	}
	return b.Bytes(), nil
}
