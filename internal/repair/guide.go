package repair

import (
	"slices"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// This file writes what the caller reads: the hint behind a repaired call's
// result, and the refusal with one right example.

// finish builds the result of a call that may go on.
func (r *run) finish(args *jsonvalue.Value) Result {
	res := Result{Outcome: Repaired, Name: r.tool.Name, Arguments: args.AppendJSON(nil), Changes: r.changes}
	r.see(stageDone, r.tool.Name, args)
	if len(r.changes) == 0 {
		return Result{Outcome: Exact, Name: r.tool.Name, Arguments: res.Arguments, Renamed: r.renamed}
	}
	if r.tool.Policy == PolicyHintOnly {
		code := ErrInvalid
		if slices.ContainsFunc(r.changes, func(c Change) bool { return c.Stage == stageName }) {
			code = ErrUnknownTool
		}
		text := "The call was not run: it is not in canonical form, and this tool's calls are not repaired.\nThe right call: " +
			callText(r.tool.Name, args, maxRefusal/2)
		return Result{Outcome: Refused, Name: r.tool.Name, Error: code, Candidates: []string{r.tool.Name}, Refusal: spelling.CutBytes(text, maxRefusal), Changes: r.changes}
	}
	res.Hint = r.hint(args, maxHint, "Repaired: ", changesText(r.changes))
	res.Short = r.hint(args, maxShort, "", "")
	return res
}

// AfterError is the hint for a repaired call whose result is an error: it lets
// the caller doubt the repair.
func (r Result) AfterError() string {
	_, call, found := strings.Cut(r.Hint, "Canonical call: ")
	if r.Outcome != Repaired || !found {
		return r.Hint
	}
	return spelling.CutBytes("The call was repaired and run as "+call, maxHint)
}

// hint joins what changed and the canonical call within limit bytes. The call
// matters more: what changed is cut first, then long values of the call.
func (r *run) hint(args *jsonvalue.Value, limit int, lead, changed string) string {
	const label = "Canonical call: "
	head := "[" + r.cat.server + "] "
	room := limit - len(head) - len(label)
	call := callText(r.tool.Name, args, room*2/3)
	if changed == "" {
		return spelling.CutBytes(head+label+call, limit)
	}
	changed = spelling.CutBytes(changed, room-len(call)-len(lead)-len(". "))
	return spelling.CutBytes(head+lead+changed+". "+label+call, limit)
}

// changesText lists the changes in short, each once.
func changesText(changes []Change) string {
	var out []string
	for _, c := range changes {
		text := c.Detail
		switch {
		case c.Stage == stageName:
			text = "name " + text
		case c.Code == KeyDropped, c.Code == KeyBookkeeping, c.Code == KeyPassed, c.Code == KeyRepeated:
			text = c.Path + ": " + text
		case c.Stage == stageContainer:
			text = "arguments: " + text
		case c.Stage == stageValue, c.Code == EnvelopeSibling:
			text = c.Path + ": " + text
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.ReplaceAll(strings.Join(out, "; "), "\n", " ")
}

// callText writes a call as JSON within limit bytes. Values are cut until it
// fits, secrets are never shown.
func callText(name string, args *jsonvalue.Value, limit int) string {
	for _, longest := range []int{400, 120, 60, 30, 12, 4} {
		if text := callJSON(name, shortened("", args, longest)); len(text) <= limit {
			return text
		}
	}
	return spelling.CutBytes(callJSON(name, jsonvalue.NewObject([]jsonvalue.Field{{Name: "…", Value: jsonvalue.NewText("…")}})), max(limit, 48))
}

func callJSON(name string, args *jsonvalue.Value) string {
	b := jsonvalue.AppendQuoted([]byte(`{"name":`), name)
	b = append(b, `,"arguments":`...)
	return string(append(args.AppendJSON(b), '}'))
}

// shortened copies v with long texts and lists cut and secrets masked.
func shortened(path string, v *jsonvalue.Value, longest int) *jsonvalue.Value {
	switch v.Kind {
	case jsonvalue.Text:
		if secret(path, v.Text) {
			return jsonvalue.NewText("***")
		}
		return jsonvalue.NewText(spelling.Cut(v.Text, longest))
	case jsonvalue.Number:
		if secret(path, "") {
			return jsonvalue.NewText("***")
		}
		return jsonvalue.NewNumber(v.Text)
	case jsonvalue.List:
		var items []*jsonvalue.Value
		for i, e := range v.Items {
			if i*8 >= longest {
				items = append(items, jsonvalue.NewText("…"))
				break
			}
			items = append(items, shortened(path, e, longest))
		}
		return jsonvalue.NewList(items...)
	case jsonvalue.Object:
		var fields []jsonvalue.Field
		for _, f := range v.Sorted() {
			fields = append(fields, jsonvalue.Field{Name: spelling.Cut(shown(f.Name), longest), Value: shortened(f.Name, f.Value, longest)})
		}
		return &jsonvalue.Value{Kind: jsonvalue.Object, Fields: fields}
	}
	return &jsonvalue.Value{Kind: v.Kind, Bool: v.Bool}
}

func (r *run) refuse(code, reason string) Result {
	return Result{Outcome: Refused, Error: code, Refusal: "The call was not run: " + reason + ".\nA call looks like " +
		`{"name":"tool","arguments":{"parameter":"value"}}` + "; tools/list shows all tools."}
}

// unknown refuses a name that is no tool's, or several tools'.
func (r *run) unknown(name string, tied []*tool) Result {
	res := Result{Outcome: Refused, Error: ErrUnknownTool, Candidates: r.cat.candidates(name, tied)}
	var b strings.Builder
	if strings.TrimSpace(name) == "" {
		b.WriteString("The call was not run: it names no tool.")
	} else {
		b.WriteString("The call was not run: there is no tool " + quote(strings.ReplaceAll(name, "\n", " ")) + ".")
	}
	if len(res.Candidates) > 0 {
		b.WriteString("\nDid you mean " + strings.Join(res.Candidates, ", ") + "? Call it by its exact name.")
		if t := r.cat.byName[res.Candidates[0]]; t.class == Read {
			if example := r.example(t, nil); example != "" {
				b.WriteString("\nFor instance " + example)
			}
		}
	}
	b.WriteString("\ntools/list shows all tools.")
	res.Refusal = spelling.CutBytes(b.String(), maxRefusal)
	return res
}

func (r *run) unavailable() Result {
	return Result{Outcome: Refused, Name: r.tool.Name, Error: ErrUnavailable,
		Refusal: "The call was not run: " + r.tool.Name + " is not available here.\ntools/list shows the tools that are."}
}

// invalid refuses arguments with the faults of the original call.
func (r *run) invalid(given *jsonvalue.Value, fault *refusal) Result {
	t := r.tool
	if given == nil {
		given = emptyObject()
	}
	var b strings.Builder
	b.WriteString("The call of " + t.Name + " was not run.")
	if fault.reason != "" {
		b.WriteString("\n- " + fault.reason)
	} else if t.root.Valid(given) && t.blank(given) {
		b.WriteString("\n- " + t.Primary + ": is blank, expected something to search for")
	} else {
		for _, f := range faults("", given, t.root) {
			b.WriteString("\n- " + f)
		}
	}
	if example := r.example(t, given); example != "" {
		b.WriteString("\nA right call: " + example)
	}
	return Result{Outcome: Refused, Name: t.Name, Error: fault.code, Refusal: spelling.CutBytes(b.String(), maxRefusal)}
}

// example writes one call of t that validates, with what the caller gave where
// that is usable. A destructive tool gets placeholders, so that nobody sends the
// example. Empty when none can be made up.
func (r *run) example(t *tool, given *jsonvalue.Value) string {
	if t.class == Destructive {
		return callText(t.Name, shape.Placeholders(t.root, given), maxRefusal/3)
	}
	for _, from := range []*jsonvalue.Value{given, nil} {
		for _, args := range shape.Samples(t.root, from) {
			if t.root.Valid(args) && !t.blank(args) {
				return callText(t.Name, args, maxRefusal/3)
			}
		}
	}
	return ""
}
