package report

import (
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPagesAreDoubted sees that the page of a comparison says what makes recordings doubtful, as the text does, and nothing of whole ones.
func TestPagesAreDoubted(t *testing.T) {
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	for name, losses := range map[string][]schema.Loss{"whole": nil, "other": nil, "cut": {{Reason: schema.TornRecord.Name, Count: 1}}} {
		fingerprint := lake.Fingerprint("hand", 1, name, nil)
		s := expect.Value(l.Stage("hand", lake.Run(name), fingerprint))(t)
		file := expect.Value(lake.Write(s, "runs", lake.NoBucket, []schema.Run{{Events: 10}}))(t)
		expect.OK(t, s.Commit(&lake.Manifest{Table: "runs", Fingerprint: fingerprint, Files: []lake.File{file}, Losses: losses}))
	}
	f := &command{Globals: &console.Globals{Lake: l.Dir}}
	for cand, want := range map[string][]string{"other": nil, "cut": {"recordings were cut short"}} {
		spec := &compare.Spec{Base: []string{"whole"}, Cand: []string{cand}, Verdicts: verdicts.Defaults(), ByRuns: true}
		c := expect.Value(f.reported(t.Context(), l, "x", new(compare.Result), spec))(t)
		expect.Slice(t, c.Strata.Doubts, want, "doubts of a comparison with %s", cand)
	}
}
