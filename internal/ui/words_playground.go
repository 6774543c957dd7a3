package ui

// This file holds the words of the playground; the script gets them as data.

import "evergreen"

// playgroundWords are the words of one language. %s stand for figures.
type playgroundWords struct {
	Title, Intro                         string
	Question, Hint, Ask                  string
	Collection, Category, Budget, All    string
	Examples                             string
	UsedOf, OneEntry, Entries, LeftOutN  string // figures
	Asking, FromServer, FromBrowser      string
	Tokens, Score, Relevance             string
	Open, CopyID, Whole, Passage         string
	ConfidenceIs, UpdatedOn              string
	LeftOut, LeftOutWhy, Raise, TooLarge string
	Citations, Rules                     string
	Views, ViewEntries, AsMarkdown       string
	AsJSON, MarkdownCost                 string
	Same, SameHint                       string
	NoMatch, NoMatchHelp, DidYou         string
	Unfit                                string
	EmptyTopic                           string
	Refused, Gone, GoneNothing, SlowDown string
	About                                string
}

func playgroundWordsOf(lang string) playgroundWords {
	if lang == evergreen.LangChinese {
		return playgroundWords{
			Title: "提问 %s", Intro: "输入问题，看到的就是智能体会拿到的内容，以及它要花多少 token。",
			Question: "问题", Hint: "输入问题或几个词", Ask: "提问",
			Collection: "文档集", Category: "类别", Budget: "预算", All: "全部",
			Examples: "试试：",
			UsedOf:   "%s / %s token", OneEntry: "1 条", Entries: "%s 条", LeftOutN: "%s 条未装入",
			Asking: "正在查询…", FromServer: "由服务器回答，用时 %s 毫秒", FromBrowser: "服务器没有回应，由本浏览器回答",
			Tokens: "token", Score: "得分", Relevance: "相关度",
			Open: "打开", CopyID: "复制编号", Whole: "智能体读到的原文", Passage: "节选",
			ConfidenceIs: "置信度 %s", UpdatedOn: "更新于 %s",
			LeftOut: "未装入", LeftOutWhy: "命中了，但剩余预算放不下。", Raise: "把预算提高到 %s", TooLarge: "超出最大预算：请收窄问题",
			Citations: "引用", Rules: "随回答给智能体的规则",
			Views: "显示为", ViewEntries: "条目", AsMarkdown: "Markdown", AsJSON: "JSON", MarkdownCost: "智能体收到的整段文字：%s token",
			Same: "用命令提同样的问题", SameHint: "结果与上面相同；MCP 的预算按整段文字计算，最多 5 条。",
			NoMatch: "没有条目与这个问题匹配，以下是通用条目。", NoMatchHelp: "换几个词试试，或放开文档集与类别。", DidYou: "您要找的是：",
			Unfit:      "预算放不下任何条目：请把预算调高。",
			EmptyTopic: "输入问题，或从上面的例子开始。",
			Refused:    "服务器不接受这个问题：", Gone: "服务器没有回应。", GoneNothing: "本浏览器还没有可用的内容：请检查服务器是否在运行，然后再试。",
			SlowDown: "提问过快：%s 秒后自动再试。",
			About:    "关于本站",
		}
	}
	return playgroundWords{
		Title: "Ask %s", Intro: "Type a question: below is what an agent gets for it, and what it costs in tokens.",
		Question: "Question", Hint: "A question, or a few words", Ask: "Ask",
		Collection: "Collection", Category: "Category", Budget: "Budget", All: "all",
		Examples: "Try:",
		UsedOf:   "%s of %s tokens", OneEntry: "1 entry", Entries: "%s entries", LeftOutN: "%s left out",
		Asking: "Asking…", FromServer: "answered by the server in %s ms", FromBrowser: "the server is gone: answered by this browser",
		Tokens: "tokens", Score: "score", Relevance: "relevance",
		Open: "Open", CopyID: "Copy id", Whole: "Text as the agent gets it", Passage: "passage",
		ConfidenceIs: "confidence %s", UpdatedOn: "updated %s",
		LeftOut: "Left out", LeftOutWhy: "They match, but what is left of the budget is too small for them.", Raise: "Raise the budget to %s", TooLarge: "larger than any budget: narrow the question",
		Citations: "Citations", Rules: "Rules that come with the answer",
		Views: "Show as", ViewEntries: "Entries", AsMarkdown: "Markdown", AsJSON: "JSON", MarkdownCost: "The whole text, as an agent gets it: %s tokens",
		Same: "Ask the same from elsewhere", SameHint: "The same answer as above. Over MCP the budget bounds the whole text, and there are at most 5 entries.",
		NoMatch: "Nothing matches this question; these are general entries.", NoMatchHelp: "Try other words, or all collections and categories.", DidYou: "Did you mean:",
		Unfit:      "No entry fits into this budget: raise it.",
		EmptyTopic: "Type a question, or begin with an example.",
		Refused:    "The server refuses this question:", Gone: "The server does not answer.", GoneNothing: "This browser has nothing to answer from yet: see that the server runs, then ask again.",
		SlowDown: "Too many questions at once: asking again in %s seconds.",
		About:    "About this site",
	}
}
