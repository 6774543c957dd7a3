package ui

// This file holds the words of the page of figures. Patterns take numbers that
// are written already.

import "evergreen"

type reportWords struct {
	Title, Intro, About, Taken, How, Table, Waiting, Again, Private, AllPages string
	Requests, Tokens, Calls, HTML, Mirror, SinceStart                         string

	Walks, WalksSays, WalksHow, With, Without                                  string
	Layers, LayersSays, LayersHow                                              string
	Density, DensitySays, DensityHow, DensityAxis                              string
	Coverage, CoverageSays, CoverageHow, CoverageAxis, Found, Whole            string
	Repairs, RepairsSays                                                       string
	Traffic, TrafficSays, TrafficHow, All, Agents, Refused                     string
	WalksHead, LayersHead, DensityHead, CoverageHead, RepairsHead, TrafficHead []string
}

func reportWordsOf(lang string) reportWords {
	if lang == evergreen.LangChinese {
		return reportChinese()
	}
	return reportEnglish()
}

func reportEnglish() reportWords {
	return reportWords{
		Title: "What this site costs agents", Intro: "Measured on what this server really sends, not estimated from what it should send.",
		About: "Content %s; tokens are estimated as %s.", Taken: "Measured", How: "How it was measured:", Table: "Numbers",
		Waiting: "The figures are being taken: every page of the sample is asked for and every question walked. This takes some seconds.",
		Again:   "Look again", Private: "Repairs and request rates are shown to operators only.",
		AllPages: "All %d pages", Requests: "requests", Tokens: "tokens", Calls: "calls", HTML: "HTML page", Mirror: "Markdown",
		SinceStart: "counted by this server since its start, over every agent; names of changes only, never what was in the calls.",

		Walks:     "Requests to a usable answer",
		WalksSays: "An agent reaches a usable answer in %s requests, for %d of %d questions; without llms.txt in %s, for %d. It reads %s tokens on the way; without, %s.",
		WalksHow: "the titles of %d pages are asked, and an answer is usable when it holds the page asked about. With llms.txt: read it, ask the API as it says with 2,000 tokens, and open the linked page if that was not enough. " +
			"Without: start at the home page and follow the link whose words have most in common with the question; a walk is given up after 25 requests, which count.",
		With: "with llms.txt", Without: "without", WalksHead: []string{"Way", "Found", "Requests, mean", "Tokens read, mean"},

		Layers: "Tokens per layer", LayersSays: "%s costs %s tokens to read whole, %s costs %s.",
		LayersHow: "each document is fetched once and its text counted.", LayersHead: []string{"Layer and path", "Tokens", "Bytes"},

		Density: "Citable density per page", DensitySays: "Of the tokens of an HTML page %s are its content; of its Markdown mirror %s.",
		DensityHow:  "%d of %d pages, evenly spread, each fetched as HTML and as Markdown; density is the tokens of the main content over the tokens of what was sent.",
		DensityAxis: "Pages from the least dense to the densest.", DensityHead: []string{"Page", "HTML tokens", "Markdown tokens", "HTML density", "Markdown density"},

		Coverage: "Budget against coverage", CoverageSays: "With %s tokens the answer cites the page asked about for %d of %d questions, and uses %s tokens.",
		CoverageHow:  "the same %d questions are asked at every budget. Found: the page asked about is cited. Nothing left out: everything that matched was packed.",
		CoverageAxis: "Budgets in tokens from left to right.", Found: "found", Whole: "nothing left out",
		CoverageHead: []string{"Budget", "Found", "Nothing left out", "Tokens used, mean", "Tokens of the JSON, mean"},

		Repairs: "Repairs by kind", RepairsSays: "Of %s tool calls %s were canonical, %s were repaired and %s refused; %s calls came right after a hint, %s repaired calls ended in an error.",
		RepairsHead: []string{"Change or reason", "Calls"},

		Traffic: "Requests per minute", TrafficSays: "%s requests in the last hour, at most %s in one minute.",
		TrafficHow: "counted by this server when an answer ends; agents are the API, MCP and A2A; refused are 401, 403 and 429. The table counts since the start.",
		All:        "all", Agents: "agents", Refused: "refused", TrafficHead: []string{"Route", "Requests since the start"},
	}
}

