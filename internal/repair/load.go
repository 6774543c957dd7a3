package repair

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"evergreen"

	"evergreen/internal/repair/spelling"
)

// This file reads registries of tools: JSON lines of our own form, and what an
// MCP server answers to tools/list.

// record is one tool in either form. The first block is MCP's; the second says
// the same in short; the third is the operator's word.
type record struct {
	Name        string          `json:"name"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations *struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
	} `json:"annotations"`

	Schema      json.RawMessage `json:"schema"`
	RO          *toggle         `json:"ro"`
	Destructive *toggle         `json:"destructive"`

	Primary  string   `json:"primary"`
	Class    Class    `json:"class"`
	Policy   Policy   `json:"repair"`
	Own      bool     `json:"own"`
	Hidden   toggle   `json:"hidden"`
	Disabled toggle   `json:"disabled"`
	Upstream string   `json:"upstream"`
	Aliases  []string `json:"aliases"`
}

// toggle is a boolean that may be written 0 or 1.
type toggle bool

func (f *toggle) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "true", "1":
		*f = true
	case "false", "0", "null":
		*f = false
	default:
		return evergreen.Errorf(evergreen.Invalid, "%s is no flag", spelling.Cut(string(b), maxEcho)).Fix("write true, false, 1 or 0")
	}
	return nil
}

func (in record) tool() Tool {
	t := Tool{
		Name: in.Name, Schema: in.Schema, Class: in.Class, Policy: in.Policy, Primary: in.Primary,
		Own: in.Own, Hidden: bool(in.Hidden || in.Disabled), Upstream: in.Upstream, Aliases: in.Aliases,
	}
	if len(t.Schema) == 0 {
		t.Schema = in.InputSchema
	}
	if in.Annotations != nil {
		t.ReadOnly, t.Destructive = in.Annotations.ReadOnly, in.Annotations.Destructive
	}
	if in.RO != nil {
		t.ReadOnly = (*bool)(in.RO)
	}
	if in.Destructive != nil {
		t.Destructive = (*bool)(in.Destructive)
	}
	return t
}

// ReadTools reads a registry: JSON lines with one tool each
// ({"name","schema","ro","destructive","primary","class","repair","hidden",
// "disabled","own","upstream","aliases"}, or MCP's {"name","inputSchema",
// "annotations"}), a JSON array of those, or the answer to tools/list with or
// without its JSON-RPC frame. It fails with evergreen.Invalid, naming the line.
func ReadTools(r io.Reader) ([]Tool, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxRegistry+1))
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Internal, "reading the registry: %w", err)
	}
	if len(data) > maxRegistry {
		return nil, evergreen.Errorf(evergreen.TooLarge, "the registry is larger than %d MiB", maxRegistry>>20).Fix("split it")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	records, err := readList(data)
	if records == nil && err == nil {
		records, err = readLines(data)
	}
	if err != nil {
		return nil, err
	}
	tools := make([]Tool, 0, len(records))
	for _, rec := range records {
		tools = append(tools, rec.tool())
	}
	return tools, nil
}

// readList reads the forms that are one JSON document; nil when data is none.
func readList(data []byte) ([]record, error) {
	var doc struct {
		Tools  []record
		Result struct{ Tools []record }
	}
	var list []record
	data = bytes.TrimSpace(data)
	switch {
	case !json.Valid(data):
		return nil, nil
	case data[0] == '[':
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, evergreen.Errorf(evergreen.Invalid, "the registry is no list of tools: %w", err).Fix("give every tool a name and a schema")
		}
		return list, nil
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "the registry is no list of tools: %w", err).Fix("give every tool a name and a schema")
	}
	return append(doc.Tools, doc.Result.Tools...), nil
}

func readLines(data []byte) ([]record, error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxLine)
	var out []record
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var rec record
		if err := json.Unmarshal(line, &rec); err != nil {
			return nil, evergreen.Errorf(evergreen.Invalid, "line %d of the registry is no tool: %w", n, err).
				Fix(`write one {"name": ..., "schema": {...}} a line`)
		}
		out = append(out, rec)
	}
	if err := lines.Err(); err != nil {
		return nil, evergreen.Errorf(evergreen.TooLarge, "a line of the registry is too long: %w", err).Fix("keep lines below %d MiB", maxLine>>20)
	}
	return out, nil
}
