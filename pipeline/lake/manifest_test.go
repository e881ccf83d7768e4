package lake_test

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOptionText writes options as JSON with sorted keys, and what JSON cannot write as Go does.
func TestOptionText(t *testing.T) {
	expect.Equal(t, lake.OptionText(map[string]int{"b": 1, "a": 2}), `{"a":2,"b":1}`, "options")
	expect.Equal(t, lake.OptionText(nil), "null", "no options")
	expect.Equal(t, lake.OptionText(math.Inf(1)), "+Inf", "an infinity")
}
