package config

import (
	"math"
	"time"
)

// maxFileBytes bounds evergreen.json: a hundred times what all settings take,
// so that naming a wrong file by mistake is an error at once.
const maxFileBytes = 1 << 20

// maxMilliseconds is the longest duration that fits time.Duration.
const maxMilliseconds = math.MaxInt64 / int64(time.Millisecond)
