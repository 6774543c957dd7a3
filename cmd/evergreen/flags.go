package main

// This file ties flags to settings, so that a flag, a variable and the file
// set the same thing.

import (
	"strings"

	"evergreen/internal/config"

	"github.com/spf13/pflag"
)

// settingFlag is a flag that overrides a setting. Its text is read and checked
// by package config, with the same words for every place it may come from.
type settingFlag struct {
	key    string
	values []string
	given  bool
}

func (f *settingFlag) String() string { return strings.Join(f.values, ",") }
func (f *settingFlag) Type() string   { return "value" }

// Set takes a comma-separated list, or one more item of it.
func (f *settingFlag) Set(text string) error {
	f.given = true
	f.values = append(f.values, text)
	return nil
}

// setting defines a flag that overrides a setting.
func setting(flags *pflag.FlagSet, name, key, usage string) {
	flags.Var(&settingFlag{key: key}, name, usage)
}

// switchSetting defines a flag that turns a setting on.
func switchSetting(flags *pflag.FlagSet, name, key, usage string) {
	flags.VarPF(&settingFlag{key: key}, name, "", usage).NoOptDefVal = "true"
}

// givenSettings collects the settings given as flags.
func givenSettings(flags *pflag.FlagSet) map[string]config.Flag {
	given := map[string]config.Flag{}
	flags.Visit(func(f *pflag.Flag) {
		if s, ok := f.Value.(*settingFlag); ok && s.given {
			given[s.key] = config.Flag{Name: "--" + f.Name, Values: s.values}
		}
	})
	return given
}
