// Package signals reads from a run what signals are made of, and has package stages/timing/signals compute them: the usage of resources
// and lifelines, work in progress, throughput and latency of items. An item is a root execution, a message, or what has the same
// value of an attribute.
//
// A signal is made while it is read. Root executions and messages are read some time after the other, in as many passes over the row groups
// of that time as the memory asks for, so that in memory are those of one pass and those under way, 24 bytes each; where no resource is
// declared, usage is that of the lifelines of one bucket after the other. Claims of declared resources, items of an attribute, the signals of
// the trace, and what is combined are in memory as a whole.
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
	Memory   int64               // for the items of a pass, in bytes; 0: no bound of its own

	over     signals.Span
	selected *selection // by Filter; nil: all
}

// NoAttributeError says that nothing of a run has an attribute.
type NoAttributeError struct{ Run, Name string }

// Error implements error.
func (e *NoAttributeError) Error() string {
	return fmt.Sprintf("no claim and no event of run %s has the attribute %s: give --by root, message, component, lifeline, function, execution_type, or an attribute of the table attributes", e.Run, e.Name)
}

// Signals returns the signals in the order of resources, all in memory: for pictures of them.
func (j Job) Signals(ctx context.Context) (all []signals.Named, err error) {
	_, err = j.Each(ctx, func(s *signals.Stream) error {
		one, err := s.Signal()
		all = append(all, one)
		return err
	})
	return all, err
}

// Each visits the signals in the order of resources, each of which is good during the visit. It says how many items have no length, which
// count in throughput with a window only.
func (j Job) Each(ctx context.Context, visit func(*signals.Stream) error) (instants int64, err error) {
	run, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Run))
	if err != nil {
		return 0, err
	}
	if j.selected, err = j.selection(ctx); err != nil {
		return 0, err
	}
	j.over = signals.Span{FromNs: run[0].StartNs, ToNs: run[0].StartNs + run[0].DurationNs}
	var all []signals.Named // to be combined
	derived := func(s signals.Stream) error {
		if j.Of != Throughput { // which has its own average, of what takes no time too
			s = s.Average(j.WindowNs, j.over)
		}
		s = s.Then(j.Then)
		if j.Combine == "" {
			return visit(&s)
		}
		one, err := s.Signal()
		all = append(all, one)
		return err
	}
	switch j.Of {
	case Usage, Clients:
		err = j.usage(ctx, derived)
	case Traced:
		err = j.traced(ctx, derived)
	default:
		instants, err = j.work(ctx, derived)
	}
	if err != nil || j.Combine == "" {
		return instants, err
	}
	one, err := signals.Combine(all, j.Combine)
	if err != nil {
		return 0, err
	}
	s := one.Stream()
	return instants, visit(&s)
}

// traced are the signals that the trace has, in its order.
func (j Job) traced(ctx context.Context, visit func(signals.Stream) error) error {
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return err
	}
	if len(things.Signals) == 0 {
		return fmt.Errorf("the trace of run %s has no signals of its own: give --of usage, clients, wip, throughput, latency or work", j.Run)
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
		if err := visit(one.Stream()); err != nil {
			return err
		}
	}
	return nil
}

// usage is that of every resource, or of every lifeline where the run has no claims: an execution claims 1 of its lifeline then. A lifeline
// lies in one bucket.
func (j Job) usage(ctx context.Context, visit func(signals.Stream) error) error {
	things, err := runs.Things(ctx, j.Lake, j.Run)
	if err != nil {
		return err
	}
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return err
	}
	held := signals.NewHoldings(things.Claims, things.Resources)
	x := schema.NewExecutions(new(schema.Names))
	for files := m.Files; len(files) > 0; {
		n := len(files)
		if !held.Claimed() && len(things.Resources) == 0 {
			for n = 1; n < len(files) && files[n].Bucket == files[0].Bucket; {
				n++
			}
		}
		if err := j.scanExecutions(ctx, files[:n], x, []string{"execution", "lifeline"}, held.Add); err != nil {
			return err
		}
		files = files[n:]
		for _, s := range held.Streams(j.Of == Clients, j.over) {
			if err := visit(s); err != nil {
				return err
			}
		}
		held.Forget()
	}
	return nil
}

// work is a quantity of the items.
func (j Job) work(ctx context.Context, visit func(signals.Stream) error) (instants int64, err error) {
	open, err := j.items(ctx)
	if err != nil {
		return 0, err
	}
	q := &signals.Quantity{Open: open, PerNs: j.PerNs, Over: j.over}
	var s signals.Stream
	switch j.Of {
	case WIP:
		s = q.Sum()
	case Work:
		s = q.Work()
	case Throughput:
		s = q.Throughput(j.WindowNs)
		s.Unit = "1/" + j.Per
	default:
		s = q.Latency()
		s.Unit = j.Per
	}
	s.Name = j.Of + " of " + j.By
	err = visit(s)
	if j.Of == Throughput {
		instants = q.Instants
	}
	return instants, err
}

// opener opens the items, in the order of their beginnings.
type opener = func() (signals.Intervals, error)

// items are those of the run.
func (j Job) items(ctx context.Context) (opener, error) {
	switch j.By {
	case ByRoot:
		x := schema.NewExecutions(new(schema.Names))
		return j.inPasses(ctx, &pass{table: "executions", rows: x, begins: "start_ns", ends: "finish_ns", columns: j.columns("depth", "start_ns", "finish_ns"),
			items: func(add func(fromNs, toNs int64)) {
				for i, depth := range x.Depth {
					if depth == 0 && j.selected.execution(x, i) {
						add(x.StartNs[i], x.FinishNs[i])
					}
				}
			}})
	case ByMessage:
		if j.selected != nil {
			return nil, fmt.Errorf("messages have no attributes to filter by: give --by root or an attribute")
		}
		m := schema.NewMessages(new(schema.Names))
		return j.inPasses(ctx, &pass{table: "messages", rows: m, begins: "send_ns", ends: "receive_ns", columns: []string{"send_ns", "receive_ns"},
			items: func(add func(fromNs, toNs int64)) {
				for i, sent := range m.SendNs {
					add(sent, m.ReceiveNs[i])
				}
			}})
	}
	all, err := j.itemsOfAttribute(ctx)
	all, _ = signals.SortByBeginning(all, nil)
	return func() (signals.Intervals, error) { return signals.Ordered(all), nil }, err
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
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	a, items, x := things.Attributes, new(signals.Items), schema.NewExecutions(new(schema.Names))
	name, known := a.Texts.Names.Lookup(j.By)
	if column := builtIn[j.By]; !known && column != nil {
		err := j.scanExecutions(ctx, m.Files, x, []string{j.By}, func(x *schema.Executions, i int) {
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
	err = j.scanExecutions(ctx, m.Files, x, []string{"execution"}, func(x *schema.Executions, i int) {
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

// scanExecutions visits the executions of some files, of which it reads the times, some columns, and those that a filter may ask for.
func (j Job) scanExecutions(ctx context.Context, files []lake.File, x *schema.Executions, columns []string, visit func(x *schema.Executions, i int)) error {
	o := lake.ScanOptions{Columns: j.columns(append(columns, "start_ns", "finish_ns")...)}
	return j.Lake.Scan(ctx, files, x, o, func() error {
		for i := range x.StartNs {
			if j.selected.execution(x, i) {
				visit(x, i)
			}
		}
		return nil
	})
}

// columns are some of executions, with those that a filter may ask for.
func (j Job) columns(some ...string) []string {
	if j.selected != nil {
		some = append(some, "execution", "component", "lifeline", "function", "execution_type")
	}
	return some
}
