package websearch

// This file prints what clients put into their configuration.

import (
	"bytes"
	"encoding/json"
	"strings"

	"evergreen"
)

// Clients are the clients whose configuration can be printed.
func Clients() []string { return []string{"pi", "claude", "cursor"} }

// ClientConfig is the configuration of one client, JSON with a final line break,
// and a note for people: where it belongs, and what about bare names. An unknown
// client is an error of kind Invalid.
func (c Config) ClientConfig(client string) (config, note string, err error) {
	url := "http://" + c.Listen + c.Path
	type server struct {
		Type    string            `json:"type,omitempty"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
	type settings struct {
		ToolPrefix string `json:"toolPrefix"`
	}
	var file struct {
		Settings *settings         `json:"settings,omitempty"`
		Servers  map[string]server `json:"mcpServers"`
	}
	one := server{Type: "http", URL: url, Headers: map[string]string{"Authorization": "Bearer ${Z_AI_API_KEY}"}}
	switch client {
	case "pi":
		file.Settings = &settings{ToolPrefix: "none"}
		note = "Put this into ~/.pi/agent/mcp.json. toolPrefix none shows every tool of every server by its bare name, " +
			"so that " + c.CanonicalTool + " is called " + c.CanonicalTool + "; when two servers have a tool of one name, you decide which stays."
	case "claude":
		note = "Put this into .mcp.json in the project, or use claude mcp add --transport http. Claude Code shows the tool as mcp__" +
			c.CanonicalTool + "__" + c.CanonicalTool + "; calls under that and any other name search too."
	case "cursor":
		one.Type, one.Headers["Authorization"] = "", "Bearer ${env:Z_AI_API_KEY}"
		note = "Put this into ~/.cursor/mcp.json. Cursor shows tools by their bare names; when two servers have a tool of one name, disable one of them."
	default:
		return "", "", evergreen.Errorf(evergreen.Invalid, "no configuration is known for the client %q", client).
			Fix("name one of %s", strings.Join(Clients(), ", "))
	}
	file.Servers = map[string]server{c.CanonicalTool: one}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(file); err != nil {
		return "", "", err
	}
	return b.String(), note, nil
}
