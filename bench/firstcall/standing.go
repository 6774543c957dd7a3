package main

import (
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
)

// standing says which versions run, and with which options.
func standing() []report.Peer {
	sdk := peer.Module("github.com/modelcontextprotocol/go-sdk")
	return []report.Peer{
		{Name: "Evergreen before it", Version: "this commit", Options: "a gateway in front of go-sdk, typed; defaults", Why: "whatever gets through is judged by that server's own schema"},
		{Name: "go-sdk, typed", Version: sdk, Options: "`mcp.AddTool`", Why: "the way its documentation shows: validates by the schema"},
		{Name: "go-sdk, raw", Version: sdk, Options: "`Server.AddTool`; the handler decodes the arguments into a struct", Why: "the most lenient way it has"},
		{Name: "mcp-go", Version: peer.Module("github.com/mark3labs/mcp-go"), Options: "`WithInputSchemaValidation`, stateless", Why: "as strict as the typed handler"},
	}
}
