package criticalpaths_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestDependencies compares how events depend on each other with a search over all constraints, whatever the buckets, row
// groups and windows.
func TestDependencies(t *testing.T) {
	linked, apart := 0, 0
	for seed := range int64(2) {
		r := generate(rand.New(rand.NewSource(seed)), 120)
		for _, layout := range layouts {
			j := job(r.store(t, layout[0], layout[1]), int64(layout[2]), layout[3])
			all := allConstraints(t, j)
			rng := rand.New(rand.NewSource(seed))
			for range 8 {
				from := rng.Intn(len(r.events) - 1)
				to := from + 1 + rng.Intn(len(r.events)-from-1)
				o := findings.Occurrence{From: int64(from), To: int64(to), FromNs: r.events[from].timeNs, ToNs: r.events[to].timeNs}
				critical := rng.Intn(2) == 0
				d := expect.Value(j.Dependencies(t.Context(), o, critical, 0))(t)
				want, events := dependenciesOf(all, o, critical)
				got := int64(0)
				for _, c := range d.Involved {
					got += c.Events
				}
				few, err := j.Dependencies(t.Context(), o, critical, 3)
				if err != nil || few.Count != d.Count || !slices.Equal(few.Involved, d.Involved) || !slices.Equal(few.Constraints, d.Constraints[:min(len(d.Constraints), 3)]) {
					t.Fatalf("all are %+v, three %+v", d, few)
				}
				if !slices.Equal(pairs(d.Constraints), want) || d.Linked != (len(want) > 0) || got != events || d.Count != int64(len(want)) {
					t.Fatalf("layout %v, seed %d, %+v, critical %v:\n got %v of %d events\nwant %v of %d", layout, seed, o, critical, pairs(d.Constraints), got, want, events)
				}
				if d.Linked {
					linked++
				} else {
					apart++
				}
			}
		}
	}
	if linked < 30 || apart < 30 {
		t.Errorf("%d depend, %d do not", linked, apart)
	}
}

// allConstraints are those of a run, by target.
func allConstraints(t *testing.T, j *criticalpaths.Job) (all []findings.Constraint) {
	t.Helper()
	c := expect.Value(chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Flags: true}, 1))(t)
	defer c.Close()
	w := new(window.Window)
	expect.OK(t, c.Load(t.Context(), c.Span(), w))
	for target := w.Lo; target < w.Hi; target++ {
		for _, e := range w.Into(target) {
			all = append(all, findings.Constraint{Target: target, Edge: e})
		}
	}
	return all
}

// dependenciesOf are the constraints between two events by definition: the first leads to their source, and their target to
// the second. It searches until nothing is found any more.
func dependenciesOf(all []findings.Constraint, o findings.Occurrence, critical bool) (found [][2]int64, events int64) {
	counts := func(c findings.Constraint) bool { return !critical || c.Flags&window.Critical != 0 }
	after, before := map[int64]bool{o.From: true}, map[int64]bool{o.To: true}
	for more := true; more; {
		more = false
		for _, c := range all {
			if counts(c) && after[c.Source] && !after[c.Target] {
				after[c.Target], more = true, true
			}
			if counts(c) && before[c.Target] && !before[c.Source] {
				before[c.Source], more = true, true
			}
		}
	}
	for _, c := range all {
		if counts(c) && after[c.Source] && before[c.Target] {
			found = append(found, [2]int64{c.Source, c.Target})
		}
	}
	sortPairs(found)
	for event := range after {
		if before[event] {
			events++
		}
	}
	return found, events
}

func pairs(list []findings.Constraint) (out [][2]int64) {
	for _, c := range list {
		out = append(out, [2]int64{c.Source, c.Target})
	}
	sortPairs(out)
	return out
}

func sortPairs(list [][2]int64) {
	slices.SortFunc(list, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0])) })
}

// TestVerdicts explains why executions took longer than the quicker half of them, with the same words whatever the
// buckets, row groups and windows.
func TestVerdicts(t *testing.T) {
	causes := 0
	for seed := range int64(2) {
		r := generate(rand.New(rand.NewSource(seed)), 150)
		var want []byte
		for i, layout := range someLayouts() {
			j := job(r.store(t, layout[0], layout[1]), int64(layout[2]), layout[3])
			got, n := verdicts(t, j)
			if causes += n; i == 0 {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("layout %v, seed %d: %s", layout, seed, firstDifference(got, want))
			}
		}
	}
	if causes < 60 {
		t.Errorf("only %d causes", causes)
	}
}

// verdicts are why executions missed their median time, in names, and the number of causes.
func verdicts(t *testing.T, j *criticalpaths.Job) (said []byte, causes int) {
	t.Helper()
	all := occurrences(t, j)
	slices.SortFunc(all, func(a, b findings.Occurrence) int { return cmp.Compare(a.SpanNs(), b.SpanNs()) })
	limitNs := all[len(all)/2].SpanNs()
	v := expect.Value(j.Explain(t.Context(), all, deadlines.Defaults(limitNs)))(t)
	var out bytes.Buffer
	part := func(key uint32) string {
		p := v.Parts[key]
		return fmt.Sprint(v.Names.Components.Name(p.Component), p.Function != schema.NoCode, p.Message)
	}
	late := 0
	for _, o := range all {
		if o.SpanNs() > limitNs {
			late++
		}
	}
	if len(v.Missed) != late || v.Reference != len(all)-late {
		t.Fatalf("%d missed and %d in time, of %d late of %d", len(v.Missed), v.Reference, late, len(all))
	}
	for _, m := range v.Missed {
		fmt.Fprintln(&out, m.Occurrence, m.MakespanNs, m.Sufficient, m.Along, m.Exhausted)
		for _, c := range m.Causes {
			fmt.Fprintln(&out, part(c.Edge.Key), c.Edge.Source, c.Edge.Target, c.BoundNs, c.ThresholdNs, c.GainNs, c.Label)
			causes++
		}
	}
	for _, s := range v.Surpluses {
		fmt.Fprintln(&out, part(s.Key), s.Missed, s.ExcessNs, s.MostNs, s.MedianNs, s.MaxNs)
	}
	return out.Bytes(), causes
}
