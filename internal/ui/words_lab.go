package ui

// This file holds the words of the repair lab.

import "evergreen"

type labWords struct {
	Title, Intro, Call, List, Own, Try, Examples, Nothing, Runs, Told, ToldNothing, Changes, Tools, Live string
	Diff, Same                                                                                           string

	Shapes   map[string]string // of the examples
	Stages   map[string]string
	Outcomes map[string]string
	Reasons  map[string]string // of refusals
	Notes    map[string]string
}

func labWordsOf(lang string) labWords {
	if lang == evergreen.LangChinese {
		return labChinese()
	}
	return labEnglish()
}

func labEnglish() labWords {
	return labWords{
		Title: "Repair lab",
		Intro: "Paste a tool call as an agent sent it, and see how it is repaired, stage by stage, and what the agent is told. Nothing is run.",
		Call:  "The call: JSON-RPC, or name and arguments", List: "Tools", Own: "this server's", Try: "Repair",
		Examples: "Try one:", Nothing: "Paste a call, or choose an example.",
		Runs: "The call that would run", Told: "What the agent reads after the result", ToldNothing: "nothing: there is nothing to teach",
		Changes: "changes", Tools: "tools", Live: "repaired as you type", Diff: "Difference", Same: "The text of the call stays as it was.",
		Shapes: map[string]string{
			"name": "another spelling of the name", "envelope": "arguments beside the name", "text": "arguments as text",
			"key": "another word for a parameter", "value": "numbers and lists as text", "message": "a whole message", "unclear": "two readings",
			"canonical": "a canonical call",
		},
		Stages: map[string]string{
			"envelope": "Envelope: where name and arguments are", "name": "Name: which tool is meant",
			"container": "Container: what carries the arguments", "wrapper": "Wrapper: what is around the arguments",
			"query": "Query: what is searched for", "key": "Keys: what parameters are called", "value": "Values: their types and forms",
		},
		Outcomes: map[string]string{
			"exact": "Canonical: it runs as it is, byte for byte.", "repaired": "Repaired: it runs in its canonical form.",
			"refused": "Refused: nothing runs, and the agent is told why.",
		},
		Reasons: map[string]string{
			"unknown_tool": "no tool has that name, or several are alike", "unavailable_tool": "the tool is not available here",
			"invalid_arguments": "the arguments do not fit the tool's schema", "ambiguous_arguments": "the arguments can be read in two ways",
		},
		Notes: map[string]string{
			"message": "Read as a JSON-RPC message: its params are the call.", "text": "Not JSON as it stands: read as text that holds a call.",
			"other": "This message calls no tool: only tools/call is repaired.",
		},
	}
}

func labChinese() labWords {
	return labWords{
		Title: "修复实验室",
		Intro: "粘贴智能体发出的工具调用，逐级查看它如何被修复，以及智能体会读到什么。这里不会执行任何调用。",
		Call:  "调用：JSON-RPC 消息，或 name 与 arguments", List: "工具", Own: "本服务器的", Try: "修复",
		Examples: "试一个：", Nothing: "粘贴一个调用，或选一个例子。",
		Runs: "将会执行的调用", Told: "智能体在结果之后读到的话", ToldNothing: "什么也没有：没有需要提醒的",
		Changes: "处改动", Tools: "个工具", Live: "输入时即时修复", Diff: "差异", Same: "调用的文本没有变化。",
		Shapes: map[string]string{
			"name": "名称的另一种写法", "envelope": "参数写在名称旁边", "text": "参数写成文本",
			"key": "参数换了说法", "value": "数字和列表写成文本", "message": "完整的消息", "unclear": "有两种读法", "canonical": "规范的调用",
		},
		Stages: map[string]string{
			"envelope": "信封：名称与参数在哪里", "name": "名称：指的是哪个工具", "container": "容器：用什么装参数",
			"wrapper": "外壳：参数外面包了什么", "query": "查询：要搜索什么", "key": "键：参数叫什么", "value": "值：类型与形式",
		},
		Outcomes: map[string]string{
			"exact": "规范：原样执行，一个字节也不改。", "repaired": "已修复：以规范形式执行。", "refused": "拒绝：不执行，并告诉智能体原因。",
		},
		Reasons: map[string]string{
			"unknown_tool": "没有这个名称的工具，或有几个相近的", "unavailable_tool": "此处不提供该工具",
			"invalid_arguments": "参数不符合工具的 schema", "ambiguous_arguments": "参数有两种读法",
		},
		Notes: map[string]string{
			"message": "按 JSON-RPC 消息读取：params 就是调用。", "text": "本身不是 JSON：按含有调用的文本读取。",
			"other": "这条消息没有调用工具：只修复 tools/call。",
		},
	}
}
