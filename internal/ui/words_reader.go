package ui

// This file holds the words of the reader; the script gets some of them as data.

import "evergreen"

// readerWords are the words of one language.
type readerWords struct {
	About    string `json:"-"`
	OpenAs   string `json:"-"`
	CopyPage string `json:"-"`
	CopyID   string
	CopyText string
	CopyHelp string
	Failed   string
}

func readerWordsOf(lang string) readerWords {
	if lang == evergreen.LangChinese {
		return readerWords{
			About: "关于本页", OpenAs: "打开 Markdown 版本", CopyPage: "为智能体复制本页",
			CopyID: "复制编号", CopyText: "为智能体复制", CopyHelp: "本节与前后各一节，带引用标记", Failed: "没有复制：服务器没有回应",
		}
	}
	return readerWords{
		About: "About this page", OpenAs: "Open as Markdown", CopyPage: "Copy this page for an agent",
		CopyID: "Copy id", CopyText: "Copy for an agent", CopyHelp: "this section with its neighbours, each with its marker", Failed: "Not copied: the server does not answer",
	}
}
