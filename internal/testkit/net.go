package testkit

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
)

// Names is a resolver that knows fixed names. A name with several lists of
// addresses gives one list after the other, the last for ever: a name that is
// bound again between two questions.
type Names struct {
	mu    sync.Mutex
	lists map[string][][]string
}

// NewNames makes a resolver; each list is the answer to one question.
func NewNames(lists map[string][][]string) *Names { return &Names{lists: lists} }

// LookupNetIP answers from the lists.
func (n *Names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lists := n.lists[host]
	if len(lists) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, text := range lists[0] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	if len(lists) > 1 {
		n.lists[host] = lists[1:]
	}
	return addrs, nil
}

// DialTo returns a dial function that connects every address to a server on
// this machine, as if it were the one that the address belongs to, and notes
// the addresses asked for.
func DialTo(server string, dialled func(address string)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if dialled != nil {
			dialled(address)
		}
		return Dial(ctx, network, server)
	}
}

// Dial connects to loopback addresses only, so that no test leaves the machine.
func Dial(ctx context.Context, network, address string) (net.Conn, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return nil, fmt.Errorf("testkit: %s is not on this machine", address)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}
