package repair

// The bounds of a repair. Whatever a caller sends, the work done for it is
// bounded by these; beyond them a call is refused, never repaired halfway.
const (
	// maxBody bounds the params of one call in bytes. Real calls are below
	// 100 KB; the edges accept bodies up to 4 MiB, which no tool call needs.
	maxBody = 1 << 20

	// maxName bounds a tool's name in bytes. Real ones have up to 64; repeated and
	// prefixed they still fit.
	maxName = 512

	// maxDecode bounds how often a string is read as JSON text again. Double
	// encoding is seen in the wild, a fourth layer is an attack.
	maxDecode = 3

	// minTypoWord is the length in bytes from which one edit still tells words
	// apart: below it, "list" is one edit from "link".
	minTypoWord = 5

	// maxKeys bounds the keys of an object that the key and value stages work
	// on; an object that validates may have more.
	maxKeys = 256

	// maxSteps bounds the attempts at converting a value in one call, weighed by
	// the value's size in units of 256 bytes, so that nested alternatives of a
	// schema cannot multiply.
	maxSteps = 4096

	// maxHint bounds the hint in bytes: it is paid in the agent's context with
	// every repaired call.
	maxHint = 300

	// maxShort bounds the short form of the hint in bytes.
	maxShort = 160

	// maxRefusal bounds the text of a refusal in bytes.
	maxRefusal = 1500

	// maxFaults bounds the faults that a refusal lists; an agent repairs a
	// handful at a time.
	maxFaults = 6

	// maxCandidates bounds the tools that a refusal names.
	maxCandidates = 3

	// maxEcho bounds in runes what is repeated of a caller's own text.
	maxEcho = 48

	// maxRegistry bounds a registry of tools in bytes: thousands of tools with
	// their schemas.
	maxRegistry = 16 << 20

	// maxLine bounds one line of a registry or of a stream in bytes: a body and
	// its JSON-escaped form.
	maxLine = 8 * maxBody
)
