package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"evergreen"
	"evergreen/internal/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.yaml.in/yaml/v3"
)

// skillsExtension names the skills extension (SEP-2640).
const skillsExtension = "io.modelcontextprotocol/skills"

// skill is the one skill served, in the form of the extension's entries.
type skill struct {
	URI         string          `json:"uri"`
	Frontmatter map[string]any  `json:"frontmatter"`
	Resources   []skillResource `json:"resources"`

	text string
}

type skillResource struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"` // sha256: and lower-case hex
	Size   int    `json:"size"`   // bytes
}

// newSkill takes everything from the bytes of SKILL.md, so that list, digest
// and text cannot disagree.
func (s *Server) newSkill() (skill, error) {
	source := s.options.Skill
	if source == nil {
		source = []byte(s.writeSkill())
	}
	head, ok := frontMatter(source)
	if !ok {
		return skill{}, evergreen.Errorf(evergreen.Invalid, "the skill has no front matter between --- lines")
	}
	k := skill{text: string(source)}
	if err := yaml.Unmarshal(head, &k.Frontmatter); err != nil {
		return skill{}, evergreen.Errorf(evergreen.Invalid, "the skill's front matter cannot be read: %w", err)
	}
	name, _ := k.Frontmatter["name"].(string)
	description, _ := k.Frontmatter["description"].(string)
	if name == "" || name != text.ASCIISlug(name) || len(name) > 64 || description == "" {
		return skill{}, evergreen.Errorf(evergreen.Invalid, "the skill needs a name of a-z, 0-9 and hyphens and a description")
	}
	sum := sha256.Sum256(source)
	k.URI = "skill://" + name + "/SKILL.md"
	k.Resources = []skillResource{{URI: k.URI, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: len(source)}}
	return k, nil
}

func frontMatter(source []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(source, []byte("---\n"))
	if !ok {
		return nil, false
	}
	head, _, ok := bytes.Cut(rest, []byte("\n---\n"))
	return head, ok
}

// writeSkill is the SKILL.md of a site that brings none.
func (s *Server) writeSkill() string {
	title := oneLine(s.options.Title)
	name := text.ASCIISlug(title)
	if !strings.HasSuffix(name, "docs") {
		name += "-docs"
	}
	description := "Search " + title + " and quote it with citations inside a token budget. Use for any question its documentation can answer."
	quoted, err := yaml.Marshal(map[string]string{"description": description})
	if err != nil {
		quoted = []byte("description: Search the documentation.\n")
	}
	var b strings.Builder
	b.WriteString("---\nname: " + strings.Trim(cut(name, 64), "-") + "\n" + string(quoted) + "metadata:\n  version: \"" + s.options.Version + "\"\n---\n\n")
	b.WriteString("# Working with " + title + `

1. Ask ` + "`search_context`" + ` with the user's own words; leave ` + "`budget`" + ` at 2000.
2. When the answer says it is truncated, raise ` + "`budget`" + ` (at most 8000) or narrow the query before answering.
3. Read one item in full with ` + "`get_entry`" + `; find a heading with ` + "`search_sections`" + ` and read it with ` + "`get_section`" + `.
4. End every factual sentence with the marker of its source, exactly as the answer prints it. Never invent a marker.
5. Say so when ` + "`confidence`" + ` is below 0.80 or ` + "`updated`" + ` is older than 12 months.
`)
	if s.options.BaseURL != "" {
		b.WriteString("\nWithout MCP: `GET " + s.options.BaseURL + "/api/context?topic=QUERY&budget=2000` gives the same bundle as JSON.\n")
	}
	return b.String()
}

// Skill is the SKILL.md that is served, byte for byte.
func (s *Server) Skill() []byte { return []byte(s.skill.text) }

func (k skill) resource() *sdk.Resource {
	name, _ := k.Frontmatter["name"].(string)
	description, _ := k.Frontmatter["description"].(string)
	return &sdk.Resource{URI: k.URI, Name: name, Description: description, MIMEType: markdownType, Size: int64(len(k.text))}
}

func (s *Server) readSkill(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return &sdk.ReadResourceResult{
		Cacheable: s.cacheable(readTTL),
		Contents:  []*sdk.ResourceContents{{URI: s.skill.URI, MIMEType: markdownType, Text: s.skill.text}},
	}, nil
}

type skillParams struct {
	sdk.ParamsBase
	Cursor string `json:"cursor,omitempty"`
	URI    string `json:"uri,omitempty"`
}

// skillCache holds what the 2026-07-28 revision asks of both methods.
type skillCache struct {
	sdk.ResultBase
	ResultType string `json:"resultType,omitempty"`
	sdk.Cacheable
}

type skillList struct {
	skillCache
	Skills []skill `json:"skills"`
}

type skillGet struct {
	skillCache
	Skill skill `json:"skill"`
}

func (s *Server) addSkillMethods() error {
	err := sdk.AddReceivingCustomMethod(s.mcp, "skills/list",
		func(_ context.Context, _ *sdk.ServerSession, p *skillParams) (*skillList, error) {
			if p != nil && p.Cursor != "" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: badCursor().Error()}
			}
			return &skillList{s.skillCache(p), []skill{s.skill}}, nil
		})
	if err != nil {
		return err
	}
	return sdk.AddReceivingCustomMethod(s.mcp, "skills/get",
		func(_ context.Context, _ *sdk.ServerSession, p *skillParams) (*skillGet, error) {
			if p == nil || p.URI != s.skill.URI {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such skill; `uri` is one of: " + s.skill.URI}
			}
			return &skillGet{s.skillCache(p), s.skill}, nil
		})
}

func (s *Server) skillCache(p *skillParams) skillCache {
	c := skillCache{Cacheable: s.cacheable(listTTL)}
	if p != nil && p.GetMeta()[sdk.MetaKeyProtocolVersion] != nil {
		c.ResultType = "complete"
	}
	return c
}
