package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite docs/config.md")

// load reads settings in a folder of its own that holds the given
// evergreen.json ("" for none).
func load(t *testing.T, file string, env map[string]string, flags map[string]Flag) (Settings, string, error) {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		if err := os.WriteFile(filepath.Join(dir, "evergreen.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(Input{
		Flags: flags, WorkDir: dir, UserData: filepath.Join(dir, "data"),
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	})
	return s, dir, err
}

func TestEverySettingHasItsDefault(t *testing.T) {
	s, dir, err := load(t, "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Library: filepath.Join(dir, "data", "evergreen"), LogLevel: "info", LogFormat: "text",
		Site:    Site{Name: "Evergreen", Licence: "unspecified", Contact: "unspecified"},
		Server:  Server{Listen: "127.0.0.1:4173", Timeout: 30 * time.Second, RateLimit: 120, MaxRequests: 512},
		Limits:  Limits{Jobs: 8},
		OAuth:   OAuth{ReadScope: "read", WriteScope: "write"},
		Overlay: Overlay{Refresh: time.Hour, MaxPages: 1000},
		Index:   Index{Slug: "unicode", Estimator: "default"},
	}
	if diff := cmp.Diff(want, s.Config); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	for _, v := range s.Values() {
		if v.Origin != "default" {
			t.Errorf("%s comes from %q, want default", v.Key, v.Origin)
		}
	}
}

func TestFlagsWinOverVariablesOverFileOverDefaults(t *testing.T) {
	file := `{"$schema": "x", "site": {"name": "From file", "contact": "file@example.com", "licence": "MIT"}, "server": {"timeout": 1500}}`
	env := map[string]string{"EVERGREEN_SITE_NAME": "From env", "EVERGREEN_SITE_CONTACT": "env@example.com", "EVERGREEN_SITE_LICENCE": ""}
	flags := map[string]Flag{"site.name": {Name: "--name", Values: []string{"From flag"}}}
	s, dir, err := load(t, file, env, flags)
	if err != nil {
		t.Fatal(err)
	}
	want := Site{Name: "From flag", Contact: "env@example.com", Licence: "MIT"}
	if diff := cmp.Diff(want, s.Site); diff != "" {
		t.Error(diff)
	}
	if s.Server.Timeout != 1500*time.Millisecond {
		t.Errorf("bare milliseconds give %v", s.Server.Timeout)
	}
	origins := map[string]string{
		"site.name": "flag --name", "site.contact": "env EVERGREEN_SITE_CONTACT",
		"site.licence": "file " + filepath.Join(dir, "evergreen.json"), "site.base_url": "default",
	}
	for key, want := range origins {
		if got := s.Origin(key); got != want {
			t.Errorf("%s comes from %q, want %q", key, got, want)
		}
	}
}

