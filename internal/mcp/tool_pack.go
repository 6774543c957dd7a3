package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"evergreen"
	"evergreen/internal/kb"
)

// scenarios are what prompt packs are written for; the first is the default.
func scenarios() []string {
	var names []string
	for _, s := range kb.Scenarios(evergreen.LangEnglish) {
		names = append(names, s.Name)
	}
	return names
}

// getPromptPack returns the rules that an agent puts into its system prompt.
func getPromptPack() tool {
	return tool{
		name: "get_prompt_pack", title: "Get prompt pack", set: SetKB,
		description: "Rules for your system prompt: how to cite, what to do when an answer is truncated or uncertain.",
		schema: `{"type":"object","properties":{"scenario":{"type":"string","enum":["` +
			strings.Join(scenarios(), `","`) + `"],"default":"chat"}}}`,
		example: `{"scenario":"chat"}`,
		run: func(ctx context.Context, s *Server, c *call) (answer, error) {
			scenario := c.Choice("scenario", scenarios()...)
			l := c.Choice("lang", evergreen.LangAuto, evergreen.LangEnglish, evergreen.LangChinese)
			if err := c.Fault(); err != nil {
				return answer{}, err
			}
			if l == evergreen.LangAuto {
				l = string(c.lang(""))
			}
			pack, err := s.engine.PromptPack(ctx, scenario, l)
			if err != nil {
				return answer{}, err
			}
			text := clip(pack, evergreen.DefaultBudget, s.count)
			return answer{text: text, meta: packMeta{scenario, l, s.count(text), text != pack}}, nil
		},
	}
}

type packMeta struct {
	Scenario  string `json:"scenario"`
	Lang      string `json:"lang"`
	Tokens    int    `json:"tokens"`
	Truncated bool   `json:"truncated"`
}

// getMetrics returns measured figures of the library, one top-level member a
// line.
func getMetrics() tool {
	return tool{
		name: "get_metrics", title: "Get metrics", set: SetKB,
		description: "Measured figures of this site: tokens per layer and tool, retrieval quality.",
		schema:      `{"type":"object","properties":{"budget":{"type":"integer","default":1000}}}`,
		example:     `{"budget":1000}`,
		run: func(ctx context.Context, s *Server, c *call) (answer, error) {
			budget := c.Budget(listBudget)
			if err := c.Fault(); err != nil {
				return answer{}, err
			}
			raw, err := s.engine.Metrics(ctx)
			if err != nil {
				return answer{}, err
			}
			return s.metricsAnswer(raw, budget)
		},
	}
}

type metricsMeta struct {
	Budget    int      `json:"budget"`
	Truncated bool     `json:"truncated"`
	LeftOut   []string `json:"left_out,omitempty"`
}

func (s *Server) metricsAnswer(raw json.RawMessage, budget int) (answer, error) {
	names, lines, err := members(raw)
	if err != nil {
		return answer{}, err
	}
	const more = "Left out, raise budget: "
	room := max(budget/2, budget-s.count(more+strings.Join(names, ", ")+"\n"))
	var shown, left []string
	for i, line := range lines { // one long table must not hide the figures after it
		if s.count(strings.Join(append(shown, line), "\n")) <= room {
			shown = append(shown, line)
		} else {
			left = append(left, names[i])
		}
	}
	text := strings.Join(shown, "\n")
	if len(left) > 0 {
		text += "\n" + clip(more+strings.Join(left, ", "), budget-s.count(text+"\n"), s.count)
	}
	return answer{text: text, meta: metricsMeta{budget, len(left) > 0, left}}, nil
}

// members splits a JSON object into its names and lines `name: value`, in the
// object's own order.
func members(raw json.RawMessage) (names, lines []string, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	open, err := d.Token()
	if err != nil || open != json.Delim('{') {
		return nil, nil, evergreen.Errorf(evergreen.Internal, "the metrics are not a JSON object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, evergreen.Errorf(evergreen.Internal, "the metrics cannot be read: %w", err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, evergreen.Errorf(evergreen.Internal, "the metrics cannot be read: %w", err)
		}
		var b bytes.Buffer
		if err := json.Compact(&b, value); err != nil {
			return nil, nil, evergreen.Errorf(evergreen.Internal, "the metrics cannot be read: %w", err)
		}
		names = append(names, name.(string))
		lines = append(lines, name.(string)+": "+b.String())
	}
	return names, lines, nil
}
