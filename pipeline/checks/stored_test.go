package checks_test

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestResults holds generated pipelines against their specifications: what the lake has afterwards is what was evaluated, in each of the
// semantics, and the stretches of each definition follow each other without a gap, with truths in turn.
func TestResults(t *testing.T) {
	if testing.Short() {
		t.Skip("what one job keeps is compared with what it found in full tests")
	}
	stretches := 0
	for name, files := range cases(t) {
		l := load(t, files["etf"])
		for _, semantics := range []requirements.Semantics{requirements.Four, requirements.Three, requirements.TwoValued} {
			s := expect.Value(spec.Parse(name+".etl", files["etl"]))(t)
			var all [2][]requirements.Outcome
			for i := range all {
				j := &checks.Job{
					Engine: &pipeline.Engine{Lake: l, Jobs: 1}, Run: "a", Spec: s, Text: files["etl"], Semantics: semantics,
					Keep: mtl.Keep{Failing: 3}, Untraced: true, Intervals: true,
				}
				outcomes, unstored, err := j.Results(t.Context())
				expect.OK(t, err)
				expect.OK(t, unstored)
				expect.Equal(t, j.Stored, i == 0, "%s: stored", name)
				all[i] = outcomes
			}
			for i := range all[0] {
				a, b := &all[0][i], &all[1][i]
				if math.IsNaN(a.Robustness) && math.IsNaN(b.Robustness) {
					a.Robustness, b.Robustness = 0, 0
				}
				a.Tightest, a.Judgement.Failing, b.Judgement.Failing, b.Tightest = 0, nil, nil, 0
				a.Q99Ns = b.Q99Ns
				expect.Equal(t, s.Words(a.Formula), s.Words(b.Formula), "%s %s: formula", name, a.Check)
				a.Formula, b.Formula = nil, nil
				for k := range a.Failing {
					a.Failing[k].State = schema.NoValue
				}
				expect.Deep(t, *b, *a, "%s %s: from the lake, and evaluated", name, b.Check)
			}
		}
		rows := expect.Value(lake.Read[schema.CheckInterval](l, "check_intervals", lake.Run("a")))(t)
		for i := range rows {
			stretches++
			if i == 0 || rows[i].Check != rows[i-1].Check || rows[i].Value != rows[i-1].Value || rows[i].Definition != rows[i-1].Definition {
				continue
			}
			if rows[i].FromNs != rows[i-1].ToNs || rows[i].Truth == rows[i-1].Truth || rows[i].Seq <= rows[i-1].Seq {
				t.Errorf("%s: a stretch follows that before it: %v %v", name, rows[i-1], rows[i])
			}
		}
	}
	if stretches < 1000 {
		t.Errorf("only %d stretches", stretches)
	}
}

// TestKnown: what was kept is known as it was found, of the same text and semantics alone, and asking for it keeps nothing.
func TestKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("what one job keeps is looked for in full tests")
	}
	const text = "check a : globally if start {'name'='A'} then finally end {'name'='G'}"
	for name, files := range cases(t) {
		l := load(t, files["etf"])
		job := func(text string, semantics requirements.Semantics) *checks.Job {
			s := expect.Value(spec.Parse("a.etl", text))(t)
			return &checks.Job{
				Engine: &pipeline.Engine{Lake: l, Jobs: 1}, Run: "a", Spec: s, Text: text, Semantics: semantics, Keep: mtl.Keep{Failing: 3}, Untraced: true,
			}
		}
		for range 2 {
			if known := expect.Value(job(text, requirements.Four).Known(t.Context()))(t); known != nil {
				t.Fatalf("%s: known before it was evaluated: %v", name, known)
			}
		}
		found, _, err := job(text, requirements.Four).Results(t.Context())
		expect.OK(t, err)
		known := expect.Value(job(text, requirements.Four).Known(t.Context()))(t)
		expect.Equal(t, len(known), 1, "%s: outcomes", name)
		expect.Equal(t, known[0].Verdict, found[0].Verdict, "%s: verdict", name)
		for what, other := range map[string]*checks.Job{"text": job(text+" ", requirements.Four), "semantics": job(text, requirements.Three)} {
			if known := expect.Value(other.Known(t.Context()))(t); known != nil {
				t.Errorf("%s: known of another %s", name, what)
			}
		}
	}
}
