package search

// This file describes the web_search tool itself.

// ToolName is the name of our search tool.
const ToolName = "web_search"

// ToolSchema is the JSON Schema that web_search is advertised with.
const ToolSchema = `{"type":"object","properties":{` + properties + `},"required":["query"]}`

// RepairSchema is the same with the further names that are accepted, and all
// their values: what is meant to pass without a hint must validate.
const RepairSchema = `{"type":"object","properties":{` + properties +
	`,"location":{"type":"string"},"search_recency_filter":{"type":"string"}},"required":["query"]}`

const properties = `"query":{"type":"string"},` +
	`"count":{"type":"integer","minimum":1,"maximum":50,"default":10},` +
	`"recency":{"type":"string","enum":["day","week","month","year"]},` +
	`"country":{"type":"string","description":"Two letters, such as DE"},` +
	`"language":{"type":"string","description":"Tag such as en or zh-CN"},` +
	`"include_domains":{"type":"array","items":{"type":"string"}},` +
	`"exclude_domains":{"type":"array","items":{"type":"string"}},` +
	`"content_size":{"type":"string","enum":["small","medium","large","high"]},` +
	`"safe":{"type":"string","enum":["off","moderate","strict"]},` +
	`"page":{"type":"integer","minimum":1,"default":1}`
