package engine

import (
	"context"
	"encoding/json"

	"evergreen/internal/kb"
)

// PromptPack returns the prompt pack of a scenario ("" is chat).
func (e *Engine) PromptPack(ctx context.Context, scenario, lang string) (string, error) {
	chosen, err := kb.Lang(lang, "", "")
	if err != nil {
		return "", err
	}
	if scenario == "" {
		scenario = "chat"
	}
	text, err := kb.Pack(scenario, chosen)
	if err != nil {
		return "", err
	}
	return text, ctx.Err()
}

// metrics is the part of metrics.json that costs nothing to know.
type metrics struct {
	Revision    string         `json:"revision"`
	GeneratedAt string         `json:"generatedAt"`
	Estimator   string         `json:"estimator"`
	Totals      metricsTotals  `json:"totals"`
	Collections []metricsOfOne `json:"collections"`
	Budgets     map[string]int `json:"budgets"`
}

type metricsTotals struct {
	Collections int `json:"collections"`
	Documents   int `json:"documents"`
	Sections    int `json:"sections"`
	Entries     int `json:"entries"`
	Tokens      int `json:"tokens"`
}

type metricsOfOne struct {
	Collection string `json:"collection"`
	Documents  int    `json:"documents"`
	Sections   int    `json:"sections"`
	Tokens     int    `json:"tokens"`
}

// Metrics returns what is measured of this snapshot, as JSON.
func (e *Engine) Metrics(ctx context.Context) (json.RawMessage, error) {
	s, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(s)
	m := metrics{
		Revision: s.revision, GeneratedAt: s.at.UTC().Format("2006-01-02T15:04:05Z"),
		Estimator: "ceil(CJK*1.0 + other*0.28)", Collections: []metricsOfOne{},
		Budgets: map[string]int{"min": 200, "default": 2000, "max": 8000},
	}
	for _, c := range s.collections {
		docs, sections, tokens := c.manifest.Totals()
		m.Collections = append(m.Collections, metricsOfOne{c.name(), docs, sections, tokens})
		m.Totals.Collections++
		m.Totals.Documents += docs
		m.Totals.Sections += sections
		m.Totals.Tokens += tokens
		for _, p := range c.parts {
			m.Totals.Entries += p.info.Entries
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return b, ctx.Err()
}
