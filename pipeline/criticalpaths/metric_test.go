package criticalpaths

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// TestPair has an instance that is not a number, one without an end, one without a start and one that ends before it starts.
func TestPair(t *testing.T) {
	var m Metric
	m.pairEnds(map[string]int64{"2": 20, "1": 5, "wafer": 10, "open": 30, "back": 9}, map[string]int64{"1": 6, "2": 25, "wafer": 40, "end": 50, "back": 8})
	want := []findings.Occurrence{{Number: 1, From: 5, To: 6}, {Number: schema.NoValue, From: 10, To: 40}, {Number: 2, From: 20, To: 25}}
	if !slices.Equal(m.Instances, want) || m.Open != 3 {
		t.Errorf("%+v, %d open", m.Instances, m.Open)
	}
}
