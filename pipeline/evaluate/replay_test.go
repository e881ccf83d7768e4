package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/testdata/expect"
)

// readLaboratory reads the traces of a laboratory.
func readLaboratory(t *testing.T, runs int) (*Job, *traces) {
	t.Helper()
	j := job(t, runs)
	o := expect.Value(j.observe(t.Context(), j.Cells[0]))(t)
	tr := expect.Value(j.readTraces(t.Context(), o))(t)
	return &j, tr
}

// TestReplayIsThatOfSamples sees that every step has the samples of package samples and the summary of package summaries,
// and that comparisons pair the same steps.
func TestReplayIsThatOfSamples(t *testing.T) {
	j, tr := readLaboratory(t, 3)
	for run := range tr.runs {
		a := analyze(t, record(uint64(run)))
		want := make(map[string][]string)
		s := a.samples
		for i := range s.TimeNs {
			key := fmt.Sprint(s.Names.Fragments.Name(s.Fragment[i]), s.Transition[i])
			previous := ""
			if v := s.SincePreviousNs[i]; v != schema.NoValue {
				previous = fmt.Sprint(v)
			}
			want[key] = append(want[key], previous+" "+fmt.Sprint(s.SinceStartNs[i]))
		}
		total := 0
		for step := range tr.component {
			var got []string
			for i, start := range tr.runs[run].since[sinceStart][step] {
				previous := ""
				if list := tr.runs[run].since[sincePrevious][step]; len(list) > 0 {
					previous = fmt.Sprint(list[i])
				}
				got = append(got, previous+" "+fmt.Sprint(start))
			}
			total += len(got)
			found := slices.ContainsFunc(slices.Collect(values(want)), func(w []string) bool { return slices.Equal(w, got) })
			if !found {
				t.Fatalf("run %d, step %d of %s: no transition has the samples %v", run, step, tr.fragment[step], got)
			}
		}
		expect.Equal(t, total, len(s.TimeNs), "samples of run %d", run)
	}
	o := expect.Value(j.observe(t.Context(), j.Cells[0]))(t)
	var observed, replayed []string
	for _, s := range o.subjects {
		if s.Level == schema.LevelTransition {
			observed = append(observed, describe(s.Component, s.Runs))
		}
	}
	for step, component := range tr.component {
		var runs []string
		for _, one := range tr.runs {
			runs = append(runs, describe("", one.summary[step:step+1]))
		}
		replayed = append(replayed, component+strings.Join(runs, ""))
	}
	slices.Sort(observed)
	slices.Sort(replayed)
	expect.Slice(t, observed, replayed, "comparisons, and the replay")
}

func values(of map[string][]string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for _, v := range of {
			if !yield(v) {
				return
			}
		}
	}
}

// describe is a subject by what its runs say.
func describe(component string, runs []verdicts.Run) string {
	text := component
	for _, r := range runs {
		text += fmt.Sprintf(" %v/%v/%v/%v", r.Count, r.N, r.TotalNs, r.ArrivalNs)
		if r.Quantiles != nil {
			text += fmt.Sprint(*r.Quantiles)
		}
	}
	return text
}

// TestChangedTimes moves one exit by hand: the step takes longer, and all later events of the word start later.
func TestChangedTimes(t *testing.T) {
	_, tr := readLaboratory(t, 2)
	one := tr.runs[0]
	e := int32(4) // the exit of step1, after request, step0, step0, step1
	times := slices.Clone(one.timeNs)
	times[e] += 500
	if got, want := one.differ(sincePrevious, times), []uint32{one.subject[e], one.subject[e+1]}; !slices.Equal(got, sorted(want)) {
		t.Errorf("since the event before: %v, want %v", got, want)
	}
	expect.Slice(t, one.differ(sinceStart, times), []uint32{one.subject[e]}, "since the start")
	steps := one.differ(sincePrevious, times)
	for i, run := range one.summaries(steps, times) {
		was, by := one.summary[steps[i]], 500.
		if steps[i] != one.subject[e] {
			by = -500
		}
		if run.TotalNs != was.TotalNs+by || run.N != was.N || math.IsNaN(run.Quantiles[0]) {
			t.Errorf("step %d: %+v, was %+v", steps[i], run, was)
		}
	}
}

func sorted(s []uint32) []uint32 {
	slices.Sort(s)
	return s
}

// TestFirstEventsGetNoFault sees what faults may be given to: no first event of a word, and nothing of a word that never
// ends.
func TestFirstEventsGetNoFault(t *testing.T) {
	_, tr := readLaboratory(t, 2)
	for _, one := range tr.runs {
		n := 0
		for e, candidate := range one.columns.Candidate {
			if candidate {
				n++
				if one.previous[e] < 0 || one.subject[e] == schema.NoCode {
					t.Errorf("event %d may get a fault", e)
				}
			}
		}
		expect.Equal(t, n, requests*(2*steps+3+2*steps+1), "events that may get a fault")
		expect.Equal(t, len(one.messages), 2*requests, "messages")
	}
}

// TestPlantedFault delays one function in three of six runs: release verdicts name its exit, and nothing that did not change.
func TestPlantedFault(t *testing.T) {
	if testing.Short() {
		t.Skip("TestJobsDoNotMatter evaluates with several jobs; this is seen in full tests")
	}
	j, tr := readLaboratory(t, 6)
	c := j.contestOf(tr, scores.Split{Base: []int{0, 2, 4}, Cand: []int{1, 3, 5}})
	plan := expect.Value(tr.pool().Plan(faults.Fault{Kind: faults.Delay, Factor: 2}, 3))(t)
	o := expect.Value(c.inject(plan))(t)
	if s := o[results.Runs]; s.F1 != 1 || s.Injected != 1 || s.Matters.Hits != 1 || s.Visible.Hits != 1 {
		t.Errorf("release verdicts: %+v", s)
	}
	if s := o["SHIFT"]; s.Recall != 1 || s.Precision >= .5 {
		t.Errorf("SHIFT: %+v", s)
	}
	for _, m := range results.Methods() {
		if _, judged := o[m]; !judged {
			t.Errorf("%s did not judge", m)
		}
	}
}

// TestSameTraceFlatters sees that a copy of a trace without a fault is called equal by all methods, and that a fault in it
// cannot be told falsely.
func TestSameTraceFlatters(t *testing.T) {
	j, tr := readLaboratory(t, 2)
	c := j.contestOf(tr, scores.Split{Base: []int{0}, Cand: []int{0}})
	for method, detected := range c.detected() {
		if slices.Contains(detected, true) {
			t.Errorf("%s tells a trace from itself", method)
		}
	}
	plan := expect.Value(tr.pool().Plan(faults.Fault{Kind: faults.Delay, Factor: 5}, 1))(t)
	o := expect.Value(c.inject(plan))(t)
	for _, m := range []string{"KS", "MWU", "SHIFT", "DYN"} {
		if s := o[m]; s.Precision != 1 || s.Recall != 1 {
			t.Errorf("%s: %+v", m, s.Score)
		}
	}
	// The experiment leaves the contest as it was.
	for method, detected := range c.detected() {
		if slices.Contains(detected, true) {
			t.Errorf("%s sees a change in the contest after the experiment", method)
		}
	}
}
