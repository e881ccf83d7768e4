package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/relocations"
	"github.com/tracelake/tracelake/testdata/expect"
)

// one is a row of what one side alone has: component, function and peer, with a time of so many ns.
func one(level, metric, names, verdict string, ns int64) schema.Change {
	at := strings.Fields(names)
	c := schema.Change{Level: level, Metric: metric, Component: at[0], Function: at[1], Peer: at[2], Verdict: verdict, Subject: metric + " of " + at[1], RunsBase: 1, RunsCand: 1}
	c.AbsNs, c.TotalCandNs, c.NCand = ns, ns, 1
	if verdict == schema.Vanished {
		c.AbsNs, c.TotalBaseNs, c.NBase, c.TotalCandNs, c.NCand = -ns, ns, 1, 0, 0
	}
	if level == schema.LevelFragment {
		c.Fragment = schema.FragmentName(at[0], at[1], schema.Receive, at[2])
	}
	return c
}

// TestFoldedRows checks that what has other names because old.f is new.g is one row, with the times of both sides, and that all else stays apart.
func TestFoldedRows(t *testing.T) {
	first, second := int64(1), int64(2)
	of := func(c schema.Change, finding *int64) schema.Change { c.Finding = finding; return c }
	message, path, run := schema.LevelMessage, schema.LevelCriticalPath, schema.CategoryWords[schema.Executing]
	changes := []schema.Change{
		// Both ends of its calls, its fragment and its part of critical paths are folded.
		one(message, "transit", "old f web", schema.Vanished, 10), one(message, "transit", "new g web", schema.Appeared, 12),
		one(message, "transit", "web f old", schema.Vanished, 10), one(message, "transit", "web g new", schema.Appeared, 13),
		one(schema.LevelFragment, "runtime", "old f web", schema.Vanished, 20), one(schema.LevelFragment, "runtime", "new g web", schema.Appeared, 21),
		one(path, run, "old f -", schema.Vanished, 30), one(path, run, "new g -", schema.Appeared, 31),
		// What it calls keeps its name, and has another caller.
		one(message, "transit", "lib h old", schema.Vanished, 40), one(message, "transit", "lib h new", schema.Appeared, 41),
		// Another function, and another part of a message, are not the same.
		one(message, "transit", "old k web", schema.Vanished, 1), one(message, "transit", "new l web", schema.Appeared, 1),
		one(message, "lateness", "old f web", schema.Vanished, 1), one(message, "queueing", "new g web", schema.Appeared, 1),
		// Two findings say two things, and one says one.
		of(one(message, "transit", "old f a", schema.Vanished, 1), &first), of(one(message, "transit", "new g a", schema.Appeared, 1), &second),
		of(one(message, "transit", "old f b", schema.Vanished, 50), &first), of(one(message, "transit", "new g b", schema.Appeared, 51), &first),
		// It may be one of two.
		one(message, "transit", "old f old", schema.Vanished, 1), one(message, "transit", "new g old", schema.Appeared, 1), one(message, "transit", "new g new", schema.Appeared, 1),
		// It is judged as it stands.
		one(message, "transit", "web k lib", schema.Unchanged, 60),
	}
	o := new(Observations)
	var sum int64
	for _, c := range changes {
		o.Subjects = append(o.Subjects, Subject{Change: c})
		sum += c.AbsNs
	}
	o.relocations.AddFunction(relocations.Function{Component: "old", Name: "f"}, relocations.Function{Component: "new", Name: "g"})
	expect.Equal(t, len(o.fold()), 6, "pairs")
	ranked, positions := o.rank()
	var got []string
	for _, c := range ranked {
		if sum -= c.AbsNs; c.Verdict == schema.Moved {
			got = append(got, fmt.Sprintf("%s %s %s: %d -> %d, before %s%s", c.Component, c.Function, c.Peer, c.TotalBaseNs, c.TotalCandNs, c.MovedFrom, c.CandFragment))
		}
	}
	slices.Sort(got)
	expect.Slice(t, got, []string{
		"lib h new: 40 -> 41, before transit of h to lib",
		"new g -: 30 -> 31, before old.f",
		"new g b: 50 -> 51, before transit of f",
		"new g web: 10 -> 12, before transit of f",
		"old f web: 20 -> 21, before new.g from web",
		"web g new: 10 -> 13, before transit of f",
	}, "rows")
	expect.Equal(t, len(ranked), len(changes)-6, "rows that are left")
	expect.Equal(t, sum, 0, "what the rows add up to")
	for i, at := range positions {
		if isFolded := ranked[i].Verdict == schema.Moved; isFolded == (int(at) < len(o.Subjects)) {
			t.Errorf("estimates of %+v stand at %d", ranked[i], at)
		}
	}
}
