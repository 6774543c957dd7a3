package kb

import (
	"embed"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// This file hands out the prompt packs: texts that a host puts before a
// conversation so that a model uses the tools and cites what they return.

//go:embed packs/*.md
var packFiles embed.FS

// DefaultScenario is the one meant when none is named.
const DefaultScenario = "chat"

// Scenario is a kind of work that has a prompt pack.
type Scenario struct {
	Name        string // as tools and URLs take it
	Title       string
	Description string // one sentence
}

// Scenarios returns the four scenarios with titles and descriptions in the
// given language, in their fixed order.
func Scenarios(lang string) []Scenario {
	if lang == evergreen.LangChinese {
		return []Scenario{
			{"chat", "对话问答", "在对话中依据检索到的条目作答，并逐句标注来源。"},
			{"coding", "编写代码", "写代码之前先查文档，以文档而不是记忆为准。"},
			{"research", "调研", "多次检索、互相印证，写出每一句都能追溯的报告。"},
			{"support", "用户支持", "把文档中的步骤讲给遇到问题的用户，没有依据时如实转交。"},
		}
	}
	return []Scenario{
		{"chat", "Chat", "Answer in conversation from retrieved entries and cite every claim."},
		{"coding", "Coding", "Look the documentation up before writing code, and trust it over memory."},
		{"research", "Research", "Search several ways, compare, and report so that each sentence can be traced."},
		{"support", "Support", "Walk a user through documented steps, and hand over honestly where none apply."},
	}
}

// Pack returns the prompt pack of a scenario in the given language (English
// unless it is evergreen.LangChinese), as Markdown with one newline at its end.
// "" means DefaultScenario; an unknown scenario is an Invalid error that names
// the four.
func Pack(scenario, lang string) (string, error) {
	if scenario == "" {
		scenario = DefaultScenario
	}
	if lang != evergreen.LangChinese {
		lang = evergreen.LangEnglish
	}
	if !slices.Contains(scenarioNames(), scenario) {
		return "", evergreen.Errorf(evergreen.Invalid, "scenario %q is not known", scenario).
			Fix("Use one of %s.", strings.Join(scenarioNames(), ", ")).
			Near(text.Nearest(scenario, scenarioNames(), 1)...)
	}
	own, err := readPack(scenario, lang)
	if err != nil {
		return "", err
	}
	shared, err := readPack("order", lang)
	if err != nil {
		return "", err
	}
	rules := "- " + strings.Join(Rules(lang), "\n- ") + "\n"
	return own + "\n" + strings.Replace(shared, "{{rules}}\n", rules, 1), nil
}

func readPack(name, lang string) (string, error) {
	b, err := packFiles.ReadFile("packs/" + name + "." + lang + ".md")
	if err != nil {
		return "", evergreen.Errorf(evergreen.Internal, "the prompt packs are incomplete: %w", err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n"), nil
}

func scenarioNames() []string {
	var names []string
	for _, s := range Scenarios(evergreen.LangEnglish) {
		names = append(names, s.Name)
	}
	return names
}
