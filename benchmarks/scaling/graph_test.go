package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// costed makes a stage whose tasks took these seconds; a negative number is the task that runs when the others are done.
func costed(name, reads, writes string, seconds ...float64) pipeline.Planned {
	p := pipeline.Planned{Stage: name, Reads: strings.Fields(reads), Writes: strings.Fields(writes)}
	for _, s := range seconds {
		cost := &lake.Cost{CPUNs: int64(math.Abs(s) * 1e9)}
		p.Tasks = append(p.Tasks, pipeline.PlannedTask{Cost: cost, Finish: s < 0})
	}
	return p
}

// example is one stage of four tasks, one of a single long task behind it, and one beside that.
//
//	a 1 1 1 1  ->  whole 3
//	           ->  b 2 2, finishing 1
func example() []pipeline.Planned {
	return []pipeline.Planned{
		costed("a", "events", "A", 1, 1, 1, 1), costed("whole", "A", "W", 3), costed("b", "A", "B", 2, 2, -1),
	}
}

// TestPlay compares schedules with those made by hand.
func TestPlay(t *testing.T) {
	for _, c := range []struct {
		settings settings
		cores    int
		want     float64
	}{
		{settings{}, 1, 12},
		{settings{}, 2, 7},            // a until 2, then whole until 5 beside b, b; finishing 6 to 7
		{settings{}, 3, 5},            // a until 2 (two of them at once on one core), whole 2 to 5, b 2 to 4, finishing 4 to 5
		{settings{}, 64, 4},           // a 1, whole 3
		{settings{buckets: 2}, 64, 5}, // a 2, whole 3
		{settings{merge: map[string]int{"a": 1}}, 64, 7},
		{settings{times: 2}, 64, 8},                                    // all twice as long
		{settings{times: 2, buckets: 8}, 64, 7},                        // a 1, whole 6: a walk
		{settings{times: 2, merge: map[string]int{"whole": 3}}, 64, 8}, // a 2, b 4, finishing 2
		{settings{task: 0.5}, 64, 5.5},                                 // a 1.5, b 2.5, finishing 1.5
	} {
		g := expect.Value(graphOf(example(), c.settings))(t)
		if got := g.play(c.cores); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %d cores take %g s, want %g", c.settings, c.cores, got, c.want)
		}
		if got := g.play(1); math.Abs(got-g.work()) > 1e-9 {
			t.Errorf("%+v: one core takes %g s for %g s of work", c.settings, got, g.work())
		}
	}
}

// TestRun checks the whole program: the words about the longest path, and that what was not measured is refused.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks.json")
	store := func(planned []pipeline.Planned) {
		text, err := json.Marshal(planned)
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		expect.OK(t, err)
	}
	store(example())
	var out, words bytes.Buffer
	expect.OK(t, run(t.Context(), &out, &words, []string{"-cores", "2,64", "-ingest", "1,5", "-tail", "0.5", path}))
	for _, want := range []string{
		"8 tasks of 3 stages; 18.5 CPU s with the ingest; no number of cores takes less than 5.5 s: a 1.0, whole 3.0",
		"2       10.5", "64        5.5",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
	unmeasured := example()
	unmeasured[1].Tasks[0].Cost = nil
	store(unmeasured)
	if err := run(t.Context(), &out, &words, []string{path}); err == nil || !strings.Contains(err.Error(), "whole") {
		t.Errorf("a stage without costs is played: %v", err)
	}
}

// TestFirst plays a stage of which a task of 2 s comes before two of 1 s, and one of 1 s after them.
func TestFirst(t *testing.T) {
	p := costed("a", "events", "A", 2, 1, 1, -1)
	p.Tasks[0].First = true
	g := expect.Value(graphOf([]pipeline.Planned{p}, settings{}))(t)
	for cores, want := range map[int]float64{1: 5, 2: 4, 64: 4} {
		if got := g.play(cores); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d cores take %g s, want %g", cores, got, want)
		}
	}
	expect.Equal(t, g.longestPath(), 4, "longest path")
}
