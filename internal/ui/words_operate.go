package ui

// This file holds the words of the operator's page.

import "evergreen"

type operateWords struct {
	Title, Intro                                                                           string
	Library, Name, Documents, Sections, Tokens, Indexed, Source, Sources, Skipped, Nothing string
	OwnDocs, Damaged, Actions                                                              string
	Refresh, Delete, DeleteWhy, DeleteName, DeleteNow                                      string
	Add, Location, LocationHelp, NewName, NewNameHelp, OnePage, IndexNow                   string
	Jobs, Job, State0, Progress0, Cancel, NoJobs, JobsKept                                 string
	Watch, NoWatch, Way, Folders, Looked, Changed                                          string
	Upstreams, NoUpstreams, Server, Protocol, ToolsServed, KeptBack                        string
	Repairs, NoRepairs, When, Tool, Shape, Failed, UnknownTool, RepairsHelp                string
	Lost, Never, Ago, Rate, Left, Comma, Report, SkippedFor, Figures, More                 string
	SignInTitle, SignInIntro, SignInToken, SignIn, SignInWrong, SignInClosed, SignOut      string

	Units  []string // day, hour, minute, second
	States map[string]string
	Done   map[string]string
}

func operateWordsOf(lang string) operateWords {
	if lang == evergreen.LangChinese {
		return operateChinese()
	}
	return operateEnglish()
}

func operateEnglish() operateWords {
	return operateWords{
		Title: "Operate", Intro: "What is in the library, what is being done to it, and how the servers behind it are doing. For operators only.",
		Library: "Collections", Name: "Collection", Documents: "Documents", Sections: "Sections", Tokens: "Tokens", Indexed: "Indexed",
		Source: "Source", Sources: "Sources", Skipped: "Left out", Nothing: "The library is empty.",
		OwnDocs: "Until something is indexed, Evergreen's own documentation is served.", Damaged: "cannot be read", Actions: "Actions",
		Refresh: "Refresh", Delete: "Delete…", DeleteWhy: "The collection leaves the library; its sources stay where they are. Write its name to confirm.",
		DeleteName: "Name of the collection", DeleteNow: "Delete collection",
		Add: "Index a source", Location: "Folder, file or web address", LocationHelp: "Folders and files below: %s",
		NewName: "Name of the collection", NewNameHelp: "empty: from the source", OnePage: "of a web address this page only", IndexNow: "Index",
		Jobs: "Jobs", Job: "Job", State0: "State", Progress0: "Progress", Cancel: "Cancel", NoJobs: "Nothing is running.",
		JobsKept: "Jobs of this process, the newest first, agents' too.",
		Watch:    "Watched sources", NoWatch: "Nothing is watched. Start with: evergreen serve --watch FOLDER", Way: "noticed by", Folders: "%d folders",
		Looked: "looked %s", Changed: "changed %s",
		Upstreams: "Other MCP servers", NoUpstreams: "None is configured: see gateway.upstreams in the documentation.", Server: "Server", Protocol: "Protocol",
		ToolsServed: "Tools", KeptBack: "%d kept back",
		Repairs: "Recently repaired calls", NoRepairs: "No call had to be repaired yet.", When: "When", Tool: "Tool", Shape: "What was changed, or why it was refused",
		Failed: "ended in an error", UnknownTool: "none that is known", RepairsHelp: "By shape: kinds of changes, never what was in the calls.",
		Lost:  "The server does not answer; trying again.",
		Never: "never", Ago: "%s ago", Rate: "%s a second", Left: "%s left", Comma: ", ",
		Report:     "%s: %s found, %s indexed, %s unchanged, %s removed, %s left out",
		SkippedFor: "%s, for %d reasons", Figures: "Repairs by kind and request rates", More: "and %d more",
		SignInTitle: "Sign in to operate", SignInIntro: "This page is for operators: on the server's own machine, or with its token.",
		SignInToken: "Token of the server", SignIn: "Sign in", SignInWrong: "That is not the token of this server.",
		SignInClosed: "This server has no token, so it can be operated from its own machine only. Start it with --token-file to allow others.", SignOut: "Sign out",
		Units: []string{" d", " h", " min", " s"},
		States: map[string]string{"waiting": "waiting", "running": "running", "done": "done", "failed": "failed", "canceled": "canceled",
			"events": "events", "polling": "polling", "ready": "ready", "down": "not ready",
			"walk": "looking for files", "crawl": "crawling", "read": "reading", "commit": "writing"},
		Done: map[string]string{"index": "Indexing %s has begun.", "refresh": "Refreshing %s has begun.", "delete": "%s was deleted.", "cancel": "%s will end soon."},
	}
}

