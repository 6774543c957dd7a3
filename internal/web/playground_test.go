package web

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"evergreen"
)

func TestQuestionsOnTheHomePageAreAnswered(t *testing.T) {
	f := &fakeEngine{}
	s := newServer(f)
	first := ask(s, "GET", "/", "Accept: text/html")
	if text := body(t, first); strings.Contains(text, "asked") || first.Header.Get("X-Robots-Tag") != "" || first.Header.Get("Vary") != "Accept, Accept-Language, Accept-Encoding" {
		t.Errorf("first visit: %v\n%s", first.Header, text)
	}
	for target, want := range map[string]string{
		"/?topic=%E5%B9%BB%E8%A7%89+a%2Bb": `asked "幻觉 a+b" 2000: `,
		"/?topic=a&budget=9":               `asked "a" 200: `,
		"/?topic=a&budget=90000":           `asked "a" 8000: `,
		"/?topic=a&budget=abc":             "refused: budget must be a whole number",
		"/?topic=a&mode=fuzzy&limit=0":     "refused: ",
		"/?topic=+":                        "Example",
	} {
		r := ask(s, "GET", target, "Accept: text/html")
		if text := body(t, r); r.StatusCode != 200 || r.Header.Get("X-Robots-Tag") != "noindex" ||
			!strings.Contains(text, want) && target != "/?topic=+" || target == "/?topic=+" && strings.Contains(text, "asked") {
			t.Errorf("%s: %d %v\n%s", target, r.StatusCode, r.Header, text)
		}
		if r.Header.Get("Content-Security-Policy") == "" || !strings.Contains(r.Header.Get("Link"), `rel="alternate"`) {
			t.Errorf("%s: %v", target, r.Header)
		}
	}
	if r := ask(s, "GET", "/?topic=%zz", "Accept: text/html"); r.StatusCode != 400 {
		t.Errorf("a bad escape: %d", r.StatusCode)
	}
	if text := body(t, ask(s, "GET", "/?topic=a", "Accept: text/markdown")); strings.Contains(text, "asked") {
		t.Error("the Markdown of the home page holds an answer")
	}
}

// The same question is asked once, in every language of the page.
func TestAnswersOnTheHomePageAreKept(t *testing.T) {
	f := &counting{}
	s := newServer(&f.fakeEngine, func(o *Options) { o.Engine = f })
	for range 3 {
		ask(s, "GET", "/?topic=a&lang=en", "Accept: text/html")
	}
	ask(s, "GET", "/?topic=a&lang=zh", "Accept: text/html")
	ask(s, "GET", "/?topic=b&lang=en", "Accept: text/html")
	if f.asked != 3 {
		t.Errorf("asked %d times, want 3", f.asked)
	}
}

// counting counts questions.
type counting struct {
	fakeEngine
	asked int
}

func (c *counting) Ask(ctx context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	c.asked++
	return c.fakeEngine.Ask(ctx, q)
}

func TestQuestionsDrawOnTheBudgetOfTheAPI(t *testing.T) {
	s := newLimited()
	for target, policy := range map[string]string{"/?topic=a": "api", "/": "static", "/?lang=zh": "static", "/search?q=a": "api", "/offline/manifest.json": "static"} {
		if got := ask(s, "GET", target, "Accept: text/html").Header.Get("RateLimit-Policy"); !strings.HasPrefix(got, `"`+policy+`"`) {
			t.Errorf("%s draws on %s", target, got)
		}
	}
}

func TestWhatAnswersWithoutTheServerIsServed(t *testing.T) {
	s := newServer(&fakeEngine{})
	r := ask(s, "GET", "/offline/manifest.json")
	var m struct {
		Base string
		Most int
	}
	if err := json.Unmarshal([]byte(body(t, r)), &m); err != nil || r.Header.Get("Content-Type") != typeJSON || m.Most != maxDataTokens || m.Base != "" {
		t.Errorf("%d %v %+v %v: citations have to be the API's", r.StatusCode, r.Header, m, err)
	}
	r = ask(s, "GET", "/offline/kb/index.bin")
	if text := body(t, r); text != "EGO1" || r.Header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("%v %q", r.Header, text)
	}
	if r := ask(s, "GET", "/offline/nothing.json"); r.StatusCode != 404 {
		t.Errorf("what is not there: %d", r.StatusCode)
	}
}

// What the server asks of itself is bounded by no rate, but by its guards.
func TestRequestsFromInside(t *testing.T) {
	s := newLimited(func(o *Options) { o.Guard.ReadToken = "secret" })
	for range 500 {
		if r := ask(s.Inside(), "GET", "/healthz"); r.StatusCode != 200 || r.Header.Get("RateLimit") != "" {
			t.Fatalf("%d %v", r.StatusCode, r.Header)
		}
	}
	if r := ask(s.Inside(), "GET", "/api/context?topic=a"); r.StatusCode != 401 {
		t.Errorf("without the token: %d", r.StatusCode)
	}
}
