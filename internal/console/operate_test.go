package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/job"

	"github.com/google/go-cmp/cmp"
)

func TestWhoMayOperate(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		why, base, path string
		headers         []string
		status          int
		want            string
	}{
		{"this machine", local, "/operate", nil, 200, "Collections"},
		{"this machine behind a proxy", local, "/operate", []string{"X-Forwarded-For: 203.0.113.9"}, 403, "Sign in to operate"},
		{"others", remote, "/operate", nil, 403, `name="secret"`},
		{"others with the token", remote, "/operate", []string{"Authorization: Bearer sesame"}, 200, "Collections"},
		{"others with a wrong token", remote, "/operate", []string{"Authorization: Bearer open"}, 401, ""},
		{"others with an invented session", remote, "/operate", []string{"Cookie: evergreen_operator=x"}, 403, "Sign in"},
		{"programs of others", remote, "/operate.json", nil, 401, "Authorization: Bearer TOKEN"},
		{"in Chinese", remote, "/operate?lang=zh", nil, 403, "登录运维"},
	} {
		r, page := b.ask("GET", c.base, c.path, "", c.headers...)
		if r.StatusCode != c.status || !strings.Contains(page, c.want) {
			t.Errorf("%s: %d, want %d with %q in\n%s", c.why, r.StatusCode, c.status, c.want, page)
		}
		if !strings.Contains(r.Header.Get("Cache-Control"), "no-store") {
			t.Errorf("%s: Cache-Control %q", c.why, r.Header.Get("Cache-Control"))
		}
	}
	for _, path := range []string{"/operate/index", "/operate/refresh", "/operate/delete", "/operate/cancel"} {
		if r, _ := b.ask("POST", remote, path, `{"collection":"guide","confirm":"guide","location":"/x","job":"job-1"}`); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s of others: %d", path, r.StatusCode)
		}
	}
	if len(b.lib.deleted)+len(b.lib.indexed) > 0 {
		t.Errorf("others deleted %v and indexed %v", b.lib.deleted, b.lib.indexed)
	}
}

func TestSigningInAndOut(t *testing.T) {
	b := newBench(t)
	if r, page := b.ask("POST", remote, "/operate/sign-in", "secret=open"); r.StatusCode != http.StatusForbidden || !strings.Contains(page, "not the token") || r.Header.Get("Set-Cookie") != "" {
		t.Errorf("a wrong token: %d, %v", r.StatusCode, r.Header)
	}
	r, _ := b.ask("POST", remote, "/operate/sign-in", "secret=sesame")
	cookie := r.Header.Get("Set-Cookie")
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != remote+"/operate" {
		t.Fatalf("signed in: %d, %v", r.StatusCode, r.Header)
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %s lacks %s", cookie, want)
		}
	}
	session := "Cookie: " + strings.Split(cookie, ";")[0]
	r, page := b.ask("GET", remote, "/operate", "", session)
	if r.StatusCode != http.StatusOK {
		t.Fatalf("with the session: %d", r.StatusCode)
	}
	has(t, page, "Sign out", "/operate")
	if r, _ := b.ask("POST", remote, "/operate/delete", b.form("collection", "guide", "confirm", "guide"), session, "Origin: https://evil.example"); r.StatusCode != http.StatusForbidden || len(b.lib.deleted) > 0 {
		t.Errorf("a page of another site: %d, deleted %v", r.StatusCode, b.lib.deleted)
	}
	b.now = b.now.Add(sessionAge)
	if r, _ := b.ask("GET", remote, "/operate", "", session); r.StatusCode != http.StatusForbidden {
		t.Errorf("after %v: %d", sessionAge, r.StatusCode)
	}
	r, _ = b.ask("POST", remote, "/operate/sign-in", "secret=sesame")
	session = "Cookie: " + strings.Split(r.Header.Get("Set-Cookie"), ";")[0]
	b.ask("POST", remote, "/operate/sign-out", b.form(), session)
	if r, _ := b.ask("GET", remote, "/operate", "", session); r.StatusCode != http.StatusForbidden {
		t.Errorf("signed out: %d", r.StatusCode)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	now := time.Unix(0, 0)
	s := newSessions(func() time.Time { now = now.Add(time.Second); return now })
	first := s.open()
	var last string
	for range maxSessions - 1 {
		last = s.open()
	}
	if !s.holds(first) {
		t.Errorf("the first of %d is gone", maxSessions)
	}
	s.open()
	if s.holds(first) || !s.holds(last) {
		t.Error("one too many: the oldest stays, or another left")
	}
}

