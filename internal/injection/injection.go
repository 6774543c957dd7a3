// Package injection finds passages that address the model which reads them with
// instructions, instead of telling its user something. It marks; it neither
// changes nor withholds anything, for no list of patterns can tell an attack from
// a page about attacks.
//
// The patterns follow what the published attacks have in common (OWASP Top 10
// for LLM applications, LLM01; Greshake et al., 2023, "Not what you've signed up
// for"): they set earlier instructions aside, give a new role, speak to readers
// that are models, keep the user in the dark, ask for what the model was told,
// imitate the markup of a conversation, or hide in characters that nobody sees.
// English and Chinese.
package injection

import (
	"regexp"
	"slices"
	"strings"
)

// A Mark is one place that addresses the model.
type Mark struct {
	Rule  string // name of a rule, see [Rules]
	Start int    // bytes into the text
	End   int
	Text  string // the words, on one line, at most 120 characters
}

// A Rule is one kind of instruction.
type Rule struct {
	Name    string
	Meaning string // what such a passage does
	find    *regexp.Regexp
	needs   [][]string // a text without a word of each list, in small letters, is not searched
}

// Parts of patterns.
const (
	// earlier is what a model was told before.
	earlier = `(?:(?:all|any|every|the|of|these|those)\s+){0,4}(?:your|my|previous|prior|above|preceding|earlier|existing|original|system|initial|safety|foregoing)\s+(?:(?:and|previous|prior|original|system|initial|safety|security)\s+){0,3}(?:instructions?|prompts?|directives?|guardrails?)`
	// model is a reader that is one.
	model = `(?:an?\s+|any\s+|all\s+|the\s+)?(?:(?:AI|artificial intelligence|LLM|large language|language|helpful|coding|autonomous)\s+)*(?:AIs?|LLMs?|(?:language\s+)?models?|AI\s+(?:assistants?|agents?|crawlers?|systems?)|assistants?|chatbots?|ChatGPT|GPT-?\d\w*|Claude|Gemini|Copilot)`
	// modelZH is the same in Chinese.
	modelZH = `(?:AI|人工智能|大?语言模型|大模型|智能助手|AI\s?助手|聊天机器人|智能体|ChatGPT)`
)

// Rules returns the rules in the order in which marks are reported.
func Rules() []Rule {
	words := strings.Fields
	rule := func(name, meaning string, needs [][]string, patterns ...string) Rule {
		return Rule{name, meaning, regexp.MustCompile(`(?i)(?:` + strings.Join(patterns, "|") + `)`), needs}
	}
	return []Rule{
		rule("override", "sets earlier instructions aside", [][]string{words("ignore disregard forget override bypass discard follow obey 忽略 无视 忘 抛弃 遵"), words("instruction prompt directive guardrail 指令 指示 提示 规则 设定 约束 要求")},
			`\b(?:ignore|disregard|forget|override|bypass|discard)\s+`+earlier,
			`\bdo\s+not\s+(?:follow|obey)\s+`+earlier,
			`(?:忽略|无视|忘记|忘掉|抛弃|不要?遵[守循])(?:掉|你|所有|之前|以上|上述|先前|前面|此前|系统|给你|的|一切|任何|全部){1,6}(?:指令|指示|提示词?|规则|设定|约束|要求)`),
		rule("role", "gives the model a new role", [][]string{{"you are", "you\nare", "from now on", "pretend", "你现在是", "从现在"}, words("ai assistant agent chatbot model mode jailbr dan restrictions act answer behave respond obey ignore pretend only administrator 助手 角色 听从 服从 无视 忽略 限制 开发者")},
			`\byou\s+are\s+(?:now|no\s+longer)\s+(?:an?|the|in|bound\s+by)\s+(?:[\w-]+\s+){0,3}(?:AI|assistant|agent|chatbot|language\s+model|developer\s+mode|jailbr\w+|DAN\b|restrictions)`,
			`\bfrom\s+now\s+on,?\s+you\s+(?:are|will|must|shall|should)\s+(?:act|answer|behave|respond|obey|ignore|pretend|only)`,
			`\bpretend\s+(?:to\s+be|that\s+you\s+are|you\s+are)\s+(?:an?\s+)?(?:[\w-]+\s+){0,3}(?:AI|assistant|model|administrator|developer\s+mode)`,
			`你现在是[^。？?\n]{0,20}(?:没有限制|不受限制|助手|模型|AI|开发者模式)`,
			`从现在(?:开始|起)[，,]?你(?:是|将|必须|要)[^。？?\n]{0,20}(?:助手|模型|角色|听从|服从|无视|忽略)`),
		rule("address", "speaks to readers that are models", [][]string{{"if you", "attention", "note", "notice", "message", "instruction", " this", "\nthis", "如果你是", "致", "请"}, words("ai intelligence llm model assistant chatbot chatgpt gpt claude gemini copilot 模型 智能")},
			`\bif\s+you\s+are\s+`+model+`\b[^.\n]{0,80}\b(?:you\s+must|please|ignore|do\s+not|don't|instead|then\s+(?:say|reply|respond|output|send|call|run))`,
			`\b(?:attention|note|notice|message|instructions?)\s*(?::|,|to|for)\s*(?:all\s+)?`+model+`\s*(?::|,|!|who|that|reading|processing|summari[sz]ing)`,
			`\b`+model+`\s+(?:reading|processing|summari[sz]ing|parsing)\s+this\b[^.\n]{0,60}\b(?:must|should|please|shall|will)\b`,
			`如果你是(?:一个|一名|一款)?`+modelZH+`[^。\n]{0,40}(?:必须|请|忽略|不要|应当|务必)`,
			`(?:致|请)(?:所有|各位)?`+modelZH+`(?:们)?(?:：|:|注意|务必|必须|执行)`),
		rule("secrecy", "keeps the user in the dark", [][]string{words("tell inform alert mention reveal 告诉 告知 通知 提醒 透露 用户"), words("user 用户"), words("not don't never without 不要 不得 切勿 禁止")},
			`\b(?:do\s+not|don't|never|without)\s+(?:tell|telling|inform|informing|alert|alerting|mention(?:ing)?\s+(?:this|it|anything)\s+to|reveal(?:ing)?\s+(?:this|it)\s+to)\s+(?:to\s+)?(?:the|your)\s+(?:human\s+)?user\b[^.\n]{0,40}\b(?:this|these|that\s+you|about\s+(?:it|this))`,
			`(?:不要|不得|切勿|禁止)(?:告诉|告知|通知|提醒|透露给|向)(?:你的)?用户[^。\n]{0,12}(?:这|此|本|以上|指令|提示)`),
		rule("reveal", "asks for what the model was told", [][]string{{"system prompt", "system message", "initial instructions", "hidden instructions", "history", "系统", "初始", "隐藏", "聊天"}},
			`\b(?:reveal|print|repeat|output|show|display|leak|send|disclose)\s+(?:me\s+|us\s+|back\s+)?(?:all\s+of\s+)?(?:your|the)\s+(?:full\s+|entire\s+|hidden\s+|secret\s+|initial\s+|original\s+|complete\s+)*(?:system\s+prompt|system\s+message|initial\s+instructions|hidden\s+instructions|conversation\s+history|chat\s+history)\b[^.\n]{0,60}(?:\bto\s+https?://|\bverbatim\b|\bword\s+for\s+word\b|\bnow\b|\bimmediately\b)`,
			`(?:输出|显示|重复|泄露|发送|说出)(?:你的)?(?:完整|全部|隐藏|初始)?的?(?:系统提示词?|系统指令|初始指令|隐藏指令|聊天记录)(?:到|至|给|原文|全文|，|。|!|！)`),
		rule("markup", "imitates the markup of a conversation", [][]string{{"<|", "<<sys>>", "[inst]", "system", "important", "assistant"}},
			`<\|im_start\|>\s*system`, `<<SYS>>`, `\[INST\]`, `<\|(?:system|start_header_id)\|>`,
			`(?:BEGIN|START|NEW)\s+(?:OF\s+)?SYSTEM\s+(?:PROMPT|MESSAGE|INSTRUCTIONS?)\b`,
			`<(?:system|important|assistant)[-_]?(?:prompt|instructions?|override)>`),
		{Name: "hidden", Meaning: "hides in characters that nobody sees"}, // found by hidden
	}
}

