package offline

// summaryRunes bounds a summary within an index, which every search loads: one
// line of a result. The whole one stands with the texts.
const summaryRunes = 120

// shardBytes is about how much text one file of texts holds. An answer needs
// those of its few best sections, so small files cost less to load; smaller
// ones would be too many.
const shardBytes = 96 << 10
