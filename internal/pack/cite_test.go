package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

func section(id string) evergreen.Entry {
	collection, docPath, _, _ := evergreen.SplitSectionID(id)
	return evergreen.Entry{ID: id, Collection: collection, DocPath: docPath}
}

func TestMarker(t *testing.T) {
	id := "react::learn/effects.md::effects/cleanup#2"
	sum := sha256.Sum256([]byte(id))
	for _, tt := range []struct {
		name  string
		entry evergreen.Entry
		want  string
	}{
		{"section", section(id), "[react:" + hex.EncodeToString(sum[:])[:6] + "]"},
		{"curated", evergreen.Entry{ID: "EG-201", Curated: true}, "[EG-201]"},
		{"curated with an id like a section's", evergreen.Entry{ID: "a::b::c#1", Curated: true}, "[a::b::c#1]"},
		{"an id on two lines", evergreen.Entry{ID: "EG\n201", Curated: true}, "[EG 201]"},
	} {
		if got := Marker(tt.entry); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// colliding returns two section ids whose hashes share the first six digits.
func colliding(t *testing.T) (a, b string) {
	t.Helper()
	seen := map[string]string{}
	for i := range 1 << 20 {
		id := fmt.Sprintf("c::d.md::s-%d#1", i)
		sum := sha256.Sum256([]byte(id))
		key := hex.EncodeToString(sum[:3])
		if other, ok := seen[key]; ok {
			return other, id
		}
		seen[key] = id
	}
	t.Fatal("no collision found")
	return "", ""
}

func TestMarkersGrowWhereTheyCollide(t *testing.T) {
	a, b := colliding(t)
	other := section("c::d.md::other#1")
	got := Markers([]evergreen.Entry{section(a), other, section(b), section(a)})
	if got[0] == got[2] || got[0] != got[3] {
		t.Errorf("markers %v", got)
	}
	if len(got[0]) <= len(got[1]) || got[1] != Marker(other) {
		t.Errorf("only the colliding ones grow: %v", got)
	}
	if !strings.HasPrefix(got[0], strings.TrimSuffix(Marker(section(a)), "]")) {
		t.Errorf("%s does not begin with the short form", got[0])
	}
}

func TestMarkersOfCuratedEntriesThatShareAnID(t *testing.T) {
	one := evergreen.Entry{ID: "K-1", Collection: "kb", Curated: true}
	two := evergreen.Entry{ID: "K-1", Collection: "kb-2", Curated: true}
	if diff := cmp.Diff([]string{"[kb:K-1]", "[kb-2:K-1]"}, Markers([]evergreen.Entry{one, two})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	nameless := evergreen.Entry{ID: "K-1", Curated: true}
	if diff := cmp.Diff([]string{"[K-1]", "[kb:K-1]"}, Markers([]evergreen.Entry{nameless, one})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCitationURL(t *testing.T) {
	withAnchor := section("vue::guide/反应式 基础.md::a#1")
	withAnchor.Anchor = "基础"
	for _, tt := range []struct {
		name, base, want string
		entry            evergreen.Entry
	}{
		{"curated", "", "/context.json#EG-201", evergreen.Entry{ID: "EG-201", Curated: true}},
		{"curated below a base", "https://docs.example.com/", "https://docs.example.com/context.json#EG-201", evergreen.Entry{ID: "EG-201", Curated: true}},
		{"section", "", "/docs/react/learn/effects", section("react::learn/effects.md::a#1")},
		{"escaped", "https://docs.example.com", "https://docs.example.com/docs/vue/guide/%E5%8F%8D%E5%BA%94%E5%BC%8F%20%E5%9F%BA%E7%A1%80#%E5%9F%BA%E7%A1%80", withAnchor},
		{"own URL", "https://docs.example.com", "https://a.example/p#x", evergreen.Entry{ID: "c::d::e#1", URL: "https://a.example/p", Anchor: "x"}},
		{"own URL with a fragment", "", "https://a.example/p#y", evergreen.Entry{ID: "c::d::e#1", URL: "https://a.example/p#y", Anchor: "x"}},
	} {
		if got := CitationURL(tt.entry, tt.base); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