func operateChinese() operateWords {
	return operateWords{
		Title: "运维", Intro: "文档库里有什么，正在对它做什么，其他服务器状态如何。仅供运维人员使用。",
		Library: "文档集", Name: "文档集", Documents: "文档", Sections: "章节", Tokens: "Token", Indexed: "索引于",
		Source: "来源", Sources: "来源", Skipped: "未收入", Nothing: "文档库是空的。",
		OwnDocs: "在索引任何内容之前，提供 Evergreen 自己的文档。", Damaged: "无法读取", Actions: "操作",
		Refresh: "刷新", Delete: "删除…", DeleteWhy: "文档集将从文档库移除，来源保持不动。请输入其名称以确认。",
		DeleteName: "文档集名称", DeleteNow: "删除文档集",
		Add: "索引来源", Location: "文件夹、文件或网址", LocationHelp: "文件夹和文件须位于：%s",
		NewName: "文档集名称", NewNameHelp: "留空：取自来源", OnePage: "网址只取这一页", IndexNow: "索引",
		Jobs: "任务", Job: "任务", State0: "状态", Progress0: "进度", Cancel: "取消", NoJobs: "没有正在进行的任务。", JobsKept: "本进程的任务，最新的在前，也包括智能体发起的。",
		Watch: "监视的来源", NoWatch: "没有监视任何来源。启动方式：evergreen serve --watch 文件夹", Way: "发现方式", Folders: "%d 个文件夹",
		Looked: "最近查看：%s", Changed: "最近变更：%s",
		Upstreams: "其他 MCP 服务器", NoUpstreams: "没有配置：见文档中的 gateway.upstreams。", Server: "服务器", Protocol: "协议",
		ToolsServed: "工具", KeptBack: "保留 %d 个",
		Repairs: "最近修复的调用", NoRepairs: "还没有需要修复的调用。", When: "时间", Tool: "工具", Shape: "改了什么，或为何拒绝",
		Failed: "以出错告终", UnknownTool: "未知工具", RepairsHelp: "只记形状：改动的种类，不记调用的内容。",
		Lost: "服务器没有回应，正在重试。", Never: "从未", Ago: "%s前", Rate: "每秒 %s", Left: "还需 %s", Comma: "，",
		Report:     "%s：发现 %s，索引 %s，未变 %s，移除 %s，未收入 %s",
		SkippedFor: "%s，%d 种原因", Figures: "各类修复与请求速率", More: "另有 %d 个",
		SignInTitle: "登录运维", SignInIntro: "本页供运维人员使用：在服务器本机，或凭其令牌。",
		SignInToken: "服务器令牌", SignIn: "登录", SignInWrong: "这不是本服务器的令牌。",
		SignInClosed: "本服务器没有令牌，只能在本机运维。用 --token-file 启动即可允许其他机器。", SignOut: "退出",
		Units: []string{" 天", " 小时", " 分钟", " 秒"},
		States: map[string]string{"waiting": "等待", "running": "进行中", "done": "完成", "failed": "失败", "canceled": "已取消",
			"events": "系统事件", "polling": "轮询", "ready": "就绪", "down": "未就绪",
			"walk": "查找文件", "crawl": "抓取", "read": "读取", "commit": "写入"},
		Done: map[string]string{"index": "已开始索引 %s。", "refresh": "已开始刷新 %s。", "delete": "已删除 %s。", "cancel": "%s 即将结束。"},
	}
}
