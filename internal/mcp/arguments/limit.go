package arguments

// MaxIDBytes is the longest id that is looked up: unknown ids are compared with
// every known one.
const MaxIDBytes = 2048

// maxDepth is how many layers of JSON strings around the arguments are taken
// off.
const maxDepth = 3
