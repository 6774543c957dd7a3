package ui

// This file holds the words of the page of the layers.

import "evergreen"

// layersWords are the words of one language; lists go from L1 to L7.
type layersWords struct {
	Intro, Kept, Broken, Unchecked, OK, Bad string
	Mend, First, More, All                  string
	Path, Type, Tokens, Bytes               string
	Titles, Worth, Missing                  [7]string
}

func layersWordsOf(lang string) layersWords {
	if lang == evergreen.LangChinese {
		return layersWords{
			Intro: "本站对智能体说的一切，都由同一份内容快照生成。横条表示整份读取的代价，以最大的一份为准。",
			Kept:  "%d 项约定全部遵守", Broken: "%d 项约定没有遵守", Unchecked: "未检查", OK: "正常", Bad: "有问题",
			Mend: "查看详情：", First: "开头几行", More: "……", All: "本层的文档",
			Path: "路径", Type: "类型", Tokens: "token", Bytes: "字节",
			Titles: [7]string{"索引", "Markdown 镜像", "上下文 API", "智能体名片", "MCP", "结构化数据", "政策与发现"},
			Worth: [7]string{"有什么，按什么顺序读。", "每一页的 Markdown，不含导航。", "按 token 预算给出带引用的回答，以及全部条目的数据。",
				"智能体可以向本站提出的请求，不限厂商。", "MCP 工具及其用法。", "告诉搜索引擎页面是什么。", "内容可以怎样使用，以及各项资源的位置。"},
			Missing: [7]string{"还没有可以列出的内容：evergreen index ./docs", "还没有页面：evergreen index ./docs", "没有提供条目：evergreen index ./docs",
				"没有提供 A2A 名片：导出的站点没有服务器，请改用 evergreen serve。", "没有提供 MCP：导出的站点没有服务器，请改用 evergreen serve。",
				"", "没有提供政策文件。"},
		}
	}
	return layersWords{
		Intro: "Everything this site says to agents, written from one snapshot of its content. The bar shows what a document costs to read whole, against the largest.",
		Kept:  "all %d promises are kept", Broken: "%d promises are broken", Unchecked: "not checked", OK: "kept", Bad: "broken",
		Mend: "See what is wrong:", First: "First lines", More: "…", All: "Documents of this layer",
		Path: "Path", Type: "Type", Tokens: "tokens", Bytes: "Bytes",
		Titles: [7]string{"Index", "Markdown mirrors", "Context API", "Agent card", "MCP", "Structured data", "Policy and discovery"},
		Worth: [7]string{"What there is and in which order to read it.", "Every page as Markdown, without navigation.", "Cited answers within a budget of tokens, and all entries as data.",
			"What an agent can ask of this site, for agents of any maker.", "Tools over MCP, and how to work with them.", "What a page is, for search engines.", "What may be done with the content, and where everything is."},
		Missing: [7]string{"There is nothing to list yet: evergreen index ./docs", "There are no pages yet: evergreen index ./docs", "There are no entries yet: evergreen index ./docs",
			"No agent card: an export has no server behind it. Serve the site with evergreen serve.", "No MCP: an export has no server behind it. Serve the site with evergreen serve.",
			"", "No policy is served."},
	}
}
