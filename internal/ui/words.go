package ui

// This file holds every word of ours on pages, in two languages.

import "evergreen"

// words are the words of one language.
type words struct {
	Lang                                                        string // BCP 47
	Pointer                                                     string
	Skip, Layers, Search, SearchLabel, Contents, Breadcrumb     string
	OtherLang, OtherCode, Updated, Source, Mirror, Tokens       string
	Density, DensityHelp, Navigation, Licence, Served           string
	NoHit, Suggest, AllCollections, Hits, Example               string
	LayersIntro, Layer, Path, Bytes, Worth, AskHint, Collection string
	AskCollections                                              string
	Theme, Copy, Copied, Playground                             string
	Report, Lab, Operate                                        string
	worth                                                       map[string]string
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
		Theme: "Light or dark", Copy: "Copy", Copied: "Copied", Playground: "Playground",
		Report: "Metrics", Lab: "Lab", Operate: "Operate",
		Skip: "Skip to content", Layers: "Layers", Search: "Search", SearchLabel: "Search the documentation",
		Contents: "On this page", Breadcrumb: "Breadcrumb", OtherLang: "中文", OtherCode: "zh", Updated: "Updated", Source: "Source",
		Mirror: "Markdown", Tokens: "tokens", Density: "citable", Navigation: "Site",
		DensityHelp: "share of the page's tokens that is its content", Licence: "Licence of the content", Served: "Served by Evergreen",
		NoHit: "Nothing matches", Suggest: "Did you mean", AllCollections: "all collections", Hits: "hits for",
		Example: "Type a word or a question.", Layer: "Layer", Path: "Path", Bytes: "Bytes", Worth: "What it is worth",
		LayersIntro:    "Everything this site says to agents, written from one snapshot of its content. The bar shows what a document costs to read whole, against the largest.",
		AskHint:        "Agents ask with a budget of tokens:",
		Collection:     "Collection",
		AskCollections: "Searched:",
		worth: map[string]string{
			"L1": "The index: what there is and in which order to read it.",
			"L2": "Every page as Markdown, without navigation.",
			"L3": "Cited answers within a budget of tokens, and all entries as data.",
			"L4": "What an agent can ask of this site, for agents of any maker.",
			"L5": "Tools over MCP, and how to work with them.",
			"L6": "What a page is, for search engines.",
			"L7": "What may be done with the content, and where everything is.",
		},
	}
}

func chinese() words {
	return words{
		Lang: "zh-CN", Pointer: "是本站给智能体的索引：列出每一页的 Markdown 版本，并各用一句话说明其内容；先读索引，再取所需的页面。",
		Theme: "浅色或深色", Copy: "复制", Copied: "已复制", Playground: "演练场",
		Report: "指标", Lab: "实验室", Operate: "运维",
		Skip: "跳到正文", Layers: "机读层", Search: "搜索", SearchLabel: "搜索文档",
		Contents: "本页内容", Breadcrumb: "所在位置", OtherLang: "English", OtherCode: "en", Updated: "更新于", Source: "来源",
		Mirror: "Markdown", Tokens: "token", Density: "可引用", Navigation: "站点",
		DensityHelp: "正文占整页 token 的比例", Licence: "内容许可", Served: "由 Evergreen 提供",
		NoHit: "没有匹配", Suggest: "您要找的是", AllCollections: "全部文档集", Hits: "条结果：",
		Example: "输入一个词或一个问题。", Layer: "层", Path: "路径", Bytes: "字节", Worth: "有什么用",
		LayersIntro:    "本站对智能体说的一切，都由同一份内容快照生成。横条表示整份读取的代价，以最大的一份为准。",
		AskHint:        "智能体按 token 预算提问：",
		Collection:     "文档集",
		AskCollections: "搜索范围：",
		worth: map[string]string{
			"L1": "索引：有什么，按什么顺序读。",
			"L2": "每一页的 Markdown，不含导航。",
			"L3": "按 token 预算给出带引用的回答，以及全部条目的数据。",
			"L4": "智能体可以向本站提出的请求，不限厂商。",
			"L5": "MCP 工具及其用法。",
			"L6": "告诉搜索引擎页面是什么。",
			"L7": "内容可以怎样使用，以及各项资源的位置。",
		},
	}
}
