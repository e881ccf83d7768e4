package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// onPaths are the nanoseconds that critical paths to the finish of a.f spend in x.f, by x.
type onPaths map[string]int64

// putPaths commits the compositions of a run: those of a.f, and those of b.f, which is not initial.
func putPaths(t *testing.T, l *lake.Lake, run string, of onPaths) {
	t.Helper()
	rows := schema.NewCompositions(new(schema.Names))
	add := func(fragment string, initial bool, component string, ns int64) {
		n := rows.Names
		rows.Fragment, rows.Initial = append(rows.Fragment, n.Fragments.Code(fragment)), append(rows.Initial, initial)
		rows.Category = append(rows.Category, schema.Executing)
		rows.Component = append(rows.Component, n.Components.Code(component))
		rows.Function = append(rows.Function, n.Functions.Code("f"))
		rows.Sender, rows.Label = append(rows.Sender, schema.NoCode), append(rows.Label, schema.NoCode)
		rows.Busy = append(rows.Busy, schema.NoCode)
		rows.Occurrences, rows.Steps = append(rows.Occurrences, occurrences), append(rows.Steps, occurrences)
		rows.TotalNs, rows.MaxNs = append(rows.TotalNs, ns), append(rows.MaxNs, ns)
	}
	for _, component := range []string{"a", "b", "c", "d"} {
		if ns, has := of[component]; has {
			add("a.f", true, component, ns)
		}
		add("b.f", false, component, 77)
	}
	fingerprint := lake.Fingerprint(run, 1, fmt.Sprint(of), nil)
	s := expect.Value(l.Stage("hand", lake.Run(run), fingerprint))(t)
	w, err := s.CreateTable("compositions", lake.NoBucket, 0, rows)
	if err == nil {
		err = w.Finish(rows)
	}
	if err == nil {
		err = s.Commit(&lake.Manifest{Table: "compositions", Fingerprint: fingerprint, Files: []lake.File{w.File}})
	}
	expect.OK(t, err)
}

// pathText are the rows of critical paths, and what the exit steps say of them.
func pathText(all []schema.Change) (parts, steps []string) {
	ns := func(p *int64) string {
		if p == nil {
			return "null"
		}
		return fmt.Sprint(*p)
	}
	for _, c := range all {
		on := ns(c.CriticalBaseNs) + " -> " + ns(c.CriticalCandNs)
		switch {
		case c.Level == schema.LevelCriticalPath:
			parts = append(parts, fmt.Sprintf("%s: %s by %d, %d of %d, %d of %d", c.Subject, c.Verdict, c.ImpactNs, c.NBase, c.RunsBase, c.NCand, c.RunsCand))
		case c.Level == schema.LevelTransition && c.Kind == "enter" && on != "null -> null":
			parts = append(parts, "a first event says "+on)
		case c.Level == schema.LevelTransition && c.Kind == "exit":
			steps = append(steps, c.Component+": "+on)
		}
	}
	slices.Sort(steps)
	return parts, steps
}

func TestPaths(t *testing.T) {
	same := machine{"a": {0, ms}, "b": {1, 2 * ms}, "c": {1, 3 * ms}}
	for _, c := range []struct {
		name         string
		b1, b2, c1   onPaths
		parts, steps string
	}{
		{"no compositions", nil, nil, nil, "", "a: null -> null, b: null -> null, c: null -> null"},
		{"on one side", onPaths{"a": 3}, nil, nil, "", "a: 3 -> null, b: 0 -> null, c: 0 -> null"},
		{"no initial fragment in the candidate", onPaths{"a": 3}, nil, onPaths{}, "", "a: 3 -> null, b: 0 -> null, c: 0 -> null"},
		{"of one part of two runs", onPaths{"a": 3 * ms}, onPaths{"a": ms, "b": 2 * ms}, onPaths{"a": 2 * ms, "c": 10 * ms},
			"execution c.f: appeared by 10000000, 0 of 2, 10 of 1, execution b.f: vanished by -1000000, 10 of 2, 0 of 1, " +
				"execution a.f: unchanged by 0, 20 of 2, 10 of 1",
			"a: 2000000 -> 2000000, b: 1000000 -> 0, c: 0 -> 10000000"},
	} {
		l := open(t)
		for run, paths := range map[string]onPaths{"b1": c.b1, "b2": c.b2, "c1": c.c1} {
			put(t, l, run, same)
			if paths != nil {
				putPaths(t, l, run, paths)
			}
		}
		all, _, err := run(t.Context(), job(l, "b1 b2", "c1"))
		expect.OK(t, err)
		parts, steps := pathText(all)
		expect.Equal(t, strings.Join(parts, ", "), c.parts, "%s", c.name)
		expect.Equal(t, strings.Join(steps, ", "), c.steps, "%s: steps", c.name)
	}
}

// Swapped sides have the same parts with opposite impacts, and two recordings of the same are no change.
func TestPathsSwapped(t *testing.T) {
	l := open(t)
	for run, paths := range map[string]onPaths{
		"x": {"a": 3 * ms, "b": 8 * ms}, "y": {"a": 9 * ms, "c": ms}, "again": {"a": 3 * ms, "b": 8 * ms},
	} {
		put(t, l, run, machine{"a": {0, ms}})
		putPaths(t, l, run, paths)
	}
	impacts := func(base, cand string) map[string]int64 {
		j := job(l, base, cand)
		j.ID = base + "-" + cand
		all, _, err := run(t.Context(), j)
		expect.OK(t, err)
		of := make(map[string]int64)
		for _, c := range all {
			if c.Level == schema.LevelCriticalPath {
				of[c.Subject] = c.ImpactNs
				if changed := c.Verdict != schema.Unchanged; changed != (c.ImpactNs != 0) {
					t.Errorf("%s to %s: %s is %s by %d", base, cand, c.Subject, c.Verdict, c.ImpactNs)
				}
			}
		}
		return of
	}
	there, back, none := impacts("x", "y"), impacts("y", "x"), impacts("x", "again")
	if len(there) != 3 || len(back) != 3 || len(none) != 2 {
		t.Errorf("parts: %v, %v, %v", there, back, none)
	}
	for subject, ns := range there {
		if ns == 0 || back[subject] != -ns || none[subject] != 0 {
			t.Errorf("%s: %d there, %d back, %d for the same", subject, ns, back[subject], none[subject])
		}
	}
}

// A comparison is made anew when the critical paths of a run are others.
func TestPathsAreFresh(t *testing.T) {
	l := open(t)
	put(t, l, "base", machine{"a": {0, ms}})
	put(t, l, "cand", machine{"a": {0, ms}})
	for i, want := range []bool{false, true, false} {
		if i == 2 {
			putPaths(t, l, "cand", onPaths{"a": ms})
		}
		if _, fresh, err := run(t.Context(), job(l, "base", "cand")); err != nil || fresh != want {
			t.Errorf("comparison %d: fresh %v, %v", i, fresh, err)
		}
	}
}
