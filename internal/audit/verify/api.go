package verify

// This file asks the retrieval API: Chinese must come back as it was sent, and
// budgets must hold.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	"evergreen/internal/audit/probe"
)

// bundle is what is read of an answer of /api/context.
type bundle struct {
	Query struct {
		Topic string `json:"topic"`
	} `json:"query"`
	UsedTokens *int    `json:"usedTokens"`
	Budget     int     `json:"budget"`
	Entries    []entry `json:"entries"`
	Citations  []struct {
		EntryID string `json:"entryId"`
	} `json:"citations"`
	Rules []string `json:"rules"`
}

type entry struct {
	ID     string `json:"id"`
	Tokens int    `json:"tokens"`
}

func apiChecks() []check {
	return []check{
		{"api-chinese-query", func(ctx context.Context, r *run) (string, error) {
			return r.echoes(ctx, "幻觉 引用", 1200)
		}},
		{"api-mixed-query", func(ctx context.Context, r *run) (string, error) {
			return r.echoes(ctx, "token 预算", 600)
		}},
		{"api-no-hit", func(ctx context.Context, r *run) (string, error) {
			return r.echoes(ctx, "量子色动力学 xyzzy", 500)
		}},
	}
}

// ask asks for a bundle.
func (r *run) ask(ctx context.Context, topic string, budget int) (bundle, *probe.Answer, error) {
	a := r.Get(ctx, "/api/context?topic="+url.QueryEscape(topic)+"&budget="+strconv.Itoa(budget))
	var b bundle
	if !a.OK() || a.Type() != "application/json" {
		return b, a, broken(a, "200 application/json")
	}
	if err := json.Unmarshal(a.Body, &b); err != nil {
		return b, a, broken(a, "a bundle in JSON: %v", err)
	}
	return b, a, nil
}

// echoes demands that a bundle repeats the topic to the letter and keeps the
// budget, and that its lists are lists.
func (r *run) echoes(ctx context.Context, topic string, budget int) (string, error) {
	b, a, err := r.ask(ctx, topic, budget)
	if err != nil {
		return "", err
	}
	sum := 0
	for _, e := range b.Entries {
		sum += e.Tokens
	}
	switch {
	case b.Query.Topic != topic:
		return "", broken(a, "query.topic %q, not %q", topic, b.Query.Topic)
	case !bytes.Contains(a.Body, []byte(topic)):
		return "", broken(a, "Chinese as it is, not as \\u escapes")
	case b.Entries == nil || b.Citations == nil || b.Rules == nil:
		return "", broken(a, "entries, citations and rules as arrays, also where they hold one item or none")
	case b.UsedTokens == nil || b.Budget != budget:
		return "", broken(a, "usedTokens, and budget %d, not %d", budget, b.Budget)
	case *b.UsedTokens > budget || sum > budget:
		return "", broken(a, "at most %d tokens, not %d (entries: %d)", budget, *b.UsedTokens, sum)
	case len(b.Entries) == 0:
		return "", broken(a, "entries; where nothing fits the question, the stand-ins")
	case len(b.Citations) != len(b.Entries):
		return "", broken(a, "one citation for each of %d entries, not %d", len(b.Entries), len(b.Citations))
	}
	return fmt.Sprintf("%q echoed, %d of %d tokens", topic, *b.UsedTokens, budget), nil
}

// selfChecks know how Evergreen's own knowledge base ranks.
func selfChecks() []check {
	first := func(topic, id string, budget int) func(context.Context, *run) (string, error) {
		return func(ctx context.Context, r *run) (string, error) {
			b, a, err := r.ask(ctx, topic, budget)
			if err != nil {
				return "", err
			}
			if len(b.Entries) == 0 || b.Entries[0].ID != id {
				got := "nothing"
				if len(b.Entries) > 0 {
					got = b.Entries[0].ID
				}
				return "", broken(a, "%s first, not %s", id, got)
			}
			return id + " is first", nil
		}
	}
	return []check{
		{"self-ranks-citation", first("幻觉 引用", "EG-201", 1200)},
		{"self-ranks-budget", first("token 预算", "EG-202", 600)},
	}
}
