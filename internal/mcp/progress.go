package mcp

import (
	"context"
	"sync"

	"evergreen"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress reports to the caller when it asked for it, else it is nil. The
// protocol wants one number that only grows, while stages begin at 0 again: each
// stage goes on where the last one ended.
func (s *Server) progress(ctx context.Context, r *sdk.CallToolRequest) evergreen.Progress {
	token := r.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	p := &progressBar{send: func(n *sdk.ProgressNotificationParams) {
		n.ProgressToken = token
		if err := r.Session.NotifyProgress(ctx, n); err != nil {
			s.log.Debug("progress was not delivered", "error", err)
		}
	}}
	return p.report
}

type progressBar struct {
	send func(*sdk.ProgressNotificationParams)

	mu     sync.Mutex
	stage  string
	before int // where the stage began
	high   int // furthest place of the stage
	next   int // place of the stage that is worth a notification
}

func (p *progressBar) report(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stage != p.stage {
		p.before, p.high, p.next = p.before+p.high+1, 0, 0
		p.stage = stage
	}
	if done < p.next {
		return
	}
	p.high = done
	p.next = done + max(1, max(total, done)/progressSteps)
	if total > 0 && p.next > total && done < total {
		p.next = total
	}
	n := &sdk.ProgressNotificationParams{Message: stage, Progress: float64(p.before + done)}
	if total > 0 {
		n.Total = float64(p.before + max(total, done))
	}
	p.send(n)
}
