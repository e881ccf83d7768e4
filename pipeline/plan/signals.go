package plan

import (
	"cmp"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// SignalsStage is the name of the stage that is in the plan only where it is asked for: its tables have as many rows as executions begin
// and end, and analyze signals computes the same of one run in no time.
const SignalsStage = "signals"

// The tables of the stage.
const derivedSignals, derivedFragments = "derived_signals", "fragments_of_derived_signals"

var _ = declare(signalsStage)

// heldBytes is what an execution takes while signals are summed up: an interval, and as much to sort by.
const heldBytes = 2 * 24

// signalsStage is one task: a resource is claimed by executions of any bucket.
func signalsStage(o Options) pipeline.Stage {
	if !o.Signals {
		return pipeline.Stage{}
	}
	return pipeline.Stage{
		Name: SignalsStage, Version: 1, Doc: "sums up the usage and the clients of every resource, and the root executions under way (only with --stage signals)",
		Reads: []string{"executions"}, Uses: []string{"runs", "claims", "resources"}, Writes: []string{derivedSignals, derivedFragments},
		Whole: true, BytesPerRow: heldBytes, Run: runSignals,
	}
}

// runSignals gathers what executions hold, then writes signal after signal.
func runSignals(t *pipeline.Task) error {
	described, err := pipeline.ReadRows[schema.Run](t, "runs")
	if err != nil {
		return err
	}
	resources, err := pipeline.ReadRows[schema.Resource](t, "resources")
	if err != nil {
		return err
	}
	claims := new(schema.Claims)
	err = pipeline.Feed(t, "claims", new(schema.Claims), func(some *schema.Claims) { schema.AppendRows(claims, some, 0, schema.Rows(some)) })
	if err != nil {
		return err
	}
	held := signals.NewHoldings(claims, resources)
	var roots []signals.Interval
	x := schema.NewExecutions(new(schema.Names))
	err = t.ScanAnyhow("executions", x, func() error {
		for i := range x.Execution {
			held.Add(x, i)
			if x.Depth[i] == 0 {
				roots = append(roots, signals.Interval{FromNs: x.StartNs[i], ToNs: x.FinishNs[i], Value: 1})
			}
		}
		return nil
	}, "execution", "lifeline", "start_ns", "finish_ns", "depth")
	if err != nil {
		return err
	}
	w := &signalWriter{rows: new(schema.SignalFragments)}
	if w.out, err = t.Create(derivedFragments, w.rows); err != nil {
		return err
	}
	over := signals.Span{FromNs: described[0].StartNs, ToNs: described[0].StartNs + described[0].DurationNs}
	usage, clients := held.Streams(false, over), held.Streams(true, over)
	for i := range clients {
		if held.Claimed() {
			err = cmp.Or(err, w.add("usage", &usage[i]))
		}
		err = cmp.Or(err, w.add("clients", &clients[i]))
	}
	roots, _ = signals.SortByBeginning(roots, nil)
	q := signals.Quantity{Open: func() (signals.Intervals, error) { return signals.Ordered(roots), nil }, PerNs: 1e9, Over: over}
	wip := q.Sum()
	wip.Name = "root"
	err = cmp.Or(err, w.add("wip", &wip))
	return cmp.Or(err, w.out.Close(w.rows), pipeline.WriteRows(t, derivedSignals, w.signals))
}

// signalWriter writes the fragments of signals, and keeps what the signals are.
type signalWriter struct {
	out     *pipeline.Output
	rows    *schema.SignalFragments
	signals []schema.Signal
}

// add adds a signal.
func (w *signalWriter) add(origin string, s *signals.Stream) error {
	number := int64(len(w.signals))
	w.signals = append(w.signals, schema.Signal{Signal: number, Name: s.Name, Origin: origin, StepNs: s.StepNs})
	return s.Each(func(p *signals.Piece) error {
		w.rows.Signal = append(w.rows.Signal, number)
		w.rows.FromNs, w.rows.ToNs = append(w.rows.FromNs, p.FromNs), append(w.rows.ToNs, p.ToNs)
		w.rows.C, w.rows.B, w.rows.A = append(w.rows.C, p.C), append(w.rows.B, p.B), append(w.rows.A, p.A)
		if len(w.rows.Signal) < pieceRows {
			return nil
		}
		return w.out.WriteFull(w.rows)
	})
}

// pieceRows is how many fragments are gathered before whole row groups of them are written.
const pieceRows = 1 << 17