func reportChinese() reportWords {
	return reportWords{
		Title: "本站让智能体付出多少", Intro: "按本服务器实际发送的内容测量，而不是按应当发送的内容估算。",
		About: "内容版本 %s；token 按 %s 估算。", Taken: "测量于", How: "测量方法：", Table: "数据",
		Waiting: "正在测量：逐页读取样本，逐题走完全程，需要几秒钟。", Again: "再看一次", Private: "修复情况与请求速率只对运维人员显示。",
		AllPages: "全部 %d 页", Requests: "请求", Tokens: "token", Calls: "调用", HTML: "HTML 页面", Mirror: "Markdown",
		SinceStart: "由本服务器自启动起统计，覆盖所有智能体；只记改动的名称，不记调用的内容。",

		Walks:     "得到可用回答所需的请求",
		WalksSays: "智能体平均用 %s 次请求得到可用的回答，%[3]d 个问题中成功 %[2]d 个；没有 llms.txt 时要 %[4]s 次，成功 %[5]d 个。途中读取 %[6]s token；没有时为 %[7]s。",
		WalksHow: "以 %d 个页面的标题提问，回答含有所问的页面即为可用。有 llms.txt：先读它，再按它所说以 2,000 token 询问 API，不够时打开所链接的页面。" +
			"没有：从首页出发，每次点击与问题用词最接近的链接；25 次请求后放弃，也计入平均。",
		With: "有 llms.txt", Without: "没有", WalksHead: []string{"方式", "找到", "请求，平均", "读取的 token，平均"},

		Layers: "各层的 token", LayersSays: "整份读取 %s 需要 %s token，%s 需要 %s。",
		LayersHow: "每份文档读取一次，统计其文本。", LayersHead: []string{"层与路径", "Token", "字节"},

		Density: "每页的可引用密度", DensitySays: "HTML 页面的 token 中有 %s 是正文；Markdown 版本中有 %s。",
		DensityHow:  "均匀抽取 %d 页（共 %d 页），分别以 HTML 和 Markdown 读取；密度为正文 token 与所发送 token 之比。",
		DensityAxis: "页面按密度由低到高排列。", DensityHead: []string{"页面", "HTML token", "Markdown token", "HTML 密度", "Markdown 密度"},

		Coverage: "预算与覆盖", CoverageSays: "预算 %s token 时，回答为 %[3]d 个问题中的 %[2]d 个引用了所问的页面，平均使用 %[4]s token。",
		CoverageHow:  "同样的 %d 个问题，在每个预算下各问一次。找到：引用了所问的页面。没有遗漏：所有匹配的内容都已收入。",
		CoverageAxis: "横轴为预算（token），从左到右。", Found: "找到", Whole: "没有遗漏",
		CoverageHead: []string{"预算", "找到", "没有遗漏", "使用的 token，平均", "JSON 的 token，平均"},

		Repairs: "各类修复", RepairsSays: "共 %s 次工具调用：规范 %s 次，修复 %s 次，拒绝 %s 次；提示之后改正 %s 次，修复后仍出错 %s 次。",
		RepairsHead: []string{"改动或原因", "调用"},

		Traffic: "每分钟请求", TrafficSays: "最近一小时 %s 次请求，一分钟内最多 %s 次。",
		TrafficHow: "由本服务器在回答结束时计数；智能体指 API、MCP 与 A2A；拒绝指 401、403 与 429。表格自启动起计数。",
		All:        "全部", Agents: "智能体", Refused: "拒绝", TrafficHead: []string{"路由", "自启动起的请求"},
	}
}
