package measure

// This file asks the site.

import (
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// answer is what came back.
type answer struct {
	status int
	kind   string // media type
	body   []byte
	url    string // after redirects
}

// get asks for a path or an address once; later calls give the same answer.
func (r *run) get(target, accept string) (answer, error) {
	key := accept + "\x00" + target
	if a, ok := r.kept[key]; ok {
		return a, nil
	}
	a, err := r.do(http.MethodGet, target, accept, "")
	if err == nil {
		r.kept[key] = a
	}
	return a, err
}

func (r *run) do(method, target, accept, body string) (answer, error) {
	if strings.HasPrefix(target, "/") {
		target = r.base.String() + target
	}
	q, err := http.NewRequestWithContext(r, method, target, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if accept != "" {
		q.Header.Set("Accept", accept)
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	r.asked++
	res, err := r.client.Do(q)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return answer{}, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")) // "" when unreadable
	return answer{res.StatusCode, kind, data, res.Request.URL.String()}, nil
}

// good asks for a document that is to be there.
func (r *run) good(target, accept string) (answer, bool) {
	a, err := r.get(target, accept)
	return a, err == nil && a.status == http.StatusOK
}

func itoa(n int) string { return strconv.Itoa(n) }

// ratio is a / b with three decimals, 0 for nothing.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(int(float64(a)/float64(b)*1000+0.5)) / 1000
}
