package main

import (
	"runtime"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
)

// standing says which versions run, and with which options.
func standing() []report.Peer {
	sdk := peer.Module("github.com/modelcontextprotocol/go-sdk")
	return []report.Peer{
		{Name: "Evergreen", Version: "this commit", Options: "defaults; no limit of calls", Why: "what its users get; the limit would end the measurement"},
		{Name: "go-sdk", Version: sdk, Options: "`Server.AddTool`, stateless, JSON answers", Why: "the way that decodes least; Evergreen is stateless and answers in JSON too"},
		{Name: "go-sdk, sessions", Version: sdk, Options: "`Server.AddTool`, sessions, JSON answers", Why: "its default for older clients, which have sessions"},
		{Name: "mcp-go", Version: peer.Module("github.com/mark3labs/mcp-go"), Options: "stateless, else defaults", Why: "as Evergreen is"},
		{Name: "bare handler", Version: runtime.Version(), Options: "`net/http`, or a loop over lines: reads the id, writes the answer's bytes", Why: "no protocol at all: what a call costs at least"},
	}
}
