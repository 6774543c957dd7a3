package main

// This file makes the server take tokens of an authorization server.

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"os"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/fetch"
	"evergreen/internal/httpguard/oauth"
	"evergreen/internal/web"
)

// closed reports whether reading needs a token.
func closed(s config.Settings) bool { return s.Server.ReadToken != "" || s.OAuth.Issuer != "" }

// resourceServer judges the tokens of the configured issuer and says what is
// served about it; both are nil when none is configured.
func resourceServer(s config.Settings, log *slog.Logger) (*oauth.Resource, []web.Document, error) {
	if s.OAuth.Issuer == "" {
		if s.OAuth.KeysURL+s.OAuth.KeysFile != "" {
			return nil, nil, evergreen.Errorf(evergreen.Invalid, "keys are configured for no issuer").Fix("set oauth.issuer")
		}
		return nil, nil, nil
	}
	o := oauth.Options{BaseURL: s.Site.BaseURL, Name: s.Site.Name, Issuer: s.OAuth.Issuer, KeysURL: s.OAuth.KeysURL,
		ReadScope: s.OAuth.ReadScope, WriteScope: s.OAuth.WriteScope, Get: documentGetter(s), Log: log}
	if s.OAuth.KeysFile != "" {
		keys, err := os.ReadFile(s.OAuth.KeysFile)
		if err != nil {
			return nil, nil, evergreen.Errorf(evergreen.Invalid, "read oauth.keys_file: %w", err)
		}
		o.Keys = keys
	}
	r, err := oauth.New(o)
	if err != nil {
		return nil, nil, err
	}
	metadata, err := r.Documents()
	if err != nil {
		return nil, nil, err
	}
	var documents []web.Document
	for _, d := range metadata {
		documents = append(documents, web.Document{Path: d.Path, Type: "application/json", Body: d.Body, Open: true})
	}
	return r, documents, nil
}

// documentGetter fetches the issuer's documents behind the guards of the HTTP
// client. Nothing is cached on disk and no redirect is followed: what tokens are
// judged by comes from where the operator said.
func documentGetter(s config.Settings) func(context.Context, string) ([]byte, error) {
	o := fetch.Defaults()
	o.UserAgent, o.AllowPrivate, o.MaxBytes, o.Retries = "evergreen/"+version, s.OAuth.AllowPrivate, maxIssuerBytes, 0
	client := fetch.New(o)
	return func(ctx context.Context, address string) ([]byte, error) {
		r, err := client.Get(ctx, fetch.Request{URL: address, Accept: "application/json", AnyType: true,
			Hop: func(*url.URL) bool { return false }})
		if err != nil {
			return nil, err
		}
		if r.Status != http.StatusOK {
			return nil, evergreen.Errorf(evergreen.Upstream, "%s answers %d", address, r.Status)
		}
		return r.Body, nil
	}
}
