package site

// This file writes openapi.json from the operations that are served.

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"evergreen"
)

// Operation is one method of one path of the HTTP API.
type Operation struct {
	Method      string // GET or POST
	Path        string
	ID          string // unique, such as getContext
	Tag         string
	Summary     string
	Description string
	Parameters  []Parameter
	Body        string // JSON Schema of a JSON request body, "" for none
	Success     string // description of the 200
	Type        string // its media type
	Schema      string // its JSON Schema; "#Bundle" refers to components/schemas
	Problems    []int  // statuses answered with a problem
}

// Parameter is a query parameter.
type Parameter struct {
	Name        string
	Description string
	Schema      string // JSON Schema
}

// Operations describes the routes of the HTTP API that are served: each face
// hands in those whose paths it has. The order is that of the document.
func Operations() []Operation {
	const object, problem400 = `{"type":"object"}`, 400
	return []Operation{
		{Method: "GET", Path: contextPath, ID: "getContext", Tag: "context", Summary: "Search and pack context",
			Description: "Ranks the entries for a topic and packs them into the token budget.",
			Parameters: []Parameter{
				{"topic", "Key words or a question, UTF-8.", `{"type":"string","default":""}`},
				{"budget", "Token limit, clamped to 200 to 8000.", `{"type":"integer","default":2000}`},
				{"category", "Keep one category.", `{"type":"string"}`},
				{"collection", "Keep one collection.", `{"type":"string"}`},
				{"mode", "How to rank.", `{"type":"string","enum":["auto","bm25","weighted"],"default":"auto"}`},
				{"limit", "Most entries.", `{"type":"integer","minimum":0}`},
				{"lang", "Language of rules and citations.", `{"type":"string","enum":["auto","en","zh"],"default":"auto"}`},
			},
			Success: "A bundle", Type: "application/json", Schema: "#Bundle", Problems: []int{problem400, 404, 429}},
		{Method: "GET", Path: "/api/prompt-pack", ID: "getPromptPack", Tag: "context", Summary: "Rules for a kind of work",
			Description: "A text to put before a conversation, so that a model searches, cites and says when something was left out.",
			Parameters: []Parameter{
				{"scenario", "Kind of work.", `{"type":"string","enum":["chat","coding","research","support"],"default":"chat"}`},
				{"lang", "Language of the text.", `{"type":"string","enum":["auto","en","zh"],"default":"auto"}`},
			},
			Success: "The prompt pack", Type: "text/plain", Schema: `{"type":"string"}`, Problems: []int{problem400, 404, 429}},
		{Method: "GET", Path: "/api/metrics", ID: "getMetrics", Tag: "operations", Summary: "Measured figures",
			Description: "What was measured of the present content: sizes, tokens of each layer, retrieval quality.",
			Success:     "Figures", Type: "application/json", Schema: object, Problems: []int{problem400, 404, 429}},
		{Method: "GET", Path: "/context.json", ID: "getEntries", Tag: "context", Summary: "All entries",
			Description: "Every entry with its id, or an index of parts where they are too many for one file.",
			Success:     "Entries", Type: "application/json", Schema: object, Problems: []int{problem400, 404, 429}},
		{Method: "GET", Path: "/healthz", ID: "getHealth", Tag: "operations", Summary: "Health",
			Description: "Says that the process serves; touches no upstream.", Success: "Healthy", Type: "application/json",
			Schema:   `{"type":"object","properties":{"ok":{"type":"boolean"},"version":{"type":"string"}},"required":["ok"]}`,
			Problems: []int{405}},
		{Method: "POST", Path: mcpPath, ID: "callMCP", Tag: "protocols", Summary: "Model Context Protocol",
			Description: "JSON-RPC 2.0 over Streamable HTTP. Ask tools/list for the tools.", Body: object,
			Success: "A JSON-RPC answer", Type: "application/json", Schema: object, Problems: []int{problem400, 429}},
		{Method: "POST", Path: a2aPath, ID: "callA2A", Tag: "protocols", Summary: "Agent2Agent protocol",
			Description: "JSON-RPC 2.0, versions 1.0 and 0.3. The agent card tells the skills.", Body: object,
			Success: "A JSON-RPC answer", Type: "application/json", Schema: object, Problems: []int{405, 429}},
	}
}

type openAPI struct {
	OpenAPI    string                             `json:"openapi"`
	Info       openAPIInfo                        `json:"info"`
	Servers    []openAPIServer                    `json:"servers,omitempty"`
	Security   []map[string][]string              `json:"security"`
	Tags       []openAPITag                       `json:"tags"`
	Paths      ordered[ordered[openAPIOperation]] `json:"paths"`
	Components openAPIComponents                  `json:"components"`
}

type openAPIInfo struct {
	Title       string          `json:"title"`
	Version     string          `json:"version"`
	Description string          `json:"description"`
	Contact     openAPIContact  `json:"contact"`
	License     *openAPILicence `json:"license,omitempty"`
}

type openAPIContact struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Email string `json:"email,omitempty"`
}

type openAPILicence struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier,omitempty"`
	URL        string `json:"url,omitempty"`
}

type openAPIServer struct {
	URL string `json:"url"`
}

type openAPITag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type openAPIOperation struct {
	ID          string                   `json:"operationId"`
	Tags        []string                 `json:"tags"`
	Summary     string                   `json:"summary"`
	Description string                   `json:"description"`
	Parameters  []openAPIParameter       `json:"parameters,omitempty"`
	Body        *openAPIBody             `json:"requestBody,omitempty"`
	Responses   ordered[json.RawMessage] `json:"responses"`
}

