package mcp

import (
	"context"

	"evergreen"
	"evergreen/internal/kb"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrompts serves the prompt packs, by scenario.
func (s *Server) addPrompts() {
	for _, scenario := range kb.Scenarios(evergreen.LangEnglish) {
		s.mcp.AddPrompt(&sdk.Prompt{
			Name: scenario.Name, Title: "Prompt pack: " + scenario.Title, Description: scenario.Description,
			Arguments: []*sdk.PromptArgument{{Name: "lang", Description: "en, zh or auto"}},
		}, s.promptHandler(scenario))
	}
}

func (s *Server) promptHandler(scenario kb.Scenario) sdk.PromptHandler {
	return func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		accept := ""
		if r.Extra != nil {
			accept = r.Extra.Header.Get("Accept-Language")
		}
		l, err := kb.Lang(r.Params.Arguments["lang"], "", accept)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "`lang` must be en, zh or auto"}
		}
		pack, err := s.engine.PromptPack(ctx, scenario.Name, l)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		return &sdk.GetPromptResult{Description: scenario.Description, Messages: []*sdk.PromptMessage{{
			Role: "user", Content: &sdk.TextContent{Text: pack},
		}}}, nil
	}
}
