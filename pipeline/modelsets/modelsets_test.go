package modelsets_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/testdata/expect"
)

// said are the changes from set to set.
func said(t *modelsets.Tables) string {
	var out []string
	for _, c := range t.Changes {
		words := []string{c.Entity, c.Verdict, c.Behaviour, c.CandEntity}
		out = append(out, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
	}
	return strings.Join(out, ", ")
}

// TestTogether checks that the runs of a set are one: what they did is taken together, and a fragment that did one thing in
// one run and another in the next can do one after the other.
func TestTogether(t *testing.T) {
	l := open(t)
	put(t, l, "one", machine{"c c.f": {"a b"}, "d d.g": {"a"}})
	put(t, l, "two", machine{"c c.f": {"a c"}})
	put(t, l, "three", machine{"c c.f": {"a d e"}, "d d.g": {"b"}})
	put(t, l, "all", machine{"c c.f": {"a b", "a c", "a d e"}, "d d.g": {"a", "b"}})
	expect.Equal(t, said(compare(t, job(l, "two,one,three", "all"))), "", "three runs and one with all that they did")
	expect.Equal(t, said(compare(t, job(l, "one,two", "all"))), "c.f changed extended, d.g changed extended", "two runs, and all")
}

// TestComponents checks that components can do what any of their fragments can, one after the other.
func TestComponents(t *testing.T) {
	l := open(t)
	put(t, l, "one", machine{"c c.f": {"a b"}, "c c.g": {"x"}, "d d.g": {"a"}})
	put(t, l, "two", machine{"c c.h": {"a b", "x"}, "e e.g": {"a"}})
	j := job(l, "one", "two")
	expect.Equal(t, said(compare(t, j)), "c.h appeared, c.f vanished, c.g vanished, d.g moved e.g", "fragments")
	j.Of = modelsets.Components
	expect.Equal(t, said(compare(t, j)), "d moved e", "components")
}

// TestRunsInAnyOrder checks that neither the order of the runs in a set nor their names matter.
func TestRunsInAnyOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSameBytes makes models with several jobs; this is seen in full tests")
	}
	runs := random(rand.New(rand.NewSource(1)), 6, 60)
	var want *modelsets.Tables
	for _, order := range [][]string{{"r1", "r2", "r3"}, {"r3", "r1", "r2"}} {
		l := open(t)
		for i, run := range order {
			put(t, l, run, runs[i])
			put(t, l, "s"+run, runs[3+i])
		}
		got := compare(t, job(l, "r2,r1,r3", "sr3,sr1,sr2", "r1,r2,r3,sr1,sr2,sr3"))
		if want == nil {
			want = got
		}
		expect.Deep(expect.Must(t), got, want, "with other names of runs")
	}
}

// TestSameBytes checks that the tables do not depend on how many work on them, nor on the order of the runs in a set.
func TestSameBytes(t *testing.T) {
	runs := random(rand.New(rand.NewSource(2)), 6, 6)
	var want map[string]string
	for _, c := range []struct {
		jobs int
		sets []string
	}{{1, []string{"r0,r1", "r2,r3", "r4,r5"}}, {2, []string{"r0,r1", "r2,r3", "r4,r5"}}, {5, []string{"r1,r0", "r3,r2,r3", "r5,r4"}}} {
		l := open(t)
		for i, m := range runs {
			put(t, l, fmt.Sprint("r", i), m)
		}
		j := job(l, c.sets...)
		j.Jobs = c.jobs
		compare(t, j)
		got := contents(t, l)
		if want == nil {
			want = got
		}
		if !maps.Equal(got, want) {
			t.Errorf("%d jobs, %v: other bytes", c.jobs, c.sets)
		}
	}
}

// TestAcrossBuckets checks that the tables are the same wherever every run keeps its components.
func TestAcrossBuckets(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSameBytes makes models with several jobs; this is seen in full tests")
	}
	rng := rand.New(rand.NewSource(6))
	runs := random(rng, 4, 30)
	runs[1] = machine{"c0 c0.f0": {"a b"}, "c7 c7.f1": {"a"}} // a component that the first run lacks, and not c1
	var want map[string]string
	for range 5 {
		l := open(t)
		for i, m := range runs {
			first := rng.Intn(3) // bucket of c0; the others follow
			putIn(t, l, fmt.Sprint("r", i), m, func(component string) int { return (first + int(component[1]-'0')) % 3 * 5 })
		}
		j := job(l, "r0,r1", "r2", "r3,r1")
		compare(t, j)
		got := contents(t, l)
		if want == nil {
			one := open(t)
			for i, m := range runs {
				put(t, one, fmt.Sprint("r", i), m)
			}
			compare(t, job(one, "r0,r1", "r2", "r3,r1"))
			want = contents(t, one)
		}
		if !maps.Equal(got, want) {
			t.Error("other bytes where components lie in other buckets")
		}
	}
}