func TestWrongSettingsAreErrorsThatSayWhere(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		message    string // part of it
		nearest    string
	}{
		{"unknown key", `{"server": {"lisen": "x"}}`, nil, `unknown key "server.lisen"`, "server.listen"},
		{"unknown section", `{"sevrer": {}}`, nil, `unknown key "sevrer"`, "server"},
		{"unknown key in a section without keys", `{"gateway": {"upstream": {}}}`, nil, `unknown key "gateway.upstream"`, ""},
		{"dotted key at the top", `{"server.listen": "127.0.0.1:1"}`, nil, `unknown key "server.listen"`, "server.listen"},
		{"section that is no object", `{"server": []}`, nil, "server must be an object", ""},
		{"wrong type", `{"server": {"listen": 4173}}`, nil, "server.listen must be a string", ""},
		{"list that is a string", `{"server": {"hosts": "a"}}`, nil, "server.hosts must be an array of strings", ""},
		{"fraction", `{"index": {"max_files": 1.5}}`, nil, "is no whole number", ""},
		{"below zero", `{"index": {"max_files": -1}}`, nil, "must not be negative", ""},
		{"not above zero", `{"server": {"timeout": 0}}`, nil, "must be above 0", ""},
		{"switch that is a string", `{"server": {"allow_private": "yes"}}`, nil, "server.allow_private must be true or false", ""},
		{"switch in a variable", "", map[string]string{"EVERGREEN_SERVER_ALLOW_PRIVATE": "maybe"}, "is neither true nor false", ""},
		{"enum", `{"index": {"slug": "latin"}}`, nil, "is none of unicode, ascii", ""},
		{"item of a list", `{"server": {"tools": ["docs", "dosc"]}}`, nil, "is none of docs, kb, web, admin", ""},
		{"base url", `{"site": {"base_url": "docs.example.com"}}`, nil, "is no http or https URL", ""},
		{"port", `{"server": {"listen": "127.0.0.1:70000"}}`, nil, "has no port between 0 and 65535", ""},
		{"origin", `{"server": {"origins": ["example.com"]}}`, nil, "is no origin", ""},
		{"duration in a variable", "", map[string]string{"EVERGREEN_SERVER_TIMEOUT": "soon"}, "env EVERGREEN_SERVER_TIMEOUT: server.timeout", ""},
		{"syntax", "{\n\"site\": {\n", nil, "no JSON object", ""},
		{"two objects", "{} {}", nil, "goes on after", ""},
		{"not an object", "[]", nil, "no JSON object", ""},
		{"too large", `{"$schema": "` + strings.Repeat("x", maxFileBytes) + `"}`, nil, "is larger than", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := load(t, tt.file, tt.env, nil)
			if err == nil {
				t.Fatal("no error")
			}
			if evergreen.KindOf(err) != evergreen.Invalid {
				t.Errorf("kind %q", evergreen.KindOf(err))
			}
			if !strings.Contains(err.Error(), tt.message) {
				t.Errorf("message %q lacks %q", err, tt.message)
			}
			e, _ := errors.AsType[*evergreen.Error](err)
			if tt.nearest != "" && (len(e.Nearest) != 1 || e.Nearest[0] != tt.nearest) {
				t.Errorf("nearest %q, want %q", e.Nearest, tt.nearest)
			}
		})
	}
}

