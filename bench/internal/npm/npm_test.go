package npm

import (
	"strings"
	"testing"
)

func TestAnswersAreCounted(t *testing.T) {
	for lines, ok := range map[string]bool{"1\n2\n": true, "1\n": false, "1\n2\n3": false, "1\nwarning: 2": false} {
		if got, err := answers[int](strings.NewReader(lines), 2); (err == nil) != ok {
			t.Errorf("%q gives %v, %v", lines, got, err)
		}
	}
}
