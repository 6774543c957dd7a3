package a2a

// This file lets the card parsers of both versions read the agent card.

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	legacy "github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
)

const cardPath = "/.well-known/agent-card.json"

// parse reads a card as a 1.0 client does.
func parse(t *testing.T, raw []byte) *a2a.AgentCard {
	t.Helper()
	var card a2a.AgentCard
	if err := json.Unmarshal(raw, &card); err != nil {
		t.Fatalf("the parser of 1.0: %v", err)
	}
	return &card
}

// parseCompat reads a card as a 1.0 client does that also speaks 0.3.
func parseCompat(t *testing.T, raw []byte) *a2a.AgentCard {
	t.Helper()
	card, err := a2av0.NewAgentCardParser()(raw)
	if err != nil {
		t.Fatalf("the 0.3 parser of a2a-go 2: %v", err)
	}
	return card
}

// parseLegacy reads a card as a 0.3 client does.
func parseLegacy(t *testing.T, raw []byte) *legacy.AgentCard {
	t.Helper()
	var card legacy.AgentCard
	if err := json.Unmarshal(raw, &card); err != nil {
		t.Fatalf("the parser of a2a-go 0.3: %v", err)
	}
	return &card
}

func TestCard(t *testing.T) {
	for name, args := range variants(t) {
		t.Run(name, func(t *testing.T) {
			url := serve(t, args...)
			raw := get(t, url+cardPath)
			base := url
			if name == "public" {
				base = "https://docs.example.com"
			}
			card, compat, old := parse(t, raw), parseCompat(t, raw), parseLegacy(t, raw)
			interfaces := []*a2a.AgentInterface{
				{URL: base + "/a2a", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: "1.0"},
				{URL: base + "/a2a", ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: "0.3"},
			}
			if d := cmp.Diff(interfaces, card.SupportedInterfaces); d != "" {
				t.Errorf("interfaces of 1.0 (-want +got):\n%s", d)
			}
			if len(compat.SupportedInterfaces) == 0 || compat.SupportedInterfaces[0].URL != base+"/a2a" {
				t.Errorf("interfaces of 0.3: %+v", compat.SupportedInterfaces)
			}
			if old.URL != base+"/a2a" || old.PreferredTransport != legacy.TransportProtocolJSONRPC || !strings.HasPrefix(old.ProtocolVersion, "0.3") {
				t.Errorf("0.3: url %q, transport %q, version %q", old.URL, old.PreferredTransport, old.ProtocolVersion)
			}
			if card.Capabilities.Streaming || card.Capabilities.PushNotifications || card.Capabilities.ExtendedAgentCard {
				t.Errorf("capabilities that /a2a lacks: %+v", card.Capabilities)
			}
			sameAgent(t, card, compat, old)
			secured(t, card, compat, old, name == "read token")
		})
	}
}

// sameAgent demands that the readers of both versions meet one agent.
func sameAgent(t *testing.T, card, compat *a2a.AgentCard, old *legacy.AgentCard) {
	t.Helper()
	type agent struct {
		Name, Description, Version, Docs string
		In, Out, Skills                  []string
	}
	of := func(c *a2a.AgentCard) agent {
		a := agent{c.Name, c.Description, c.Version, c.DocumentationURL, c.DefaultInputModes, c.DefaultOutputModes, nil}
		for _, s := range c.Skills {
			a.Skills = append(a.Skills, s.ID+": "+s.Name+": "+s.Description)
		}
		return a
	}
	want := of(card)
	if want.Name == "" || want.Description == "" || want.Version == "" || len(want.In) == 0 || len(want.Out) == 0 {
		t.Errorf("a required member is empty: %+v", want)
	}
	ids := map[string]bool{}
	for _, s := range card.Skills {
		ids[s.ID] = true
		if s.ID == "" || s.Name == "" || s.Description == "" || len(s.Tags) == 0 {
			t.Errorf("a skill lacks a required member: %+v", s)
		}
	}
	if !ids["search_context"] {
		t.Errorf("no skill search_context among %v", want.Skills)
	}
	if d := cmp.Diff(want, of(compat)); d != "" {
		t.Errorf("the 0.3 parser of a2a-go 2 reads another agent (-1.0 +0.3):\n%s", d)
	}
	got := agent{old.Name, old.Description, old.Version, old.DocumentationURL, old.DefaultInputModes, old.DefaultOutputModes, nil}
	for _, s := range old.Skills {
		got.Skills = append(got.Skills, s.ID+": "+s.Name+": "+s.Description)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("a2a-go 0.3 reads another agent (-1.0 +0.3):\n%s", d)
	}
}

// secured demands that both versions say whether reading needs a token.
func secured(t *testing.T, card, compat *a2a.AgentCard, old *legacy.AgentCard, want bool) {
	t.Helper()
	for name, n := range map[string]int{
		"schemes of 1.0": len(card.SecuritySchemes), "requirements of 1.0 with 0.3": len(compat.SecurityRequirements),
		"schemes of 0.3": len(old.SecuritySchemes), "requirements of 0.3": len(old.Security),
	} {
		if (n > 0) != want {
			t.Errorf("%s: %d, although a token is needed: %t", name, n, want)
		}
	}
	if !want {
		return
	}
	if s, ok := card.SecuritySchemes["bearer"].(a2a.HTTPAuthSecurityScheme); !ok || s.Scheme != "bearer" {
		t.Errorf("the scheme of 1.0 is %+v", card.SecuritySchemes["bearer"])
	}
	if s, ok := old.SecuritySchemes["bearer"].(legacy.HTTPAuthSecurityScheme); !ok || s.Scheme != "bearer" {
		t.Errorf("the scheme of 0.3 is %+v", old.SecuritySchemes["bearer"])
	}
}