type openAPIParameter struct {
	Name        string          `json:"name"`
	In          string          `json:"in"`
	Required    bool            `json:"required"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
}

type openAPIBody struct {
	Required bool                  `json:"required"`
	Content  ordered[openAPIMedia] `json:"content"`
}

type openAPIResponse struct {
	Description string                `json:"description"`
	Content     ordered[openAPIMedia] `json:"content"`
}

type openAPIMedia struct {
	Schema json.RawMessage `json:"schema"`
}

type openAPIComponents struct {
	SecuritySchemes ordered[openAPIScheme]   `json:"securitySchemes,omitempty"`
	Responses       ordered[openAPIResponse] `json:"responses"`
	Schemas         ordered[json.RawMessage] `json:"schemas"`
}

type openAPIScheme struct {
	Type   string `json:"type"`
	Scheme string `json:"scheme"`
}

func (s *Site) writeOpenAPI(w io.Writer) error {
	p := s.in.Policy
	doc := openAPI{
		OpenAPI: "3.1.0",
		Info: openAPIInfo{Title: s.o.Name + " API", Version: s.o.Version,
			Description: "Budgeted, cited retrieval over " + s.o.Name + ".",
			Contact:     openAPIContact{Name: s.o.Organization.Name, URL: s.url("/")}},
		Security: []map[string][]string{},
		Components: openAPIComponents{
			Responses: ordered[openAPIResponse]{{"Problem", openAPIResponse{"A problem (RFC 9457)",
				ordered[openAPIMedia]{{"application/problem+json", openAPIMedia{ref("schemas/Problem")}}}}}},
			Schemas: ordered[json.RawMessage]{{"Bundle", json.RawMessage(bundleSchema)}, {"Problem", json.RawMessage(problemSchema)}},
		},
	}
	if s.base != "" {
		doc.Servers = []openAPIServer{{s.base}}
	}
	if c := p.StatedContact(); isEmail(c) {
		doc.Info.Contact.Email = c
	}
	doc.Info.License = openAPILicenceOf(p)
	for _, name := range p.Schemes {
		doc.Security = append(doc.Security, map[string][]string{name: {}})
		doc.Components.SecuritySchemes = append(doc.Components.SecuritySchemes, member[openAPIScheme]{name, openAPIScheme{"http", name}})
	}
	doc.Tags, doc.Paths = []openAPITag{}, ordered[ordered[openAPIOperation]]{}
	for _, o := range s.o.Operations {
		doc.Tags = addTag(doc.Tags, o.Tag)
		methods := doc.Paths.find(o.Path)
		*methods = append(*methods, member[openAPIOperation]{strings.ToLower(o.Method), o.document()})
	}
	return writeJSON(w, doc)
}

// openAPILicenceOf is the licence, nil when none is stated. Exactly one of
// identifier and URL is allowed.
func openAPILicenceOf(p evergreen.Policy) *openAPILicence {
	id := p.LicenceID()
	switch {
	case id == "":
		return nil
	case strings.HasPrefix(id, "LicenseRef-"):
		return &openAPILicence{Name: p.LicenceName(), URL: p.LicenceURL()}
	}
	return &openAPILicence{Name: p.LicenceName(), Identifier: id}
}

func (o Operation) document() openAPIOperation {
	d := openAPIOperation{ID: o.ID, Tags: []string{o.Tag}, Summary: o.Summary, Description: o.Description}
	for _, p := range o.Parameters {
		d.Parameters = append(d.Parameters, openAPIParameter{p.Name, "query", false, p.Description, json.RawMessage(p.Schema)})
	}
	if o.Body != "" {
		d.Body = &openAPIBody{true, ordered[openAPIMedia]{{"application/json", openAPIMedia{json.RawMessage(o.Body)}}}}
	}
	schema := json.RawMessage(o.Schema)
	if len(o.Schema) > 0 && o.Schema[0] == '#' {
		schema = ref("schemas/" + o.Schema[1:])
	}
	success, err := encode(openAPIResponse{o.Success, ordered[openAPIMedia]{{o.Type, openAPIMedia{schema}}}}, "")
	if err != nil {
		success = ref("responses/Problem") // the schemas of Operations are valid JSON
	}
	d.Responses = ordered[json.RawMessage]{{"200", success}}
	for _, status := range o.Problems {
		d.Responses = append(d.Responses, member[json.RawMessage]{strconv.Itoa(status), ref("responses/Problem")})
	}
	return d
}

func ref(name string) json.RawMessage {
	return json.RawMessage(`{"$ref":"#/components/` + name + `"}`)
}

// addTag describes each tag once.
func addTag(tags []openAPITag, name string) []openAPITag {
	for _, t := range tags {
		if t.Name == name {
			return tags
		}
	}
	description := map[string]string{"context": "Retrieval for agents", "operations": "Health",
		"protocols": "Agent protocols over JSON-RPC"}[name]
	if description == "" {
		description = humanize(name)
	}
	return append(tags, openAPITag{name, description})
}

const bundleSchema = `{"type":"object",` +
	`"required":["usedTokens","budget","truncated","entryCount","entries","citations","rules","source"],` +
	`"properties":{"usedTokens":{"type":"integer"},"budget":{"type":"integer"},"truncated":{"type":"boolean"},` +
	`"entryCount":{"type":"integer"},"entries":{"type":"array","items":{"type":"object"}},` +
	`"citations":{"type":"array","items":{"type":"object"}},"rules":{"type":"array","items":{"type":"string"}},` +
	`"source":{"type":"string"}}}`

const problemSchema = `{"type":"object","properties":{"type":{"type":"string"},"title":{"type":"string"},` +
	`"status":{"type":"integer"},"detail":{"type":"string"},"instance":{"type":"string"}}}`
