package main

import "testing"

func TestClassify(t *testing.T) {
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy":                                                                "MIT",
		"Apache License\n   Version 2.0, January 2004":                                                                                                                "Apache-2.0",
		"GNU General Public License\nPermission is hereby granted, free of charge, to any person obtaining a copy":                                                    "",
		"Use is subject to your choice of exactly one of\nthe following two licenses:\n  * The FreeType License, which ...\n  * The GNU General Public License (GPL)": "FTL",
		"Use is subject to The FreeType License and The GNU General Public License":                                                                                   "",
		"All rights reserved.": "",
	} {
		if got := classify(text); got != want {
			t.Errorf("classify(%.40q) = %q, want %q", text, got, want)
		}
	}
}
