package inject

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
)

// trace is a run in memory. An event is an enter or an exit; the further messages of an event are rows of their own behind it, and
// move with it.
type trace struct {
	names  *schema.Names
	keys   []schema.EventKey
	marks  []schema.MessageMark
	keyOf  map[localKey]uint32
	markOf map[schema.MessageMark]uint32

	// by row, in trace order
	seq   []int64
	key   []uint32
	mark  []uint32
	id    []int64
	event []int32 // the event that the row belongs to

	// by event, in trace order
	row      []int32 // its first row
	timeNs   []int64
	lifeline []uint32
	columns  faults.Columns // subject 2f of the enters of function f, 2f+1 of its exits

	functions []function          // by code of columns.Function
	codes     map[function]uint32 // of functions
	stacks    []callstack.Stack[int64]
	messages  []faults.Message

	changedNs []int64 // by event: its time with the fault
}

// function is a function of a component.
type function struct{ component, name string }

// localKey is a schema.EventKey in the codes of the run.
type localKey struct {
	component, lifeline, function, executionType schema.Code
	kind                                         schema.Kind
}

// readTrace reads the events of a run and the messages between them.
func readTrace(t *pipeline.Task, run string) (*trace, error) {
	ev := schema.NewEvents()
	tr := &trace{
		names: ev.Names, keyOf: make(map[localKey]uint32), codes: make(map[function]uint32),
		marks: []schema.MessageMark{{}}, markOf: make(map[schema.MessageMark]uint32), // mark 0 is schema.NoMark
	}
	err := t.Lake().ScanEvents(t.Context(), run, ev, lake.ScanOptions{Meter: t.Progress()}, func() error {
		tr.stacks = schema.GrowTo(tr.stacks, ev.Names.Lifelines.Len())
		for i := range ev.Seq {
			if !ev.Synthetic[i] {
				tr.addRow(ev, i)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tr, tr.readMessages(t, run)
}

// addRow takes the next row. A further message whose event was invented is left out with it, and a regular event always: no
// constraint says how it would move.
func (tr *trace) addRow(ev *schema.Events, i int) {
	if ev.Kind[i] == schema.Regular {
		return
	}
	if ev.Kind[i] != schema.Message {
		tr.addEvent(ev, i)
	} else if n := len(tr.row); n == 0 || tr.lifeline[n-1] != ev.Lifeline[i] {
		return
	}
	k := localKey{ev.Component[i], ev.Lifeline[i], ev.Function[i], ev.ExecutionType[i], ev.Kind[i]}
	key, known := tr.keyOf[k]
	if !known {
		key = uint32(len(tr.keys))
		tr.keyOf[k] = key
		tr.keys = append(tr.keys, schema.EventKey{
			Component: tr.names.Components.Name(k.component), Lifeline: tr.names.Lifelines.Name(k.lifeline),
			Function: tr.names.Functions.Name(k.function), Kind: k.kind, ExecutionType: tr.names.Types.Name(k.executionType),
		})
	}
	mark := schema.NoMark
	if d := ev.Direction[i]; d != schema.NoMessage {
		m := schema.MessageMark{Direction: d, Series: tr.names.Series.Name(ev.Series[i]), Label: tr.names.Messages.Name(ev.Message[i])}
		if mark, known = tr.markOf[m]; !known {
			mark = uint32(len(tr.marks))
			tr.marks, tr.markOf[m] = append(tr.marks, m), mark
		}
	}
	tr.seq, tr.key, tr.mark, tr.id = append(tr.seq, ev.Seq[i]), append(tr.key, key), append(tr.mark, mark), append(tr.id, ev.MessageID[i])
	tr.event = append(tr.event, int32(len(tr.row)-1))
}

// addEvent takes an enter or an exit.
func (tr *trace) addEvent(ev *schema.Events, i int) {
	f := function{tr.names.Components.Name(ev.Component[i]), tr.names.Functions.Name(ev.Function[i])}
	code, known := tr.codes[f]
	if !known {
		code = uint32(len(tr.functions))
		tr.functions, tr.codes[f] = append(tr.functions, f), code
	}
	since, stack := schema.NoValue, &tr.stacks[ev.Lifeline[i]]
	if ev.Kind[i] == schema.Enter {
		*stack.Enter(code) = ev.TimeNs[i]
	} else if called, _ := stack.Exit(code); called != nil {
		since = ev.TimeNs[i] - *called
	}
	tr.row, tr.timeNs, tr.lifeline = append(tr.row, int32(len(tr.seq))), append(tr.timeNs, ev.TimeNs[i]), append(tr.lifeline, ev.Lifeline[i])
	c := &tr.columns
	c.Subject, c.Function = append(c.Subject, 2*code+uint32(ev.Kind[i])), append(c.Function, code)
	c.Kind, c.SinceCallNs = append(c.Kind, ev.Kind[i]), append(c.SinceCallNs, since)
}

// readMessages reads the messages between events that are there.
func (tr *trace) readMessages(t *pipeline.Task, run string) error {
	m := schema.NewMessages(new(schema.Names))
	columns := []string{"send_seq", "receive_seq"}
	return t.Lake().ScanTable(t.Context(), "messages", run, m, lake.ScanOptions{Columns: columns}, func() error {
		for i := range m.SendSeq {
			send, sent := slices.BinarySearch(tr.seq, m.SendSeq[i])
			receive, received := slices.BinarySearch(tr.seq, m.ReceiveSeq[i])
			if sent && received && tr.event[send] != tr.event[receive] {
				tr.messages = append(tr.messages, faults.Message{Send: tr.event[send], Receive: tr.event[receive]})
			}
		}
		return nil
	})
}

// inject moves the events, and says what it did.
func (tr *trace) inject(o *Options) (*results.Injection, error) {
	if err := tr.choose(o.Of); err != nil {
		return nil, err
	}
	edges, _, err := faults.Edges(tr.lifeline, tr.timeNs, tr.messages, o.Slack)
	if err != nil {
		return nil, err
	}
	chart, err := faults.NewChart(tr.timeNs, edges)
	if err != nil {
		return nil, err
	}
	run, err := faults.NewRun(0, tr.columns)
	if err != nil {
		return nil, err
	}
	plan, err := faults.NewPool(run).Plan(o.Fault, o.Seed)
	if err != nil {
		return nil, err
	}
	all, err := plan.Injections(run)
	if err != nil {
		return nil, err
	}
	in := faults.NewInjector(chart)
	in.Apply(all)
	tr.changedNs = in.Times()
	return tr.outcome(o, all), nil
}

// choose marks the events that may get the fault: those of the components or functions that a pattern matches.
func (tr *trace) choose(pattern string) error {
	if pattern == "" {
		return nil
	}
	chosen, some := make([]bool, len(tr.functions)), false
	for i, f := range tr.functions {
		for _, name := range []string{f.component, f.component + "." + f.name} {
			matches, err := path.Match(pattern, name)
			if err != nil {
				return fmt.Errorf("the pattern %q is malformed", pattern)
			}
			chosen[i] = chosen[i] || matches || name == pattern
		}
		some = some || chosen[i]
	}
	if !some {
		return fmt.Errorf("no component and no COMPONENT.FUNCTION of the run is called %s", pattern)
	}
	tr.columns.Candidate = make([]bool, len(tr.columns.Function))
	for e, f := range tr.columns.Function {
		tr.columns.Candidate[e] = chosen[f]
	}
	return nil
}

// outcome counts what was injected and what moved.
func (tr *trace) outcome(o *Options, all []faults.Injection) *results.Injection {
	out := &results.Injection{Run: o.Name, Of: o.Run, Events: int64(len(tr.row)), Injected: int64(len(all)), Functions: []results.Faulty{}}
	for e, was := range tr.timeNs {
		if by := max(tr.changedNs[e]-was, was-tr.changedNs[e]); by > 0 {
			out.Moved, out.FarthestNs = out.Moved+1, max(out.FarthestNs, by)
		}
	}
	counts := make([]int64, len(tr.functions))
	for _, in := range all {
		counts[tr.columns.Function[in.Event]]++
	}
	for f, n := range counts {
		if n > 0 {
			out.Functions = append(out.Functions, results.Faulty{Component: tr.functions[f].component, Function: tr.functions[f].name, Injected: n})
		}
	}
	slices.SortFunc(out.Functions, func(a, b results.Faulty) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Function, b.Function))
	})
	return out
}