func TestAServerWithoutAToken(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Token = "" })
	r, page := b.ask("GET", remote, "/operate", "")
	if r.StatusCode != http.StatusForbidden || strings.Contains(page, `name="secret"`) {
		t.Errorf("%d\n%s", r.StatusCode, page)
	}
	has(t, page, "--token-file")
	if r, _ := b.ask("POST", remote, "/operate/sign-in", "secret="); r.StatusCode != http.StatusForbidden {
		t.Errorf("nothing opens it: %d", r.StatusCode)
	}
}

func TestTheDeskShowsEverything(t *testing.T) {
	b := newBench(t)
	_, page := b.ask("GET", local, "/operate", "")
	has(t, page, "guide", "3,456", "2 h ago", "3, for 2 reasons", "2 × binary", "a.md, c.md", "broken", "its manifest cannot be read",
		"./docs", "polling", "more than 4096 folders", "it vanished", "No call had to be repaired yet", "Nothing is running")
	_, page = b.ask("GET", local, "/operate?lang=zh", "")
	has(t, page, "文档集", "2 小时前", "3，2 种原因", "轮询", "还没有需要修复的调用")
	if b.lib.asked != 1 {
		t.Errorf("what was left out was asked for %d times for one state of the library", b.lib.asked)
	}
	var out deskJSON
	r, text := b.ask("GET", local, "/operate.json", "")
	if err := json.Unmarshal([]byte(text), &out); err != nil || r.Header.Get("Content-Type") != typeJSON {
		t.Fatalf("%v %v", err, r.Header)
	}
	want := []skipJSON{{"binary", 2, []string{"a.md", "c.md"}}, {"too large", 1, []string{"b.md"}}}
	if diff := cmp.Diff(want, out.Collections[0].Skips); diff != "" || out.Collections[0].Skipped != 3 || out.Watched[0].Error != "it vanished" || len(out.Damaged) != 1 {
		t.Errorf("%s\n%s", diff, text)
	}
}

