package web

// This file runs a handler on a listener until it is told to stop.

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"evergreen"
)

// Listen opens the address. When its port is taken the error names the next
// free one.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if err == nil {
		return l, nil
	}
	fault := evergreen.Errorf(evergreen.Conflict, "cannot listen on %s: %w", address, err)
	host, port, splitErr := net.SplitHostPort(address)
	if splitErr != nil || !isAddressInUse(err) {
		return nil, fault.Fix("choose another address with --listen HOST:PORT")
	}
	fault.Message = "port " + port + " on " + host + " is already in use"
	if free := nextFree(ctx, config, host, port); free != "" {
		return nil, fault.Fix("port %s is free: add --port %s", free, free)
	}
	return nil, fault.Fix("choose another port with --port N")
}

// nextFree finds the first port above the taken one that can be opened.
func nextFree(ctx context.Context, config net.ListenConfig, host, port string) string {
	taken, err := strconv.Atoi(port)
	if err != nil {
		return ""
	}
	for n := taken + 1; n <= taken+maxPortsTried && n <= 65535; n++ {
		candidate := strconv.Itoa(n)
		if l, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, candidate)); err == nil {
			_ = l.Close() // it was opened to see that it is free
			return candidate
		}
	}
	return ""
}

// isAddressInUse also knows the code of Windows (WSAEADDRINUSE), which Go does
// not map to the portable one.
func isAddressInUse(err error) bool {
	const windowsInUse = syscall.Errno(10048)
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsInUse)
}

// Serve answers on the listeners until ctx ends, then lets running requests
// finish for at most ten seconds. It returns nil after a clean stop.
func Serve(ctx context.Context, handler http.Handler, listeners ...net.Listener) error {
	return serve(ctx, handler, readHeaderTimeout, listeners...)
}

// serve is Serve with a time in which a request's headers must arrive.
func serve(ctx context.Context, handler http.Handler, headers time.Duration, listeners ...net.Listener) error {
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headers,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return streams },
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- server.Serve(l) }()
	}
	select {
	case err := <-failed:
		_ = server.Close() // the first fault is the one to tell
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		endStreams()
		_ = server.Close() // what is still open after the drain is cut
	}
	return nil
}
