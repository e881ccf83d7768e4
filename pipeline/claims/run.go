// Package claims reads the claims, regular events and dependencies of runs with their attributes, and asks packages
// stages/timing/claimgraph and stages/behaviour/claimorder about them: critical paths of claims, constraints that a run keeps,
// distances of runs, behaviours of items, and durations. Answers are kept in tables of the run; only Answers.Store writes.
//
// A run of a format without claims claims 1 of its lifeline with every execution, and its messages are its dependencies. Beside what
// the trace says of them, all claims and events have the attributes component, lifeline, function, name (the function),
// execution_type and, claims, resource. The trace's own win over these.
//
// In memory are the claims of the runs that are asked about, about 100 bytes each with three attributes, and 32 bytes a dependency.
package claims

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/claimgraph"
)

// Run is a run as claims and regular events, each by position in the order of the trace.
type Run struct {
	Name       string
	OriginNs   int64   // its start, from which times are told
	UnitNs     int64   // the unit of time of its signals, in which weights of dependencies count; 0 where it has none
	Execution  []int64 // of claims: seq of the enter event
	ID         []int64 // of claims: the number in the trace; that of the enter event where it has none
	Amount     []float64
	Dependency []Dependency

	claimgraph.Claims         // times of claims
	EventSeq          []int64 // of regular events
	EventNs           []int64

	claims, events, dependencies things
}

// Dependency is a dependency of a run between two of its claims or events.
type Dependency struct {
	Number       int64 // in the table dependencies, or the position among the messages
	From, To     claimgraph.Place
	FromNs, ToNs int64
	Weight       float64 // NaN: it has none
}

// bytesAClaim is about what a claim takes.
const bytesAClaim = 160

// Set is some runs whose attributes have codes in common.
type Set struct {
	Runs []*Run
	vocabulary
}

// Read reads runs, which are analyzed. memory bounds what is read; 0 is no bound.
func Read(ctx context.Context, l *lake.Lake, names []string, memory int64) (*Set, error) {
	s := &Set{}
	rows := int64(0)
	for _, name := range names {
		m, err := l.Table("executions", lake.Run(name))
		if err != nil {
			return nil, err
		}
		if rows += m.Rows(); memory > 0 && rows*bytesAClaim > 2*memory {
			return nil, fmt.Errorf("%d claims take about %d MiB, which is more than there is: raise --memory, or name fewer runs", rows, rows*bytesAClaim>>20)
		}
		r, err := s.read(ctx, l, name)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", name, err)
		}
		s.Runs = append(s.Runs, r)
	}
	return s, nil
}

// read reads a run.
func (s *Set) read(ctx context.Context, l *lake.Lake, name string) (*Run, error) {
	described, err := runs.Named(l, name)
	if err != nil {
		return nil, err
	}
	things, err := runs.Things(ctx, l, name)
	if err != nil {
		return nil, err
	}
	r := &Run{Name: name, OriginNs: described.StartNs}
	if len(things.Signals) > 0 {
		r.UnitNs = things.Signals[0].StepNs
	}
	x := &reading{set: s, run: r, things: things}
	if err := x.executions(ctx, l); err != nil {
		return nil, err
	}
	if err := x.regular(ctx, l); err != nil {
		return nil, err
	}
	if err := x.dependencies(ctx, l); err != nil {
		return nil, err
	}
	x.attributes()
	return r, nil
}

// reading is a run that is being read.
type reading struct {
	set    *Set
	run    *Run
	things *schema.Things

	begins, ends places // of claims, by the events with which they begin and end
	moments      places // of regular events
}

