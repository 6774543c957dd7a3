package mcp

import (
	"context"
	"strings"

	"evergreen"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// complete answers completion/complete: collections and document paths of the
// resource template, and the prompts' language.
func (s *Server) complete(ctx context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values, err := s.completions(ctx, r.Params)
	if err != nil {
		return nil, listFault(err)
	}
	matches := matching(values, r.Params.Argument.Value)
	out := &sdk.CompleteResult{}
	out.Completion.Total = len(matches)
	out.Completion.HasMore = len(matches) > maxCompletions
	out.Completion.Values = nonNil(matches[:min(len(matches), maxCompletions)])
	return out, nil
}

func (s *Server) completions(ctx context.Context, p *sdk.CompleteParams) ([]string, error) {
	switch {
	case p.Ref.Type == "ref/prompt" && p.Argument.Name == "lang":
		return []string{evergreen.LangAuto, evergreen.LangEnglish, evergreen.LangChinese}, nil
	case p.Ref.Type != "ref/resource":
		return nil, nil
	case p.Argument.Name == "collection":
		all, err := s.engine.Collections(ctx)
		names := make([]string, 0, len(all))
		for _, c := range all {
			names = append(names, c.Name)
		}
		return names, err
	case p.Argument.Name == "doc_path" && p.Context != nil && p.Context.Arguments["collection"] != "":
		paths, err := s.documents(ctx, decode(p.Context.Arguments["collection"]))
		if evergreen.KindOf(err) == evergreen.NotFound {
			return nil, nil
		}
		return paths, err
	}
	return nil, nil
}

// matching puts the values that begin with typed before those that only hold
// it, each in their own order, whatever their case.
func matching(values []string, typed string) []string {
	typed = strings.ToLower(typed)
	var begin, hold []string
	for _, v := range values {
		switch folded := strings.ToLower(v); {
		case strings.HasPrefix(folded, typed):
			begin = append(begin, v)
		case strings.Contains(folded, typed):
			hold = append(hold, v)
		}
	}
	return append(begin, hold...)
}
