package ui

// This file holds the words of the search page; the script gets them as data.

import "evergreen"

// searchWords are the words of one language. %s stand for figures and words.
type searchWords struct {
	Hint, OneHit, Hits, NoHit, NoHitHelp, DidYou string
	InCollection, InFolder, All, There           string
	Tokens, Markdown, Keys                       string
	FromBrowser, Gone, GoneNothing               string
}

func searchWordsOf(lang string) searchWords {
	if lang == evergreen.LangChinese {
		return searchWords{
			Hint: "输入一个词或一个问题", OneHit: "“%s”：1 条结果", Hits: "“%s”：%s 条结果", NoHit: "没有找到“%s”。", NoHitHelp: "搜索了标题和正文，词形变化也算。换个说法，或从下面的文档找起。", DidYou: "您要找的是：",
			InCollection: "文档集", InFolder: "目录", All: "全部", There: "可以搜索的内容",
			Tokens: "token", Markdown: "Markdown", Keys: "↑ ↓ 选择，Enter 打开，Shift+Enter 打开 Markdown",
			FromBrowser: "服务器没有回应，由本浏览器搜索", Gone: "服务器没有回应。", GoneNothing: "本浏览器还没有可用的内容：请检查服务器是否在运行，然后再试。",
		}
	}
	return searchWords{
		Hint: "A word or a question", OneHit: "“%s”: 1 hit", Hits: "“%s”: %s hits", NoHit: "Nothing matches “%s”.", NoHitHelp: "Titles and texts were searched, also for other forms of the words. Say it differently, or begin with a document below.", DidYou: "Did you mean:",
		InCollection: "Collection", InFolder: "Folder", All: "all", There: "What there is to search",
		Tokens: "tokens", Markdown: "Markdown", Keys: "↑ ↓ choose, Enter opens, Shift+Enter opens the Markdown",
		FromBrowser: "the server is gone: searched in this browser", Gone: "The server does not answer.", GoneNothing: "This browser has nothing to search in yet: see that the server runs, then try again.",
	}
}