func TestFileOfExactlyTheLargestSizeIsRead(t *testing.T) {
	frame := `{"$schema": ""}`
	file := `{"$schema": "` + strings.Repeat("x", maxFileBytes-len(frame)) + `"}`
	if _, _, err := load(t, file, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestFileIsFoundInOrder(t *testing.T) {
	dir := t.TempDir()
	write := func(rel, name string) string {
		path := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"site": {"name": "`+name+`"}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	env := map[string]string{}
	in := Input{WorkDir: filepath.Join(dir, "here"), UserConfig: filepath.Join(dir, "user"),
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	check := func(want string) {
		t.Helper()
		s, err := Load(in)
		if err != nil || s.Site.Name != want {
			t.Errorf("site.name %q, %v; want %q", s.Site.Name, err, want)
		}
	}
	check("Evergreen")
	write("user/evergreen/evergreen.json", "user")
	check("user")
	write("here/evergreen.json", "here")
	check("here")
	env["EVERGREEN_CONFIG"] = write("env.json", "env")
	check("env")
	write("here/named.json", "named")
	in.File = "named.json"
	check("named")
	in.File = "absent.json"
	if _, err := Load(in); err == nil {
		t.Error("a named file that does not exist is no error")
	}
}

func TestRelativePathsCountFromWhereTheyAreWritten(t *testing.T) {
	s, dir, err := load(t, `{"library": "lib", "server": {"allowed_roots": ["docs", "../other"]}}`,
		map[string]string{"EVERGREEN_TOKEN_FILE": "token"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "lib"); s.Library != want {
		t.Errorf("library %q, want %q", s.Library, want)
	}
	want := []string{filepath.Join(dir, "docs"), filepath.Join(filepath.Dir(dir), "other")}
	if diff := cmp.Diff(want, s.Server.AllowedRoots); diff != "" {
		t.Error(diff)
	}
	if want := filepath.Join(dir, "token"); s.Server.TokenFile != want {
		t.Errorf("token file %q, want %q", s.Server.TokenFile, want)
	}
}

func TestSwitches(t *testing.T) {
	for _, tt := range []struct {
		file, env string
		want      bool
	}{
		{"", "", false},
		{`{"server": {"allow_private": true}}`, "", true},
		{`{"server": {"allow_private": true}}`, "false", false},
		{"", "1", true},
	} {
		s, _, err := load(t, tt.file, map[string]string{"EVERGREEN_SERVER_ALLOW_PRIVATE": tt.env}, nil)
		if err != nil || s.Server.AllowPrivate != tt.want {
			t.Errorf("file %s, variable %q: %v, %v", tt.file, tt.env, s.Server.AllowPrivate, err)
		}
	}
}

func TestListsInVariables(t *testing.T) {
	s, _, err := load(t, "", map[string]string{"EVERGREEN_SERVER_TOOLS": "docs, kb,"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"docs", "kb"}, s.Server.Tools); diff != "" {
		t.Error(diff)
	}
}

// A flag takes a list with commas, is given several times, or both.
func TestListsInFlags(t *testing.T) {
	for _, values := range [][]string{{"docs,kb"}, {"docs", "kb"}, {" docs , ", "kb"}} {
		s, _, err := load(t, "", nil, map[string]Flag{"server.tools": {Name: "--tools", Values: values}})
		if err != nil {
			t.Fatalf("%q: %v", values, err)
		}
		if diff := cmp.Diff([]string{"docs", "kb"}, s.Server.Tools); diff != "" {
			t.Errorf("%q: %s", values, diff)
		}
	}
	_, _, err := load(t, "", nil, map[string]Flag{"server.tools": {Name: "--tools", Values: []string{"docs,dosc"}}})
	if err == nil || !strings.Contains(err.Error(), "is none of docs, kb, web, admin") {
		t.Errorf("an unknown set gives %v", err)
	}
}

func TestSecretsAreNeverListed(t *testing.T) {
	s, _, err := load(t, `{"server": {"token": "hunter2"}}`, map[string]string{"EVERGREEN_READ_TOKEN": "hunter3"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := json.Marshal(s.Values())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(listed, []byte("hunter")) {
		t.Errorf("a token is listed: %s", listed)
	}
	if s.Server.Token != "hunter2" || s.Server.ReadToken != "hunter3" {
		t.Errorf("tokens %q, %q", s.Server.Token, s.Server.ReadToken)
	}
}

func TestUnknownVariables(t *testing.T) {
	got := UnknownVariables([]string{"PATH=x", "EVERGREEN_LIBRARY=x", "EVERGREEN_CONFIG=x", "EVERGREEN_LIBARY=x",
		"EVERGREEN_CORPORA=x", "EVERGREEN_SPEC=x", "EVERGREEN_BINARY=x", "EVERGREEN_DEPTH=1"})
	if diff := cmp.Diff(map[string]string{"EVERGREEN_LIBARY": "EVERGREEN_LIBRARY"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestByteOrderMarkIsDropped(t *testing.T) {
	s, _, err := load(t, "\uFEFF{\"site\": {\"name\": \"常青\"}}", nil, nil)
	if err != nil || s.Site.Name != "常青" {
		t.Errorf("site.name %q, %v", s.Site.Name, err)
	}
}

func TestDocumentationIsFresh(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "config.md")
	if *update {
		if err := os.WriteFile(name, Markdown(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(Markdown()), string(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")))); diff != "" {
		t.Errorf("docs/config.md is not what the key table says; run go test ./internal/config -update:\n%s", diff)
	}
}

func TestSchemaNamesEveryKey(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage
		Closed     *bool `json:"additionalProperties"`
	}
	for _, name := range Names() {
		at := json.RawMessage(Schema())
		for part := range strings.SplitSeq(name, ".") {
			var o object
			if err := json.Unmarshal(at, &o); err != nil || o.Closed == nil || *o.Closed {
				t.Errorf("what holds %s lets unknown keys in (%v)", name, err)
			}
			if at = o.Properties[part]; at == nil {
				t.Errorf("the schema lacks %s", name)
				break
			}
		}
	}
}

func TestThePolicyInAFile(t *testing.T) {
	s, _, err := load(t, `{"site": {"name": "N", "policy": {"training": "no", "deny": ["CCBot"], "disallow": ["/a/", "/b/"], "attribution": true, "forbid": ["training"], "updated": "2026-11-30"}}, "origin": {"url": "https://docs.example.com", "refresh": 0}}`,
		map[string]string{"EVERGREEN_POLICY_DENY": "Bytespider, CCBot"}, map[string]Flag{"site.policy.training": {Name: "--policy-training", Values: []string{"yes"}}})
	if err != nil {
		t.Fatal(err)
	}
	want := Policy{Forbid: []string{"training"}, Training: "yes", Deny: []string{"Bytespider", "CCBot"}, Disallow: []string{"/a/", "/b/"},
		Attribution: true, Updated: "2026-11-30"}
	if diff := cmp.Diff(want, s.Site.Policy); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Overlay{Origin: "https://docs.example.com", MaxPages: 1000}, s.Overlay); diff != "" {
		t.Error(diff)
	}
	for file, part := range map[string]string{
		`{"site": {"policy": {"trainng": "no"}}}`:        `unknown key "site.policy.trainng"`,
		`{"site": {"policy": "open"}}`:                   "site.policy must be an object",
		`{"site": {"policy.training": "no"}}`:            `unknown key "site.policy.training"`,
		`{"site": {"policy": {"training": "maybe"}}}`:    "is none of yes, no",
		`{"site": {"policy": {"forbid": ["reading"]}}}`:  "is none of crawl",
		`{"site": {"policy": {"disallow": ["drafts"]}}}`: "begin it with /",
		`{"site": {"policy": {"updated": "yesterday"}}}`: "is no date",
		`{"origin": {"max_pages": 0}}`:                   "must be above 0",
		`{"fetch": {"proxy": "proxy:3128"}}`:             "is no http or https URL of a proxy",
		`{"fetch": {"proxy": "http://p:3128/x?y"}}`:      "must be scheme, host and port only",
		`{"origin": {"url": "docs.example.com"}}`:        "is no http or https URL",
	} {
		if _, _, err := load(t, file, nil, nil); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"30s": 30 * time.Second, "1500": 1500 * time.Millisecond, "0": 0, "1m30s": 90 * time.Second,
		"9223372036854": 9223372036854 * time.Millisecond,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "soon", "-1", "-1s", "9223372036855", "1.5"} {
		if got, err := ParseDuration(text); err == nil {
			t.Errorf("ParseDuration(%q) = %v, want an error", text, got)
		}
	}
}

func TestDataFolder(t *testing.T) {
	abs, err := filepath.Abs("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "home"}, filepath.Join("home", ".local", "share")},
		{"linux", map[string]string{"HOME": "home", "XDG_DATA_HOME": abs}, abs},
		{"linux", map[string]string{"HOME": "home", "XDG_DATA_HOME": "relative"}, filepath.Join("home", ".local", "share")},
		{"linux", nil, ""},
		{"darwin", map[string]string{"HOME": "home"}, filepath.Join("home", "Library", "Application Support")},
		{"windows", map[string]string{"LocalAppData": "local"}, "local"},
	} {
		if got := DataFolder(tt.goos, func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("DataFolder(%s, %v) = %q, want %q", tt.goos, tt.env, got, tt.want)
		}
	}
}

// FuzzFile feeds any bytes as evergreen.json: an error or settings, never a
// panic.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{`{}`, `{"site":{"name":"x"}}`, `{"server":{"timeout":1e9}}`, `{"index":null}`, "\uFEFF{", `[1]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "evergreen.json")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(Input{File: name, LookupEnv: func(string) (string, bool) { return "", false }})
		if err != nil && evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("kind %q: %v", evergreen.KindOf(err), err)
		}
	})
}

// TestTheExampleOfTheGuideLoads reads the configuration that docs/deploy.md
// begins with.
func TestTheExampleOfTheGuideLoads(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(strings.ReplaceAll(string(guide), "\r\n", "\n"), "```json\n")
	example, _, found := strings.Cut(rest, "```\n")
	s, _, err := load(t, example, nil, nil)
	if !found || err != nil || s.Site.BaseURL == "" || len(s.Server.TrustedProxies) == 0 {
		t.Errorf("%v: %+v", err, s.Config)
	}
}
