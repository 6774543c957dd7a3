package repair

// Stages of the ladder, as Change.Stage names them.
const (
	stageEnvelope  = "envelope"
	stageName      = "name"
	stageContainer = "container"
	stageWrapper   = "wrapper"
	stageKey       = "key"
	stageValue     = "value"
	stageQuery     = "query"
)

// Codes of changes. They are stable: metrics and logs count them.
const (
	EnvelopeText      = "envelope.text"      // the params were JSON text or in an array
	EnvelopeName      = "envelope.name"      // the name was under another key
	EnvelopeArguments = "envelope.arguments" // the arguments were under another key
	EnvelopeFlat      = "envelope.flat"      // the arguments lay beside the name
	EnvelopeSibling   = "envelope.sibling"   // a parameter lay beside the arguments

	NameCleaned  = "name.cleaned"  // quotes, spaces, tokens of the model's own format
	NameAlias    = "name.alias"    // a configured alias
	NameLetters  = "name.letters"  // case and separators
	NamePrefix   = "name.prefix"   // a server's prefix too many or too few
	NameLikeness = "name.likeness" // the token rule

	ContainerEmpty   = "container.empty"   // null, "" or [] for no arguments
	ContainerDecoded = "container.decoded" // text read as an object
	ContainerList    = "container.list"    // the object was in an array
	ContainerBare    = "container.bare"    // a bare value for the one parameter

	WrapperPeeled = "wrapper.peeled" // a lone key around the arguments
	WrapperCall   = "wrapper.call"   // a whole call in the arguments
	WrapperKey    = "wrapper.key"    // the arguments were a key's text
	WrapperAdded  = "wrapper.added"  // the one object parameter was left out

	KeyLetters     = "key.letters"     // case and separators
	KeyPlural      = "key.plural"      // singular or plural
	KeyAlias       = "key.alias"       // a family of names
	KeyTypo        = "key.typo"        // one edit
	KeyRepeated    = "key.repeated"    // a second key with the same value
	KeyBookkeeping = "key.bookkeeping" // a client's own key dropped
	KeyDropped     = "key.dropped"     // an unknown key dropped
	KeyPassed      = "key.passed"      // an unknown key of an open schema, untouched

	ValueAbsent  = "value.absent"  // null, "", "None" for an optional parameter
	ValueType    = "value.type"    // string, number, boolean
	ValueDecoded = "value.decoded" // JSON text to array or object
	ValueList    = "value.list"    // x to [x]
	ValueItem    = "value.item"    // [x] to x
	ValueSplit   = "value.split"   // comma text to array
	ValueInner   = "value.inner"   // {"value": x} to x
	ValueEnum    = "value.enum"    // case, separators, synonym
	ValueClamped = "value.clamped" // a limit beyond its bounds

	QueryExtracted = "query.extracted" // the query of messages or of another field
)