// TestCounts checks that every edge of an entity is counted, and that its counts are the difference of the transitions: of
// these models all are minimal.
func TestCounts(t *testing.T) {
	type key struct {
		entity  string
		variant int64
	}
	l := open(t)
	for i, m := range random(rand.New(rand.NewSource(3)), 3, 100) {
		put(t, l, fmt.Sprint("r", i), m)
	}
	tables := compare(t, job(l, "r0", "r1", "r0,r2"))
	size := make(map[key]int64)
	for _, v := range tables.Variants {
		if v.Level == schema.OfEntities {
			size[key{v.Entity, v.Variant}] = *v.Transitions
		}
	}
	counted := 0
	for _, e := range tables.Lattice {
		if e.Level != schema.OfEntities {
			continue
		}
		counted++
		less, more := size[key{e.Entity, e.Lower}], size[key{e.Entity, e.Upper}]
		if *e.Added-*e.Removed != more-less || *e.Added > more || *e.Removed > less {
			t.Errorf("%s: %d and %d transitions, and +%d -%d between", e.Entity, less, more, *e.Added, *e.Removed)
		}
	}
	if counted < 200 {
		t.Errorf("only %d edges", counted)
	}
}

// TestFresh checks that a comparison is made again when a run, a set or an option is another, and only then.
func TestFresh(t *testing.T) {
	l := open(t)
	for i, m := range random(rand.New(rand.NewSource(4)), 3, 6) {
		put(t, l, fmt.Sprint("r", i), m)
	}
	want := compare(t, job(l, "r0", "r1"))
	got, fresh, err := modelsets.Run(context.Background(), job(l, "r0", "r1"))
	if err != nil || !fresh || !reflect.DeepEqual(got, want) {
		t.Errorf("again: fresh %t, %v, got\n%+v\nwant\n%+v", fresh, err, got, want)
	}
	compare(t, job(l, "r0", "r1,r2"))
	if _, fresh, err := modelsets.Run(context.Background(), job(l, "r0", "r2,r1,r2")); err != nil || !fresh {
		t.Errorf("runs in another order: fresh %t, %v", fresh, err)
	}
	j := job(l, "r0", "r1,r2")
	j.Options.Completion = levels.Full
	compare(t, j)
	j.Of = modelsets.Components
	compare(t, j)
	j.Sets[0].Name = "other"
	compare(t, j)
	put(t, l, "r2", machine{"c c.new": {"a"}})
	compare(t, j)
}

// TestCutShort checks that a comparison is made again when one of its tables is not there, as after a process that was killed
// while it committed them.
func TestCutShort(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSameBytes makes models with several jobs; this is seen in full tests")
	}
	l := open(t)
	for i, m := range random(rand.New(rand.NewSource(5)), 3, 6) {
		put(t, l, fmt.Sprint("r", i), m)
	}
	for _, table := range []string{"variants", "lattice", "differences", "entity_changes"} {
		want := compare(t, job(l, "r0", "r1"))
		before := expect.Value(l.Manifest(table, lake.Comparison("x")))(t)
		expect.OK(t, l.DropTables(t.Context(), lake.Comparison("x"), table))
		expect.Deep(t, compare(t, job(l, "r0", "r1")), want, "without %s", table)
		if after, err := l.Manifest(table, lake.Comparison("x")); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: got %+v, %v, want %+v", table, after, err, before)
		}
		if err := l.DropTables(t.Context(), lake.Comparison("x"), "lattice"); err != nil { // the next one is not fresh either
			t.Fatal(err)
		}
	}
}

func TestRefused(t *testing.T) {
	l := open(t)
	put(t, l, "one", machine{"c c.f": {"a b"}})
	for want, j := range map[string]modelsets.Job{
		"run two has no table fragments: analyze it first, with analyze run two": job(l, "one", "two"),
		`model set "A" stands twice in the comparison`: {
			Engine: &pipeline.Engine{Lake: l}, ID: "x", Spec: modelsets.Spec{
				Of: modelsets.Fragments, Sets: []modelsets.Set{{Name: "A", Runs: []string{"one"}}, {Name: "A", Runs: []string{"one"}}}}},
	} {
		if _, _, err := modelsets.Run(context.Background(), j); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := modelsets.Run(cancelled, job(l, "one", "one")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if m, err := l.Manifest("variants", lake.Comparison("x")); m != nil || err != nil {
		t.Errorf("a table is there: %v, %v", m, err)
	}
}

// TestWords checks the examples of what only one of two variants can do: those of two unrelated ones, of one that extends another, and one too long to show.
func TestWords(t *testing.T) {
	l := open(t)
	repeated := strings.Repeat("a ", 119) + "z"
	put(t, l, "one", machine{"c c.either": {"a b"}, "c c.more": {"a b"}, "c c.long": {"x"}})
	put(t, l, "two", machine{"c c.either": {"a c"}, "c c.more": {"a b", "a d e", "f f f f"}, "c c.long": {"x", repeated}})
	got := make(map[string][2]string)
	text := func(word *string) string {
		if word == nil {
			return "none"
		}
		return strings.ReplaceAll(*word, "\n", ", ")
	}
	for _, e := range compare(t, job(l, "one", "two")).Lattice {
		if e.Level == schema.OfEntities && (e.Relation == schema.Unrelated || e.Entity != "c.either") {
			got[e.Entity] = [2]string{text(e.LowerWord), text(e.UpperWord)}
		}
	}
	half := strings.Repeat("enter a, ", 50)
	expect.Deep(t, got, map[string][2]string{
		"c.either": {"enter a, enter b", "enter a, enter c"},
		"c.more":   {"none", "enter a, enter d, enter e"}, // shorter than f f f f
		"c.long":   {"none", half + "... 20 more steps ..., " + strings.TrimSuffix(half, "enter a, ") + "enter z"},
	}, "words of variants")
}