// executions reads the claims, and sorts them by their enter events.
func (x *reading) executions(ctx context.Context, l *lake.Lake) error {
	table, err := l.Table("executions", lake.Run(x.run.Name))
	if err != nil {
		return err
	}
	r, n := x.run, int(table.Rows())
	r.Execution, r.StartNs, r.EndNs, r.claims.builtIn = make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n), make([]builtIn, 0, n)
	finishes := make([]int64, 0, n)
	e := schema.NewExecutions(new(schema.Names))
	claimed := newPlaces(x.things.Claims.Execution)
	words := x.set.words(e.Names)
	columns := []string{"execution", "component", "lifeline", "function", "execution_type", "start_ns", "finish_ns", "finish_seq"}
	err = l.ScanTable(ctx, "executions", x.run.Name, e, lake.ScanOptions{Columns: columns}, func() error {
		for i, seq := range e.Execution {
			if len(x.things.Claims.Execution) > 0 {
				if _, found := claimed.find(seq); !found {
					continue
				}
			}
			r.Execution, finishes = append(r.Execution, seq), append(finishes, e.FinishSeq[i])
			r.StartNs, r.EndNs = append(r.StartNs, e.StartNs[i]), append(r.EndNs, e.FinishNs[i])
			r.claims.builtIn = append(r.claims.builtIn, words.of(e.Component[i], e.Lifeline[i], e.Function[i], e.Type[i]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	// Executions come bucket by bucket. A column at a time is put in order, so that no more than one is there twice.
	if !slices.IsSorted(r.Execution) {
		bySeq := newPlaces(r.Execution)
		order := bySeq.inOrder()
		r.Execution, finishes, r.StartNs, r.EndNs = taken(r.Execution, order), taken(finishes, order), taken(r.StartNs, order), taken(r.EndNs, order)
		r.claims.builtIn = taken(r.claims.builtIn, order)
	}
	x.begins, x.ends = newPlaces(r.Execution), newPlaces(finishes)
	x.claimed(&claimed)
	return nil
}

// taken are the values of a column at some positions.
func taken[T any](column []T, at []int32) []T {
	to := make([]T, len(at))
	for i, from := range at {
		to[i] = column[from]
	}
	return to
}

// claimed gives the executions what they claim. by are their rows in the table claims.
func (x *reading) claimed(by *places) {
	r, claims := x.run, x.things.Claims
	if len(claims.Execution) == 0 {
		r.ID, r.Amount = slices.Clone(r.Execution), slices.Repeat([]float64{1}, len(r.Execution))
		return
	}
	resources := make(map[int64]schema.Code)
	for _, one := range x.things.Resources {
		resources[one.Resource] = x.set.value(one.Name)
	}
	r.ID, r.Amount = make([]int64, len(r.Execution)), make([]float64, len(r.Execution))
	for i, seq := range r.Execution {
		c, _ := by.find(seq)
		name, known := resources[claims.Resource[c]]
		if !known {
			name = x.set.value(fmt.Sprintf("resource %d", claims.Resource[c]))
			resources[claims.Resource[c]] = name
		}
		r.ID[i], r.Amount[i], r.claims.builtIn[i][ofResource] = claims.ID[c], claims.Amount[c], name
	}
}

// regular reads the regular events.
func (x *reading) regular(ctx context.Context, l *lake.Lake) error {
	r, ev := x.run, schema.NewEvents()
	words := x.set.words(ev.Names)
	columns := []string{"seq", "time_ns", "kind", "component", "lifeline", "function", "execution_type"}
	choice := lake.Choice{Columns: []string{"kind"}, Rows: func(ev *schema.Events, _ int, _ bool, wanted []int) []int {
		for i, kind := range ev.Kind {
			if kind == schema.Regular {
				wanted = append(wanted, i)
			}
		}
		return wanted
	}}
	err := l.ScanChosen(ctx, r.Name, ev, choice, lake.ScanOptions{Columns: columns}, func() error {
		for i := range ev.Seq {
			r.EventSeq, r.EventNs = append(r.EventSeq, ev.Seq[i]), append(r.EventNs, ev.TimeNs[i])
			r.events.builtIn = append(r.events.builtIn, words.of(ev.Component[i], ev.Lifeline[i], ev.Function[i], ev.ExecutionType[i]))
		}
		return nil
	})
	x.moments = newPlaces(r.EventSeq)
	return err
}

// attributes gives claims and events those of the trace, which stand by things and in the order of the trace.
func (x *reading) attributes() {
	a, s := x.things.Attributes, x.set
	names, values := s.translate(&s.names, a.Texts.Names), s.translate(&s.values, a.Texts.Values)
	x.run.claims.begin(len(x.run.Execution))
	x.run.events.begin(len(x.run.EventSeq))
	x.run.dependencies.begin(len(x.run.Dependency))
	numbers := make([]int64, len(x.run.Dependency))
	for i, d := range x.run.Dependency {
		numbers[i] = d.Number
	}
	dependencies := newPlaces(numbers)
	var of [schema.OfSignal + 1]int
	for _, about := range a.About {
		of[about]++
	}
	x.run.claims.rows = make([]attributeRow, 0, of[schema.OfClaim])
	x.run.dependencies.rows = make([]attributeRow, 0, of[schema.OfDependency])
	for i, about := range a.About {
		switch about {
		case schema.OfClaim:
			if at, found := x.begins.find(a.Ref[i]); found {
				x.run.claims.add(at, pair{names(a.Name[i]), values(a.Value[i])})
			}
		case schema.OfEvent:
			if at, found := x.moments.find(a.Ref[i]); found {
				x.run.events.add(at, pair{names(a.Name[i]), values(a.Value[i])})
			}
		case schema.OfDependency:
			if at, found := dependencies.find(a.Ref[i]); found {
				x.run.dependencies.add(at, pair{names(a.Name[i]), values(a.Value[i])})
			}
		}
	}
	x.run.claims.finish()
	x.run.events.finish()
	x.run.dependencies.finish()
}
