package site

// This file writes the MCP server card: what the official schema asks for, and
// beside it the members that scanners look for.

import (
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

type serverCard struct {
	Schema         string          `json:"$schema"`
	Name           string          `json:"name"`
	Title          string          `json:"title"`
	Description    string          `json:"description"`
	Version        string          `json:"version"`
	WebsiteURL     string          `json:"websiteUrl"`
	Remotes        []remote        `json:"remotes,omitempty"`
	ServerInfo     serverInfo      `json:"serverInfo"`
	Endpoint       string          `json:"endpoint"`
	ServerURL      string          `json:"serverUrl"`
	Transport      transport       `json:"transport"`
	Authentication authentication  `json:"authentication"`
	Capabilities   json.RawMessage `json:"capabilities"`
	Tools          []cardTool      `json:"tools"`
}

type remote struct {
	Type      string         `json:"type"`
	URL       string         `json:"url"`
	Protocols []string       `json:"supportedProtocolVersions"`
	Headers   []remoteHeader `json:"headers,omitempty"`
}

type remoteHeader struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"isRequired"`
	Secret      bool   `json:"isSecret"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

type transport struct {
	Type     string `json:"type"`
	Endpoint string `json:"endpoint"`
}

type cardTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

func (s *Site) writeServerCard(w io.Writer) error {
	name, title := s.o.MCP.Name, cutWords(s.o.Name, maxCardDescription)
	if name == "" {
		name = ServerName(s.base)
	}
	at := s.url(mcpPath)
	card := serverCard{
		Schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		Name:   name, Title: title, Description: s.serverDescription(), Version: s.o.Version, WebsiteURL: s.url("/"),
		ServerInfo: serverInfo{name, title, s.o.Version}, Endpoint: at, ServerURL: at,
		Transport: transport{"streamable-http", at}, Authentication: s.authentication(),
		Capabilities: s.o.MCP.Capabilities, Tools: []cardTool{},
	}
	if len(card.Capabilities) == 0 {
		card.Capabilities = json.RawMessage("{}")
	}
	if s.base != "" { // a remote needs an absolute address
		r := remote{Type: "streamable-http", URL: at, Protocols: list(s.o.MCP.Protocols)}
		if len(s.in.Policy.Schemes) > 0 {
			r.Headers = []remoteHeader{{"Authorization", "Read token, as: " + s.in.Policy.Schemes[0] + " TOKEN", true, true}}
		}
		card.Remotes = []remote{r}
	}
	for _, t := range s.in.Tools {
		schema := json.RawMessage(t.InputSchema)
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object"}`)
		}
		card.Tools = append(card.Tools, cardTool{t.Name, t.Description, schema})
	}
	return writeJSON(w, card)
}

func (s *Site) serverDescription() string {
	return cutWords("Search "+s.o.Name+" and get cited answers within a token budget.", maxCardDescription)
}

// cutWords cuts at the last word that fits into n code points; a single longer
// word is cut within.
func cutWords(text string, n int) string {
	text = oneLine(text)
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	cut := string([]rune(text)[:n+1])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		return strings.TrimRight(cut[:i], " ,;:-")
	}
	return string([]rune(text)[:n])
}
