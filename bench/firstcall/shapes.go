package main

// tool is the name of the tool, and found what it says when it ran as meant.
const (
	tool   = "searxng_web_search"
	found  = "found q"
	schema = `{"type":"object","properties":{"query":{"type":"string"},` +
		`"num_results":{"type":"number","minimum":1,"maximum":20},"time_range":{"type":"string","enum":["day","week","month","year"]},` +
		`"language":{"type":"string"},"safesearch":{"type":"string","enum":["0","1","2"]},"pageno":{"type":"integer"}},"required":["query"]}`
)

// shape is one way to call the tool.
type shape struct{ what, params string }

// forbidden are calls that the schema forbids and that have no single reading: a
// careful caller wants them refused.
var forbidden = []shape{
	{"another tool's name", `{"name":"image_search","arguments":{"query":"q"}}`},
	{"no arguments", `{"name":"searxng_web_search"}`},
	{"no query", `{"name":"searxng_web_search","arguments":{"num_results":5}}`},
	{"null for the query", `{"name":"searxng_web_search","arguments":{"query":null}}`},
	{"two queries", `{"name":"searxng_web_search","arguments":[{"query":"q"},{"query":"r"}]}`},
	{"two names for the query that differ", `{"name":"searxng_web_search","arguments":{"q":"q","text":"r"}}`},
	{"a number beyond its bounds", `{"name":"searxng_web_search","arguments":{"query":"q","num_results":500}}`},
	{"a choice that there is not", `{"name":"searxng_web_search","arguments":{"query":"q","time_range":"decade"}}`},
	{"a word for a number", `{"name":"searxng_web_search","arguments":{"query":"q","pageno":"first"}}`},
	{"an object for the query", `{"name":"searxng_web_search","arguments":{"query":{"must":"q"}}}`},
}

// shapes are ways to call the tool whose meaning is clear; the first one is
// canonical.
var shapes = []shape{
	{"as its schema says", `{"name":"searxng_web_search","arguments":{"query":"q"}}`},
	{"name in camel case", `{"name":"searxngWebSearch","arguments":{"query":"q"}}`},
	{"name with hyphens", `{"name":"searxng-web-search","arguments":{"query":"q"}}`},
	{"name with a client's prefix", `{"name":"mcp__evergreen__searxng_web_search","arguments":{"query":"q"}}`},
	{"name with functions.", `{"name":"functions.searxng_web_search","arguments":{"query":"q"}}`},
	{"name in quotes and spaces", `{"name":" \"searxng_web_search\" ","arguments":{"query":"q"}}`},
	{"arguments as JSON text", `{"name":"searxng_web_search","arguments":"{\"query\":\"q\"}"}`},
	{"arguments as JSON text, twice", `{"name":"searxng_web_search","arguments":"\"{\\\"query\\\":\\\"q\\\"}\""}`},
	{"arguments as a Python literal", `{"name":"searxng_web_search","arguments":"{'query': 'q', 'pageno': None}"}`},
	{"the query alone as arguments", `{"name":"searxng_web_search","arguments":"q"}`},
	{"arguments in a list", `{"name":"searxng_web_search","arguments":[{"query":"q"}]}`},
	{"args for arguments", `{"name":"searxng_web_search","args":{"query":"q"}}`},
	{"the query beside the name", `{"name":"searxng_web_search","query":"q"}`},
	{"tool and parameters", `{"tool":"searxng_web_search","parameters":{"query":"q"}}`},
	{"q for query", `{"name":"searxng_web_search","arguments":{"q":"q"}}`},
	{"Query for query", `{"name":"searxng_web_search","arguments":{"Query":"q"}}`},
	{"arguments within input", `{"name":"searxng_web_search","arguments":{"input":{"query":"q"}}}`},
	{"a number as text", `{"name":"searxng_web_search","arguments":{"query":"q","num_results":"5"}}`},
	{"an empty choice", `{"name":"searxng_web_search","arguments":{"query":"q","time_range":""}}`},
	{"a choice in capitals, a number for text", `{"name":"searxng_web_search","arguments":{"query":"q","time_range":"Day","safesearch":1}}`},
	{"null, and an unknown key", `{"name":"searxng_web_search","arguments":{"query":"q","language":null,"num_results":10,"client_note":"x"}}`},
}
