package site

// This file writes the A2A agent card: one document that clients of A2A 0.3 and
// of 1.0 both read.

import (
	"encoding/json"
	"io"
	"strings"

	"evergreen"
)

// Paths of the protocols and of what describes them.
const (
	contextPath    = "/api/context"
	mcpPath        = "/mcp"
	a2aPath        = "/a2a"
	cardPath       = "/.well-known/agent-card.json"
	serverCardPath = "/mcp/server-card"
	catalogPath    = "/.well-known/ai-catalog.json"
)

// agentCard holds the members of both versions; to either the other's are
// unknown. The 1.0 interface stands first, because clients take the first.
type agentCard struct {
	ProtocolVersion      string                `json:"protocolVersion"`
	Name                 string                `json:"name"`
	Description          string                `json:"description"`
	Version              string                `json:"version"`
	URL                  string                `json:"url"`
	PreferredTransport   string                `json:"preferredTransport"`
	AdditionalInterfaces []transportInterface  `json:"additionalInterfaces"`
	SupportedInterfaces  []agentInterface      `json:"supportedInterfaces"`
	Provider             provider              `json:"provider"`
	DocumentationURL     string                `json:"documentationUrl"`
	Capabilities         agentCapabilities     `json:"capabilities"`
	ExtendedCard         bool                  `json:"supportsAuthenticatedExtendedCard"`
	SecuritySchemes      map[string]scheme     `json:"securitySchemes"`
	Security             []map[string][]string `json:"security"`
	SecurityRequirements *[]struct{}           `json:"securityRequirements,omitempty"` // of 1.0
	InputModes           []string              `json:"defaultInputModes"`
	OutputModes          []string              `json:"defaultOutputModes"`
	Skills               []agentSkill          `json:"skills"`
}

type transportInterface struct {
	URL       string `json:"url"`
	Transport string `json:"transport"`
}

type agentInterface struct {
	URL             string `json:"url"`
	ProtocolBinding string `json:"protocolBinding"`
	ProtocolVersion string `json:"protocolVersion"`
}

type provider struct {
	Organization string `json:"organization"`
	URL          string `json:"url"`
}

type agentCapabilities struct {
	Streaming         bool     `json:"streaming"`
	PushNotifications bool     `json:"pushNotifications"`
	ExtendedAgentCard bool     `json:"extendedAgentCard"`
	Extensions        []string `json:"extensions"`
}

// scheme is an HTTP authentication scheme, in the form of 0.3 and of 1.0.
type scheme struct {
	Type     string     `json:"type"`
	Scheme   string     `json:"scheme"`
	HTTPAuth httpScheme `json:"httpAuthSecurityScheme"`
}

type httpScheme struct {
	Scheme string `json:"scheme"`
}

type agentSkill struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Examples    []string `json:"examples"`
}

func (s *Site) writeAgentCard(w io.Writer) error {
	at := s.url(a2aPath)
	card := agentCard{
		ProtocolVersion: "0.3.0", Name: s.o.Name, Description: s.agentDescription(), Version: s.o.Version,
		URL: at, PreferredTransport: "JSONRPC",
		AdditionalInterfaces: []transportInterface{{at, "JSONRPC"}},
		SupportedInterfaces:  []agentInterface{{at, "JSONRPC", "1.0"}, {at, "JSONRPC", "0.3"}},
		Provider:             provider{s.o.Organization.Name, s.organizationURL()},
		DocumentationURL:     s.url("/"),
		Capabilities:         agentCapabilities{Extensions: []string{}},
		SecuritySchemes:      map[string]scheme{},
		Security:             []map[string][]string{},
		SecurityRequirements: &[]struct{}{},
		InputModes:           []string{"text/plain", "application/json"},
		OutputModes:          []string{"text/markdown", "application/json"},
		Skills:               []agentSkill{},
	}
	for _, name := range s.in.Policy.Schemes {
		card.SecuritySchemes[name] = scheme{"http", name, httpScheme{name}}
		card.Security = append(card.Security, map[string][]string{name: {}})
		// a2a-go 2.3.1 refuses a whole card for requirements as 1.0 writes them
		// ({"list":[]}), and its own form is none of the protocol's. Left out, they
		// are read from the member of 0.3 by those that know it, and from the
		// challenge of the 401 by all.
		card.SecurityRequirements = nil
	}
	for _, t := range s.in.Tools {
		card.Skills = append(card.Skills, agentSkill{t.Name, toolTitle(t), t.Description, toolTags(t.Name), s.toolExamples(t)})
	}
	return writeJSON(w, card)
}

func (s *Site) agentDescription() string {
	return "Answers questions about " + s.o.Subject + " from its documentation, cited and within a token budget."
}

func (s *Site) organizationURL() string {
	if s.o.Organization.URL != "" {
		return s.o.Organization.URL
	}
	return s.url("/")
}

// toolTitle is how people read a tool's name.
func toolTitle(t evergreen.ToolInfo) string {
	if t.Title != "" {
		return t.Title
	}
	return humanize(t.Name)
}

// toolTags are the words that a directory of agents files a tool under.
func toolTags(name string) []string {
	switch name {
	case "search_context":
		return []string{"retrieval", "documentation", "citations"}
	case "search_sections":
		return []string{"search", "documentation"}
	case "get_prompt_pack":
		return []string{"rules", "citations"}
	case "get_metrics":
		return []string{"metrics"}
	}
	if strings.HasPrefix(name, "get_") {
		return []string{"documentation", "lookup"}
	}
	return []string{"documentation"}
}

// toolExamples are calls that work: questions for the tools that search, a data
// part for those that need exact arguments.
func (s *Site) toolExamples(t evergreen.ToolInfo) []string {
	if own := s.o.Questions[t.Name]; len(own) > 0 {
		return own
	}
	switch arguments := requiredArguments(t); {
	case len(arguments) == 0:
		return []string{`{"skill":"` + t.Name + `","arguments":{}}`}
	case len(arguments) == 1 && arguments[0] == "query":
		return s.questions(t.Name)
	case len(arguments) == 1 && arguments[0] == "id":
		if id := s.someID(); id != "" {
			call, err := encode(struct {
				Skill     string            `json:"skill"`
				Arguments map[string]string `json:"arguments"`
			}{t.Name, map[string]string{"id": id}}, "")
			if err == nil {
				return []string{strings.TrimSpace(string(call))}
			}
		}
	}
	return []string{}
}

// requiredArguments are the names that a tool's schema requires.
func requiredArguments(t evergreen.ToolInfo) []string {
	var schema struct {
		Required []string `json:"required"`
	}
	if json.Unmarshal(t.InputSchema, &schema) != nil {
		return nil
	}
	return schema.Required
}

// someID is an id that exists: of a curated entry, else of a document.
func (s *Site) someID() string {
	if entries := s.snap.Entries(); len(entries) > 0 {
		return entries[0].ID
	}
	for i := range s.pages.list {
		if p := &s.pages.list[i]; p.Kind == KindDocument {
			return p.Collection + "::" + p.DocPath
		}
	}
	return ""
}