// settled waits until a job has ended.
func (b *bench) settled(id string) job.Job {
	b.t.Helper()
	j, err := b.jobs.Wait(b.t.Context(), id, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return j
}

func TestIndexingIsAJobThatCanBeCanceled(t *testing.T) {
	b := newBench(t)
	b.lib.release = make(chan struct{})
	root := b.lib.all[0].Source
	r, text := b.ask("POST", local, "/operate/index", `{"location":"`+filepath.ToSlash(root)+`","name":"guide"}`)
	if r.StatusCode != http.StatusAccepted {
		t.Fatalf("%d %s", r.StatusCode, text)
	}
	for j, _ := b.jobs.Get("job-1"); j.Done < 20; j, _ = b.jobs.Get("job-1") {
		time.Sleep(time.Millisecond)
	}
	_, page := b.ask("GET", local, "/operate", "")
	has(t, page, "data-running", "20 / 100", `<progress max="100" value="20"`, "Cancel: ", "reading")
	if r, text := b.ask("POST", local, "/operate/cancel", `{"job":"job-1"}`); r.StatusCode != http.StatusAccepted {
		t.Errorf("cancel: %d %s", r.StatusCode, text)
	}
	if j := b.settled("job-1"); j.State != job.Canceled {
		t.Errorf("canceled: %s", j.State)
	}
	_, page = b.ask("GET", local, "/operate", "")
	has(t, page, "canceled")
	if strings.Contains(page, "data-running") {
		t.Error("the page still looks for progress")
	}
	if r, _ := b.ask("POST", local, "/operate/cancel", `{"job":"job-1"}`); r.StatusCode != http.StatusNotFound {
		t.Errorf("cancel again: %d", r.StatusCode)
	}
}

func TestRefreshReadsEverySourceAnew(t *testing.T) {
	b := newBench(t)
	b.lib.all[0].Sources = append(b.lib.all[0].Sources, evergreen.Source{Kind: evergreen.SourceSite, Location: "https://unreachable.example/"})
	r, _ := b.ask("POST", local, "/operate/refresh", b.form("collection", "guide", "lang", "zh"))
	if r.StatusCode != http.StatusSeeOther || !strings.Contains(r.Header.Get("Location"), "done=refresh&") && !strings.Contains(r.Header.Get("Location"), "&done=refresh") || !strings.HasSuffix(r.Header.Get("Location"), "&lang=zh") {
		t.Fatalf("%d %v", r.StatusCode, r.Header)
	}
	b.settled("job-1")
	if j := b.settled("job-2"); j.State != job.Failed {
		t.Errorf("a source that fails: %s", j.State)
	}
	for _, one := range b.lib.indexed {
		if !one.Refresh || !one.Verify || one.Name != "guide" {
			t.Errorf("indexed %+v", one)
		}
	}
	to, err := url.Parse(r.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	_, page := b.ask("GET", local, to.RequestURI(), "")
	has(t, page, "已开始刷新 guide。", "guide：发现 3，索引 2，未变 0，移除 0，未收入 1", "https://unreachable.example/ does not answer. try later")
}

func TestDeletingNeedsTheName(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{b.form("collection", "guide"), b.form("collection", "guide", "confirm", "Guide")} {
		r, page := b.ask("POST", local, "/operate/delete", body)
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(page, "Nothing was deleted") {
			t.Errorf("%s: %d", body, r.StatusCode)
		}
	}
	if r, page := b.ask("POST", local, "/operate/delete", "collection=guide&confirm=guide"); r.StatusCode != http.StatusForbidden || !strings.Contains(page, "not from this page") {
		t.Errorf("a form of nobody's: %d", r.StatusCode)
	}
	if r, _ := b.ask("POST", local, "/operate/delete", b.form("collection", "guode", "confirm", "guode")); r.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown collection: %d", r.StatusCode)
	}
	if len(b.lib.deleted) > 0 {
		t.Fatalf("deleted %v", b.lib.deleted)
	}
	if r, _ := b.ask("POST", local, "/operate/delete", b.form("collection", "guide", "confirm", "guide")); r.StatusCode != http.StatusSeeOther {
		t.Errorf("confirmed: %d", r.StatusCode)
	}
	if r, _ := b.ask("POST", local, "/operate/delete", `{"collection":"broken","confirm":"broken"}`); r.StatusCode != http.StatusOK {
		t.Errorf("one that cannot be read: %d", r.StatusCode)
	}
	if diff := cmp.Diff([]string{"guide", "broken"}, b.lib.deleted); diff != "" {
		t.Error(diff)
	}
}

func TestOrdersThatCannotBeFollowed(t *testing.T) {
	b := newBench(t)
	for body, want := range map[string]string{
		`{"location":""}`:                       "No source is named.",
		`{"location":"/nowhere/else"}`:          "lies outside the folders",
		`{"location":"ftp://example.com/"}`:     "is no web address",
		`{"location":"https://u:p@e.example/"}`: "user name",
		`{"locaton":"x"}`:                       "The order cannot be read",
	} {
		r, text := b.ask("POST", local, "/operate/index", body)
		if r.StatusCode < 400 || r.StatusCode >= 500 || !strings.Contains(text, want) || r.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s, want %s", body, r.StatusCode, text, want)
		}
	}
	if r, _ := b.ask("GET", local, "/operate/index", ""); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET changes nothing: %d", r.StatusCode)
	}
}

func TestOneWebPage(t *testing.T) {
	b := newBench(t)
	b.ask("POST", local, "/operate/index", b.form("location", "https://docs.example.org/a", "single", "true"))
	b.settled("job-1")
	if got := b.lib.indexed[0].Source; got.Kind != evergreen.SourcePage || got.Location != "https://docs.example.org/a" {
		t.Errorf("%+v", got)
	}
}

func TestOutermostFolders(t *testing.T) {
	if diff := cmp.Diff([]string{"/a", "/b/c"}, outermost([]string{"/a", "/a/b", "/a/b/c", "/b/c"})); diff != "" {
		t.Error(diff)
	}
}
