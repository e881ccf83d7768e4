package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// TestSamplesInRanges sees that samples placed in several passes, because memory holds no bucket of them, are the
// same bytes as those placed in one.
func TestSamplesInRanges(t *testing.T) {
	var trace strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&trace, "%d a > f\n%d a > g\n%d a < g\n%d a < f\n", 10*i, 10*i+1+i%3, 10*i+5, 10*i+6)
	}
	path := filepath.Join(t.TempDir(), "trace.txt")
	if err := os.WriteFile(path, []byte(trace.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	want := samplesOf(t, path, 1<<30)
	if got := samplesOf(t, path, 1<<20); got != want {
		t.Errorf("in ranges: %s, at once: %s", got, want)
	}
}

// samplesOf ingests a trace, analyzes it with so much memory, and returns what the manifest says of its samples.
func samplesOf(t *testing.T, path string, memory int64) string {
	t.Helper()
	l, err := lake.Open(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	detect := func(string, []byte) (schema.Format, error) { return text.Thesis(), nil }
	_, _, err = ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "a", Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	stages, err := pipeline.Order(Stages(Options{Constraints: constraints.Defaults()}), Given...)
	if err != nil {
		t.Fatal(err)
	}
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 1, Memory: memory}
	if _, err := e.Run(t.Context(), []lake.Partition{lake.Run("a")}); err != nil {
		t.Fatal(err)
	}
	m, err := l.Manifest("samples", lake.Run("a"))
	if err != nil || m.Rows() != 200_000 {
		t.Fatal(m, err)
	}
	return fmt.Sprint(m.Files)
}
