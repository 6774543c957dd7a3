package a2a

// This file asks a robots.txt parser whether each listed agent may come in.

import (
	"strings"
	"testing"

	"github.com/temoto/robotstxt"
)

func TestRobots(t *testing.T) {
	for name, args := range variants(t) {
		t.Run(name, func(t *testing.T) {
			url := serve(t, args...)
			body := get(t, url+"/robots.txt")
			robots, err := robotstxt.FromBytes(body)
			if err != nil {
				t.Fatal(err)
			}
			agents := []string{"SomeOtherBot/1.0"} // whom the group of everyone speaks to
			for line := range strings.Lines(string(body)) {
				if agent, ok := strings.CutPrefix(line, "User-agent:"); ok {
					agents = append(agents, strings.TrimSpace(agent))
				}
			}
			if len(agents) < 10 {
				t.Errorf("few agents are named: %q", agents)
			}
			for _, agent := range agents {
				for _, path := range []string{"/", "/llms.txt", "/.well-known/agent-card.json", "/api/context?topic=x"} {
					if !robots.TestAgent(path, agent) {
						t.Errorf("%s may not fetch %s", agent, path)
					}
				}
			}
			base := url
			if name == "public" {
				base = "https://docs.example.com"
			}
			if len(robots.Sitemaps) != 1 || robots.Sitemaps[0] != base+"/sitemap.xml" {
				t.Errorf("sitemaps: %q", robots.Sitemaps)
			}
		})
	}
}
