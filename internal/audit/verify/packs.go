package verify

// This file asks for the prompt packs, and floods the server.

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"evergreen/internal/audit/probe"
)

// maxFlood is how many requests a flood sends at most: more than the contract's
// burst of 300 and what refills meanwhile.
const maxFlood = 600

func packChecks() []check {
	scenarios := []string{"chat", "coding", "research", "support"}
	list := []check{}
	for _, s := range scenarios {
		list = append(list, check{"prompt-pack-" + s, func(ctx context.Context, r *run) (string, error) {
			a := r.Get(ctx, "/api/prompt-pack?scenario="+s)
			switch {
			case !a.OK() || a.Type() != "text/plain":
				return "", broken(a, "200 text/plain")
			case !strings.Contains(a.Text(), "[ID]"):
				return "", broken(a, "the rule to cite with [ID]")
			case !strings.Contains(a.Text(), "0.8") || !strings.Contains(a.Text(), "12"):
				return "", broken(a, "what to say of uncertain (below 0.80) and old (12 months) entries")
			}
			return fmt.Sprintf("%d bytes", len(a.Body)), nil
		}})
	}
	return append(list, check{"prompt-pack-unknown", func(ctx context.Context, r *run) (string, error) {
		a := r.Get(ctx, "/api/prompt-pack?scenario=evergreen-verify")
		if a.Err != nil || a.Status != http.StatusBadRequest {
			return "", broken(a, "400")
		}
		for _, s := range scenarios {
			if !strings.Contains(a.Text(), s) {
				return "", broken(a, "a body that names the four scenarios; %s is missing", s)
			}
		}
		return "400 names the four", nil
	}})
}

func floodCheck() check {
	return check{"rate-limit", func(ctx context.Context, r *run) (string, error) {
		for n := 1; n <= maxFlood; n++ {
			a := r.Ask(ctx, probe.Request{URL: "/api/context?topic=flood&budget=200"})
			switch {
			case a.Err != nil:
				return "", broken(a, "an answer to request %d", n)
			case a.Status != http.StatusTooManyRequests:
				continue
			}
			wait, err := strconv.Atoi(a.Header.Get("Retry-After"))
			if err != nil || wait < 1 {
				return "", broken(a, "Retry-After in whole seconds, at least 1, not %q", a.Header.Get("Retry-After"))
			}
			if !strings.Contains(a.Header.Get("Cache-Control"), "no-store") {
				return "", broken(a, "Cache-Control: no-store")
			}
			return fmt.Sprintf("refused at request %d, wait %d s", n, wait), nil
		}
		return "", fmt.Errorf("%d requests in a row to /api/context were all answered; wanted 429 once the burst is spent", maxFlood)
	}}
}
