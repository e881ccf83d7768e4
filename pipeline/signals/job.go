// Package signals reads from a run what signals are made of, and has package stages/timing/signals compute them: the usage of resources
// and lifelines, work in progress, throughput and latency of items. An item is a root execution, a message, or what has the same
// value of an attribute. In memory are the claims or items of the run, 24 bytes each.
package signals

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// The quantities, as Job.Of names them.
const (
	Usage      = "usage"   // of every resource, by amount
	Clients    = "clients" // of every resource, by number
	WIP        = "wip"     // items under way
	Throughput = "throughput"
	Latency    = "latency"
	Work       = "work"  // done so far
	Traced     = "trace" // the signals that the trace has itself
)

// What an item is, as Job.By names it. Any other word is an attribute, or a column of executions: component, lifeline, function or
// execution_type.
const (
	ByRoot    = "root"
	ByMessage = "message"
)

// Job computes signals of an analyzed run.
type Job struct {
	Lake     *lake.Lake
	Run      string
	Of, By   string              // see the constants
	WindowNs int64               // of averages; 0: none
	PerNs    int64               // unit of time of throughput and latency
	Per      string              // its name
	Then     []signals.Operation // done with every signal, in order, after the average
	Filter   runs.Filter         // of executions, claims and events by their attributes
	Combine  string              // sum, product, min or max of all signals; "" for none

	over     signals.Span
	selected *selection // by Filter; nil: all
}

// NoAttributeError says that nothing of a run has an attribute.
type NoAttributeError struct{ Run, Name string }

// Error implements error.
func (e *NoAttributeError) Error() string {
	return fmt.Sprintf("no claim and no event of run %s has the attribute %s: give --by root, message, component, lifeline, function, execution_type, or an attribute of the table attributes", e.Run, e.Name)
}

// Signals returns the signals in the order of resources, and how many items have no length, which count in throughput with a window only.
func (j Job) Signals(ctx context.Context) (all []signals.Named, instant int64, err error) {
	run, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Run))
	if err != nil {
		return nil, 0, err
	}
	if j.selected, err = j.selection(ctx); err != nil {
		return nil, 0, err
	}
	j.over = signals.Span{FromNs: run[0].StartNs, ToNs: run[0].StartNs + run[0].DurationNs}
	switch j.Of {
	case Usage, Clients:
		all, err = j.usage(ctx)
	case Traced:
		all, err = j.traced(ctx)
	default:
		all, instant, err = j.work(ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	all, err = j.derive(all)
	return all, instant, err
}

// derive averages the signals, does with them what is asked, and makes one of them where that is asked.
func (j Job) derive(all []signals.Named) ([]signals.Named, error) {
	for i := range all {
		s := &all[i].Signal
		if j.WindowNs > 0 && j.Of != Throughput {
			averaged, err := signals.Average(s, j.WindowNs)
			if err != nil {
				return nil, err
			}
			*s = averaged.Within(j.over.FromNs, j.over.ToNs)
		}
		for _, operation := range j.Then {
			*s = operation(s)
		}
	}
	if j.Combine == "" {
		return all, nil
	}
	one, err := signals.Combine(all, j.Combine)
	return []signals.Named{one}, err
}

// traced are the signals that the trace has, in its order.
func (j Job) traced(ctx context.Context) (all []signals.Named, err error) {
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return nil, err
	}
	pieces := make(map[int64][]signals.Piece)
	for i, f := 0, things.Fragments; i < len(f.Signal); i++ {
		pieces[f.Signal[i]] = append(pieces[f.Signal[i]], signals.Piece{FromNs: f.FromNs[i], ToNs: f.ToNs[i], C: f.C[i], B: f.B[i], A: f.A[i]})
	}
	for _, s := range things.Signals {
		of := pieces[s.Signal]
		slices.SortStableFunc(of, func(a, b signals.Piece) int { return cmp.Compare(a.FromNs, b.FromNs) })
		one := signals.Named{Name: s.Name, Signal: signals.FromFragments(of, s.StepNs)}
		if s.Unit != nil {
			one.Unit = *s.Unit
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the trace of run %s has no signals of its own: give --of usage, clients, wip, throughput, latency or work", j.Run)
	}
	return all, nil
}

// usage is that of every resource, or of every lifeline where the run has no claims: an execution claims 1 of its lifeline then.
func (j Job) usage(ctx context.Context) (all []signals.Named, err error) {
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return nil, err
	}
	held := signals.NewHoldings(things.Claims, things.Resources)
	if err := j.scanExecutions(ctx, []string{"execution", "lifeline"}, held.Add); err != nil {
		return nil, err
	}
	for i := range held.Len() {
		all = append(all, held.Signal(i, j.Of == Clients, j.over))
	}
	return all, nil
}

