package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Key maps a collection's name to the name of its folder, injectively, also on
// file systems that fold case or reserve names: characters outside
// [a-z0-9._-] become '_', and a name that changed (or is reserved, empty, too
// long, or ends in a dot) carries the first 8 hex digits of its sha256.
func Key(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			b.WriteRune(r)
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r - 'A' + 'a')
		default:
			b.WriteByte('_')
		}
	}
	key := b.String()
	if key == name && plainKey(key) {
		return key
	}
	if len(key) > maxKeyBytes {
		key = key[:maxKeyBytes]
	}
	key = strings.Trim(key, ".")
	if key == "" {
		key = "repo"
	}
	sum := sha256.Sum256([]byte(name))
	return key + "-" + hex.EncodeToString(sum[:4])
}

// plainKey tells whether a name is safe as it stands. A name that looks like
// one that carries a hash is not, or it could meet one that does.
func plainKey(key string) bool {
	if key == "" || len(key) > maxKeyBytes || key[0] == '.' || key[len(key)-1] == '.' {
		return false
	}
	stem, _, _ := strings.Cut(key, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return false
	}
	if len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9' {
		return false
	}
	return !endsInHash(key)
}

func endsInHash(key string) bool {
	if len(key) < 9 || key[len(key)-9] != '-' {
		return false
	}
	_, err := hex.DecodeString(key[len(key)-8:])
	return err == nil
}
