package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSamplesInRanges checks that samples placed in several passes, because memory holds no bucket of them, are the
// same bytes as those placed in one.
func TestSamplesInRanges(t *testing.T) {
	if testing.Short() {
		t.Skip("one task reads what ranges of 200,000 events hold")
	}
	var trace strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&trace, "%d a > f\n%d a > g\n%d a < g\n%d a < f\n", 10*i, 10*i+1+i%3, 10*i+5, 10*i+6)
	}
	want := samplesOf(t, trace.String(), 1<<30)
	expect.Equal(t, samplesOf(t, trace.String(), 1<<20), want, "in ranges, and at once")
}

// samplesOf ingests a trace, analyzes it within a budget of bytes, and returns what the manifest says of its samples.
func samplesOf(t *testing.T, trace string, memory int64) string {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	ingestText(t, l, "a", trace)
	stages := expect.Value(pipeline.Order(Stages(Options{Constraints: constraints.Defaults()}), Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 1, Memory: memory}
	expect.Value(e.Run(t.Context(), []lake.Partition{lake.Run("a")}))(t)
	m, err := l.Manifest("samples", lake.Run("a"))
	if err != nil || m.Rows() != 200_000 {
		t.Fatal(m, err)
	}
	return fmt.Sprint(m.Files)
}
