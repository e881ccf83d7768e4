package modelsets_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/testdata/expect"
)

// machine is a run by hand: the words of its fragments, by component and fragment with a blank between. A word is functions with
// blanks between.
type machine map[string][]string

// behaviour is the minimal automaton of any number of words one after the other.
func behaviour(words []string, alphabet *schema.Dictionary) *language.Automaton {
	b := new(language.Builder)
	start := b.State(true)
	b.Initial(start)
	for _, w := range words {
		at, functions := start, strings.Fields(w)
		for i, f := range functions {
			next := start
			if i < len(functions)-1 {
				next = b.State(false)
			}
			b.Transition(at, alphabet.Code(f), next)
			at = next
		}
	}
	return language.Minimise(b.Automaton())
}

// tables are those of a run, in the order of the fragments.
func (m machine) tables() (fragments []schema.Fragment, states []schema.State, transitions []schema.Transition) {
	alphabet := new(schema.Dictionary)
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		component, name, _ := strings.Cut(k, " ")
		fragments = append(fragments, schema.Fragment{Fragment: name, Component: component})
		a := behaviour(m[k], alphabet)
		for s, accepting := range a.Accepting {
			states = append(states, schema.State{Fragment: name, State: int64(s), Initial: s == 0, Accepting: accepting})
		}
		for n, source := range a.Source() {
			transitions = append(transitions, schema.Transition{
				Fragment: name, Transition: int64(n), Component: component, Source: int64(source), Target: int64(a.Target[n]),
				Function: alphabet.Name(a.Label[n]), Kind: schema.KindWords[schema.Enter],
			})
		}
	}
	return fragments, states, transitions
}

// put commits the tables of a run.
func put(t *testing.T, l *lake.Lake, run string, m machine) {
	putIn(t, l, run, m, func(string) int { return 0 })
}

// putIn commits the tables of a run, with the components in the buckets that a function says.
func putIn(t *testing.T, l *lake.Lake, run string, m machine, bucket func(component string) int) {
	t.Helper()
	fragments, states, transitions := m.tables()
	of := make(map[string]int) // buckets by fragment
	for i := range fragments {
		of[fragments[i].Fragment] = bucket(fragments[i].Component)
	}
	fingerprint := lake.Fingerprint("hand", 1, m, nil)
	s := expect.Value(l.Stage("hand", lake.Run(run), fingerprint))(t)
	expect.OK(t, s.Commit(
		manifest(t, s, "fragments", fingerprint, fragments, func(f *schema.Fragment) int { return of[f.Fragment] }),
		manifest(t, s, "states", fingerprint, states, func(s *schema.State) int { return of[s.Fragment] }),
		manifest(t, s, "transitions", fingerprint, transitions, func(t *schema.Transition) int { return of[t.Fragment] })))
}

// manifest writes the rows of a table, each to its bucket.
func manifest[T any](t *testing.T, s *lake.Staging, table, fingerprint string, rows []T, bucket func(*T) int) *lake.Manifest {
	t.Helper()
	m := &lake.Manifest{Table: table, Fingerprint: fingerprint}
	in := make(map[int][]T)
	for i := range rows {
		b := bucket(&rows[i])
		in[b] = append(in[b], rows[i])
	}
	for _, b := range slices.Sorted(maps.Keys(in)) {
		m.Files = append(m.Files, expect.Value(lake.Write(s, table, b, in[b]))(t))
	}
	return m
}

func open(t *testing.T) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	return l
}

// job compares sets of runs: names with commas between. Sets are called A, B, and so on.
func job(l *lake.Lake, sets ...string) modelsets.Job {
	j := modelsets.Job{Engine: &pipeline.Engine{Lake: l, Jobs: 2}, ID: "x"}
	j.Of, j.Options = modelsets.Fragments, levels.Options{Completion: levels.Partial, MaxComputed: 8}
	for i, runs := range sets {
		j.Sets = append(j.Sets, modelsets.Set{Name: string(rune('A' + i)), Runs: strings.Split(runs, ",")})
	}
	return j
}

func compare(t *testing.T, j modelsets.Job) *modelsets.Tables {
	t.Helper()
	tables, fresh, err := modelsets.Run(context.Background(), j)
	if err != nil || fresh {
		t.Fatal(fresh, err)
	}
	return tables
}

// contents are the files of the comparison's tables, by table.
func contents(t *testing.T, l *lake.Lake) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, table := range []string{"variants", "lattice", "differences", "entity_changes"} {
		m, err := l.Manifest(table, lake.Comparison("x"))
		if err != nil || m == nil {
			t.Fatal(table, m, err)
		}
		text := expect.Value(os.ReadFile(l.Path(m.Files[0])))(t)
		all[table] = string(text)
	}
	return all
}

// random makes runs whose fragments have a few words each, so that some are alike.
func random(rng *rand.Rand, runs, fragments int) (out []machine) {
	for range runs {
		m := machine{}
		for f := range fragments {
			var words []string
			for w := range 5 {
				if rng.Intn(3) == 0 {
					words = append(words, fmt.Sprintf("start %s end", strings.Repeat(fmt.Sprint("f", w%3, " "), 1+w)))
				}
			}
			if words != nil {
				m[fmt.Sprintf("c%d c%d.f%d", f%2, f%2, f)] = words
			}
		}
		out = append(out, m)
	}
	return out
}