// A Finder looks for marks. It is safe for concurrent use.
type Finder struct{ rules []Rule }

// New compiles the rules.
func New() *Finder { return &Finder{Rules()} }

// Find returns the marks of a text, by rule and place, at most maxMarks.
func (f *Finder) Find(text string) []Mark {
	var marks []Mark
	small := strings.ToLower(text)
	for _, r := range f.rules {
		var spans [][]int
		switch {
		case r.find == nil:
			spans = hidden(text)
		case r.worth(small):
			spans = r.find.FindAllStringIndex(text, maxMarks)
		}
		for _, s := range spans {
			if len(marks) == maxMarks {
				return marks
			}
			marks = append(marks, Mark{r.Name, s[0], s[1], shown(text[s[0]:s[1]])})
		}
	}
	return marks
}

// worth reports whether a text in small letters can hold what the rule finds.
func (r Rule) worth(small string) bool {
	for _, list := range r.needs {
		if !slices.ContainsFunc(list, func(word string) bool { return strings.Contains(small, word) }) {
			return false
		}
	}
	return true
}

// Tag characters (Unicode, block Tags) spell ASCII invisibly. Flags of regions
// use a few behind a black flag.
const firstTag, lastTag, blackFlag = '\U000E0000', '\U000E007F', '\U0001F3F4'

// hidden finds runs of characters that draw nothing: of tag characters three, of
// others, which some scripts and emoji need one by one, hiddenRun.
func hidden(text string) [][]int {
	if !strings.ContainsFunc(text, invisible) {
		return nil
	}
	var out [][]int
	start, n, tags := -1, 0, 0
	before, last := rune(0), rune(0)
	end := func(i int) {
		if start >= 0 && (tags >= hiddenTags && before != blackFlag || n >= hiddenRun) {
			out = append(out, []int{start, i})
		}
		start, n, tags = -1, 0, 0
	}
	for i, c := range text {
		if !invisible(c) {
			end(i)
			last = c
			continue
		}
		if start < 0 {
			start, before = i, last
		}
		if n++; c >= firstTag && c <= lastTag {
			tags++
		}
	}
	end(len(text))
	return out
}

func invisible(c rune) bool {
	return c >= firstTag && c <= lastTag || c >= 0x200B && c <= 0x200F || c >= 0x2060 && c <= 0x2064 || c == 0xFEFF ||
		c >= 0xFE00 && c <= 0xFE0F || c >= 0xE0100 && c <= 0xE01EF
}

// shown writes a place on one line, what is invisible as its code points.
func shown(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c >= firstTag && c <= lastTag && c-firstTag >= ' ' && c-firstTag < 0x7F:
			b.WriteRune(c - firstTag) // what it spells
		case invisible(c):
			b.WriteRune('·')
		default:
			b.WriteRune(c)
		}
	}
	runes := []rune(strings.Join(strings.Fields(b.String()), " "))
	if len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return string(runes)
}

// Names returns the names of the rules that have found something, each once.
func Names(marks []Mark) []string {
	var names []string
	for _, m := range marks {
		if !slices.Contains(names, m.Rule) {
			names = append(names, m.Rule)
		}
	}
	return names
}