// work is a quantity of the items.
func (j Job) work(ctx context.Context) (all []signals.Named, instant int64, err error) {
	items, err := j.items(ctx)
	if err != nil {
		return nil, 0, err
	}
	out := signals.Named{Name: j.Of + " of " + j.By}
	switch j.Of {
	case WIP:
		out.Signal = signals.Sum(items, j.over)
	case Work:
		out.Signal = signals.CumulativeWork(items, j.over)
	case Throughput:
		out.Unit = "1/" + j.Per
		out.Signal, instant = signals.Throughput(items, j.PerNs, j.WindowNs, j.over)
	default:
		out.Unit = j.Per
		out.Signal = signals.Latency(items, j.PerNs, j.over)
	}
	return []signals.Named{out}, instant, nil
}

// items are those of the run.
func (j Job) items(ctx context.Context) (all []signals.Interval, err error) {
	switch j.By {
	case ByRoot:
		err = j.scanExecutions(ctx, []string{"depth"}, func(x *schema.Executions, i int) {
			if x.Depth[i] == 0 {
				all = append(all, signals.Interval{FromNs: x.StartNs[i], ToNs: x.FinishNs[i], Value: 1})
			}
		})
		return all, err
	case ByMessage:
		if j.selected != nil {
			return nil, fmt.Errorf("messages have no attributes to filter by: give --by root or an attribute")
		}
		m := schema.NewMessages(new(schema.Names))
		o := lake.ScanOptions{Columns: []string{"send_ns", "receive_ns"}}
		err = j.Lake.ScanTable(ctx, "messages", j.Run, m, o, func() error {
			for i, sent := range m.SendNs {
				all = append(all, signals.Interval{FromNs: sent, ToNs: m.ReceiveNs[i], Value: 1})
			}
			return nil
		})
		return all, err
	}
	return j.itemsOfAttribute(ctx)
}

// builtIn are the attributes that executions of every run have.
var builtIn = map[string]func(*schema.Executions) []schema.Code{
	"component": func(x *schema.Executions) []schema.Code { return x.Component }, "lifeline": func(x *schema.Executions) []schema.Code { return x.Lifeline },
	"function": func(x *schema.Executions) []schema.Code { return x.Function }, "execution_type": func(x *schema.Executions) []schema.Code { return x.Type },
}

// itemsOfAttribute gathers claims and regular events by their values of an attribute. The trace's own attributes go before those
// that executions of every run have.
func (j Job) itemsOfAttribute(ctx context.Context) ([]signals.Interval, error) {
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return nil, err
	}
	a, items := things.Attributes, new(signals.Items)
	name, known := a.Texts.Names.Lookup(j.By)
	if column := builtIn[j.By]; !known && column != nil {
		err := j.scanExecutions(ctx, []string{j.By}, func(x *schema.Executions, i int) {
			if code := column(x)[i]; code != schema.NoCode {
				items.Add(code, x.StartNs[i], x.FinishNs[i])
			}
		})
		return items.All(), err
	}
	valueOf := make(map[int64]schema.Code) // by seq of the enter, or of the event
	for i, about := range a.About {
		if known && a.Name[i] == name && (about == schema.OfClaim || about == schema.OfEvent) {
			valueOf[a.Ref[i]] = a.Value[i]
		}
	}
	if len(valueOf) == 0 {
		return nil, &NoAttributeError{j.Run, j.By}
	}
	err = j.scanExecutions(ctx, []string{"execution"}, func(x *schema.Executions, i int) {
		if value, has := valueOf[x.Execution[i]]; has {
			items.Add(value, x.StartNs[i], x.FinishNs[i])
		}
	})
	if err != nil {
		return nil, err
	}
	ev := schema.NewEvents()
	columns := []string{"seq", "time_ns", "kind"}
	if j.selected != nil {
		columns = append(columns, "component", "lifeline", "function", "execution_type")
	}
	err = j.Lake.ScanTable(ctx, "events", j.Run, ev, lake.ScanOptions{Columns: columns}, func() error {
		for i, kind := range ev.Kind {
			if value, has := valueOf[ev.Seq[i]]; has && kind == schema.Regular && j.selected.event(ev, i) {
				items.Add(value, ev.TimeNs[i], ev.TimeNs[i])
			}
		}
		return nil
	})
	return items.All(), err
}

// scanExecutions visits the executions of the run, of which it reads the times, some columns, and those that a filter may ask for.
func (j Job) scanExecutions(ctx context.Context, columns []string, visit func(x *schema.Executions, i int)) error {
	x := schema.NewExecutions(new(schema.Names))
	if j.selected != nil {
		columns = append(columns, "execution", "component", "lifeline", "function", "execution_type")
	}
	columns = append(columns, "start_ns", "finish_ns")
	return j.Lake.ScanTable(ctx, "executions", j.Run, x, lake.ScanOptions{Columns: columns}, func() error {
		for i := range x.StartNs {
			if j.selected.execution(x, i) {
				visit(x, i)
			}
		}
		return nil
	})
}
