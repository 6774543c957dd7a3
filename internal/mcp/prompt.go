package mcp

import (
	"context"
	"slices"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompts serves the four packs, by scenario.
func (s *Server) addPrompts() {
	about := map[string]string{
		"chat":     "Rules for answering people from this documentation, with citations.",
		"coding":   "Rules for writing code against this documentation.",
		"research": "Rules for comparing and summarising what this documentation says.",
		"support":  "Rules for solving a user's problem from this documentation.",
	}
	for _, scenario := range scenarios() {
		s.mcp.AddPrompt(&sdk.Prompt{
			Name: scenario, Title: "Prompt pack: " + scenario, Description: about[scenario],
			Arguments: []*sdk.PromptArgument{{Name: "lang", Description: "en, zh or auto"}},
		}, s.promptHandler(scenario, about[scenario]))
	}
}

func (s *Server) promptHandler(scenario, about string) sdk.PromptHandler {
	return func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		l := r.Params.Arguments["lang"]
		if l == "" || l == evergreen.LangAuto {
			l = evergreen.LangEnglish
			if r.Extra != nil && prefersChinese(r.Extra.Header.Get("Accept-Language")) {
				l = evergreen.LangChinese
			}
		}
		if !slices.Contains([]string{evergreen.LangEnglish, evergreen.LangChinese}, l) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "`lang` must be en, zh or auto"}
		}
		pack, err := s.engine.PromptPack(ctx, scenario, l)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		return &sdk.GetPromptResult{Description: about, Messages: []*sdk.PromptMessage{{
			Role: "user", Content: &sdk.TextContent{Text: pack},
		}}}, nil
	}
}
