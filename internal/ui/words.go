package ui

// This file holds the words around pages, in two languages; those of a page
// stand in words_NAME.go.

import "evergreen"

// words are the words of one language.
type words struct {
	Lang                                                    string // BCP 47
	Pointer                                                 string
	Skip, Layers, Search, SearchLabel, Contents, Breadcrumb string
	OtherLang, OtherCode, Updated, Source, Mirror, Tokens   string
	Density, DensityHelp, Navigation, Licence, Served       string
	Keys, KeyFind, KeyMarkdown, KeyHits, KeyKeys            string
	Theme, Copy, Copied, Playground                         string
	Report, Lab, Operate                                    string
}

// wordsOf chooses the language; English stands in for others.
func wordsOf(lang string) words {
	if lang == evergreen.LangChinese {
		return chinese()
	}
	return english()
}

func english() words {
	return words{
		Lang: "en", Pointer: "is the index of this site for agents: every page as Markdown, each with one sentence on what it holds.",
		Keys: "Keys", KeyFind: "to the question or search field", KeyMarkdown: "the page as Markdown",
		KeyHits: "from hit to hit; Enter opens, Shift+Enter its Markdown", KeyKeys: "this list",
		Theme: "Light or dark", Copy: "Copy", Copied: "Copied", Playground: "Playground",
		Report: "Metrics", Lab: "Lab", Operate: "Operate",
		Skip: "Skip to content", Layers: "Layers", Search: "Search", SearchLabel: "Search the documentation",
		Contents: "On this page", Breadcrumb: "Breadcrumb", OtherLang: "中文", OtherCode: "zh", Updated: "Updated", Source: "Source",
		Mirror: "Markdown", Tokens: "tokens", Density: "citable", Navigation: "Site",
		DensityHelp: "share of the page's tokens that is its content", Licence: "Licence of the content", Served: "Served by Evergreen",
	}
}

func chinese() words {
	return words{
		Lang: "zh-CN", Pointer: "是本站给智能体的索引：列出每一页的 Markdown 版本，并各用一句话说明其内容；先读索引，再取所需的页面。",
		Keys: "按键", KeyFind: "跳到提问或搜索框", KeyMarkdown: "打开本页的 Markdown",
		KeyHits: "在结果间移动；Enter 打开，Shift+Enter 打开其 Markdown", KeyKeys: "显示这份列表",
		Theme: "浅色或深色", Copy: "复制", Copied: "已复制", Playground: "演练场",
		Report: "指标", Lab: "实验室", Operate: "运维",
		Skip: "跳到正文", Layers: "机读层", Search: "搜索", SearchLabel: "搜索文档",
		Contents: "本页内容", Breadcrumb: "所在位置", OtherLang: "English", OtherCode: "en", Updated: "更新于", Source: "来源",
		Mirror: "Markdown", Tokens: "token", Density: "可引用", Navigation: "站点",
		DensityHelp: "正文占整页 token 的比例", Licence: "内容许可", Served: "由 Evergreen 提供",
	}
}
