package repair

import (
	"slices"

	"evergreen/internal/repair/spelling"
)

// This file decides how far the repair of a tool's calls may go.

// Class says what a tool may do to the world; it decides how far a repair may
// go.
type Class string

// The classes of tools.
const (
	Read        Class = "read"        // the whole ladder
	Write       Class = "write"       // shape only: no drops, clamps, typos, names by likeness
	Destructive Class = "destructive" // exact names and deterministic name forms, decoding, lossless types
)

// Policy is the operator's word on one tool, above its class.
type Policy string

// The policies; the empty one leaves the decision to the class.
const (
	PolicyOff      Policy = "off"       // arguments go on as they came, whatever they are
	PolicyHintOnly Policy = "hint-only" // refused, with the repaired call shown
	PolicySafe     Policy = "safe"      // at most what a writing tool gets
	PolicyFull     Policy = "full"      // the whole ladder for arguments, whatever the class
)

// ladder lists what may be done to a call beyond decoding and lossless types.
type ladder struct {
	likeness bool // names by the token rule
	shape    bool // flat and bare arguments, wrappers, keys, forms of values
	guess    bool // typos of keys, drops, clamps, the query of other fields
}

func ladderOf(class Class, policy Policy) ladder {
	l := ladder{likeness: class == Read, shape: class != Destructive, guess: class == Read}
	switch policy {
	case PolicySafe:
		l.guess, l.likeness = false, false
	case PolicyFull:
		l.shape, l.guess = true, true
	}
	return l
}

// destructiveVerbs make a tool destructive by its name where nobody said
// otherwise.
func destructiveVerbs() []string {
	return []string{
		"delete", "remove", "drop", "close", "revoke", "purge", "kill", "send", "pay",
		"destroy", "erase", "wipe", "truncate", "terminate", "uninstall", "unpublish", "transfer", "charge", "refund",
	}
}

// knownVerbs are the words that name an action: two tools that differ in one of
// them do different things, however alike they are spelt.
func knownVerbs() []string {
	return append(destructiveVerbs(),
		"get", "list", "link", "unlink", "read", "write", "search", "find", "query", "fetch", "create", "update", "add",
		"set", "put", "post", "patch", "edit", "move", "copy", "rename", "run", "start", "stop", "restart", "open",
		"describe", "show", "check", "validate", "analyze", "analyse", "generate", "execute", "invoke", "deploy", "build",
		"upload", "download", "import", "export", "merge", "approve", "reject", "block", "unblock", "lock", "unlock",
		"enable", "disable", "connect", "disconnect", "register", "resolve", "cancel", "assign", "insert", "save", "load",
		"subscribe", "unsubscribe", "grant", "toggle", "trigger", "browse", "navigate", "click", "crawl", "extract",
		"index", "ask", "echo", "modify", "replace", "reset", "restore", "archive", "publish", "submit", "apply",
	)
}

// classOf derives a tool's class: the operator's word, the destructive
// annotation, a destructive verb, the read-only annotation, and else read for
// our own tools and write for others. A verb at the head of the name outweighs
// the read-only annotation, which is often wrong.
func classOf(t *Tool, bare string) Class {
	readOnly := t.ReadOnly != nil && *t.ReadOnly
	switch verb := slices.IndexFunc(spelling.Tokens(bare), isDestructiveVerb); {
	case t.Class != "":
		return t.Class
	case t.Destructive != nil && *t.Destructive:
		return Destructive
	case verb == 0 || verb > 0 && !readOnly:
		return Destructive
	case readOnly || t.ReadOnly == nil && t.Own:
		return Read
	}
	return Write
}

func isDestructiveVerb(word string) bool { return slices.Contains(destructiveVerbs(), word) }
