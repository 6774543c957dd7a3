package kb

import "evergreen"

// This file holds the rules that come with every bundle and every prompt pack,
// the most important first: where room is short the last ones go.

// Rules returns how to answer from a bundle, in the given language (English
// unless it is evergreen.LangChinese). The slice is the caller's.
func Rules(lang string) []string {
	if lang == evergreen.LangChinese {
		return []string{
			"每个事实性断言的句末标注来源条目，格式为 [ID]。",
			"只引用答案里出现过的 ID，绝不编造；条目没有写到的，直接说没有依据。",
			"truncated 为 true 表示还有相关条目没装下：先提高 budget 或收窄问题，再下结论。",
			"引用 confidence 低于 0.80 的条目时，说明这一点尚不确定。",
			"引用 updated 早于 12 个月前的条目时，说明内容可能已经过时。",
		}
	}
	return []string{
		"End every factual claim with the marker of the entry it rests on, written [ID].",
		"Cite only IDs that appear in an answer and never invent one; where no entry speaks, say that there is no source.",
		"When truncated is true, related entries did not fit: raise the budget or narrow the question before concluding.",
		"When an entry's confidence is below 0.80, say that the point is uncertain.",
		"When an entry was updated more than 12 months ago, say that it may be stale.",
	}
}
