package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// clientsName is the file with the secret by which clients are remembered: who
// reads a manifest shall not learn who made the collection, and there are too
// few addresses for a plain hash to hide one.
const clientsName = "clients.key"

type clientsKey struct {
	Key string `json:"key"` // hexadecimal
}

// ClientMark is what a manifest remembers a client by; "" when this library has
// remembered none yet.
func (l *Library) ClientMark(client string) string {
	b, err := readSmall(filepath.Join(l.root, clientsName))
	if err != nil {
		return ""
	}
	var k clientsKey
	if _, right := sealed(b); !right || json.Unmarshal(b, &k) != nil {
		return ""
	}
	key, err := hex.DecodeString(k.Key)
	if err != nil || len(key) != sha256.Size {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(client))
	return hex.EncodeToString(mac.Sum(nil)[:markBytes])
}

// ClientMark is that of the library, which begins to remember clients with it.
// A secret that is damaged is replaced: whom it stood for is forgotten.
func (w *Writer) ClientMark(client string) (string, error) {
	if mark := w.lib.ClientMark(client); mark != "" {
		return mark, nil
	}
	key := make([]byte, sha256.Size)
	if _, err := rand.Read(key); err != nil {
		return "", err
	}
	b, err := seal(clientsKey{hex.EncodeToString(key)})
	if err != nil {
		return "", err
	}
	if err := writeFileFor(filepath.Join(w.lib.root, clientsName), b, 0o600); err != nil {
		return "", err
	}
	return w.lib.ClientMark(client), nil
}

// Client is the mark of the client that made a collection, also when its
// manifest is damaged; "" is the operator.
func (l *Library) Client(name string) string {
	dir := l.dir(name)
	if m := manifestOf(dir); m.Name != "" {
		return m.Client
	}
	r, _ := readRepo(dir)
	return r.Client
}

// Size is what the texts and indexes of a collection take on disk, in bytes.
func (l *Library) Size(name string) (bytes int64) {
	dir := l.dir(name)
	for _, file := range list(dir) {
		if strings.HasSuffix(file, ".seg") || strings.HasSuffix(file, ".text") {
			bytes += sizeOf(filepath.Join(dir, file))
		}
	}
	return bytes
}

// SizeAs is what Size will be once m is the collection's state, of segments that
// are written already.
func (l *Library) SizeAs(m Manifest) (bytes int64) {
	for _, s := range m.Segments {
		if s.Documents > 0 {
			base := filepath.Join(l.dir(m.Name), strconv.Itoa(s.Number))
			bytes += sizeOf(base+".seg") + sizeOf(base+".text")
		}
	}
	return bytes
}

// sizeOf is the size of a file, 0 when it is gone.
func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}
