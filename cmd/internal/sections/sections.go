// Package sections reads what a timeline shows beside executions and messages: regular events and their dependencies, attributes to
// select, group and colour by, signals, and where checks hold (Hendriks et al. 2024, section 2.2).
package sections

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// Flags say what is shown.
type Flags struct {
	filter, groupBy, colorBy, signals, checks []string
	view, spec                                string
}

// Add adds the flags to a command.
func (f *Flags) Add(g *console.Globals, c *cobra.Command) {
	p := c.Flags()
	p.StringArrayVar(&f.filter, "filter", nil, "show only executions, claims and events with these attributes, as name=A,type=x; given again, also those with others")
	g.Choice(p, &f.view, "view", "", "resource: a lane for every resource; activity: a lane for every name; without it one for every lifeline", "", "resource", "activity")
	p.StringSliceVar(&f.groupBy, "group-by", nil, "a lane for every value of these attributes, instead of lifelines")
	p.StringSliceVar(&f.colorBy, "color-by", nil, "a colour for every value of these attributes, instead of functions")
	p.StringArrayVar(&f.signals, "signal", nil, "also draw signals: usage, clients or trace, as usage:cpu for those like this pattern, or wip, throughput, latency or work, as wip:id "+
		"for the items of an attribute; averaged as wip:id/20ms; may be given often")
	p.StringVar(&f.spec, "spec", "", "also draw where the checks of a specification and their definitions hold")
	p.StringArrayVar(&f.checks, "check", nil, "of --spec only checks like this pattern; may be given often")
}

// Check refuses flags that make no sense together, or not in a format.
func (f *Flags) Check(format string, several bool) error {
	if f.view != "" {
		if len(f.groupBy) > 0 {
			return console.Usagef("--view %s is a way to group: leave --group-by out", f.view)
		}
		f.groupBy = []string{map[string]string{"resource": "resource", "activity": "name"}[f.view]}
	}
	if len(f.checks) > 0 && f.spec == "" {
		return console.Usagef("--check chooses checks of a specification: name it with --spec FILE")
	}
	if format != "json" {
		return nil
	}
	switch {
	case several:
		return console.Usagef("a Chrome trace shows one run: name one, or write a picture, -o FILE.svg")
	case len(f.groupBy)+len(f.colorBy) > 0:
		return console.Usagef("a Chrome trace has lanes and colours of its own: leave --view, --group-by and --color-by out, or write a picture, -o FILE.svg")
	case len(f.signals) > 0 || f.spec != "":
		return console.Usagef("a Chrome trace has no signals and checks: write a picture, -o FILE.svg")
	}
	return nil
}

// Reader reads sections of windows.
type Reader struct {
	*Flags
	filter runs.Filter
	ask    []signal
	spec   *checked
}

// Reader reads what the flags name before any run is read, so that mistakes in them come first.
func (f *Flags) Reader() (*Reader, error) {
	r := &Reader{Flags: f}
	var err error
	if r.filter, err = runs.ParseFilter(f.filter); err != nil {
		return nil, console.Usagef("--filter %w", err)
	}
	for _, text := range f.signals {
		one, err := parseSignal(text)
		if err != nil {
			return nil, err
		}
		r.ask = append(r.ask, one)
	}
	if f.spec != "" {
		r.spec, err = readSpec(f.spec, f.checks)
	}
	return r, err
}

// Read adds the sections of a run to its window, which has its executions and messages. Components are as the window was read.
func (r *Reader) Read(ctx context.Context, e *pipeline.Engine, of *runs.Run, w *timeline.Window, components []string) error {
	things, err := runs.Things(ctx, e.Lake, of.Name)
	if err != nil {
		return err
	}
	// (1) Events and their dependencies, which only traces of claims have.
	if things.Some() {
		if err := moments(ctx, e, of.Name, w, components); err != nil {
			return err
		}
		dependencies(w, things.Dependencies)
	}
	// (2) Attributes: first what is shown, then where and in which colour.
	a := &attributes{Lake: e.Lake, run: of.Name, things: things, w: w}
	if len(r.filter) > 0 {
		values, err := a.of(ctx, "--filter", r.filter.Names())
		if err != nil {
			return err
		}
		keep := make([]bool, len(w.Executions.Execution))
		for row := range keep {
			keep[row] = r.filter.Selects(func(name string) string { return values[name][row] })
		}
		w.Filtered = strings.Join(r.Flags.filter, " or ")
		w.Select(keep)
	}
	if len(r.colorBy) > 0 {
		if w.Colours, err = a.partition(ctx, "--color-by", r.colorBy); err != nil {
			return err
		}
	}
	if len(r.groupBy) > 0 {
		p, err := a.partition(ctx, "--group-by", r.groupBy)
		if err != nil {
			return err
		}
		w.GroupBy(p)
	}
	// (3) Signals and checks.
	for _, one := range r.ask {
		if err := one.read(ctx, e.Lake, of.Name, r.filter, w); err != nil {
			return err
		}
	}
	if r.spec != nil {
		return r.spec.read(ctx, e, of.Name, r.filter, w)
	}
	return nil
}

// moments adds the regular events of the window as executions of no length.
func moments(ctx context.Context, e *pipeline.Engine, run string, w *timeline.Window, components []string) error {
	x := w.Executions
	w.Moments = make([]bool, len(x.Execution))
	ev := schema.NewEvents()
	ev.Names = w.Executions.Names
	most := e.Memory / runs.WindowRowBytes
	o := lake.ScanOptions{
		Columns: []string{"seq", "time_ns", "kind", "component", "lifeline", "function"},
		Skip: func(s lake.Stats) bool {
			first, last, known := s.Ints("time_ns")
			return known && (first > w.ToNs || last < w.FromNs)
		},
	}
	return e.Lake.ScanTable(ctx, "events", run, ev, o, func() error {
		for i, kind := range ev.Kind {
			if kind != schema.Regular || ev.TimeNs[i] < w.FromNs || ev.TimeNs[i] > w.ToNs || !shown(x.Names.Components.Name(ev.Component[i]), components) {
				continue
			}
			x.Execution, x.FinishSeq = append(x.Execution, ev.Seq[i]), append(x.FinishSeq, ev.Seq[i])
			x.Component, x.Lifeline, x.Function = append(x.Component, ev.Component[i]), append(x.Lifeline, ev.Lifeline[i]), append(x.Function, ev.Function[i])
			x.StartNs, x.FinishNs = append(x.StartNs, ev.TimeNs[i]), append(x.FinishNs, ev.TimeNs[i])
			x.Depth, x.Parent, x.Synthetic = append(x.Depth, 0), append(x.Parent, schema.NoValue), append(x.Synthetic, false)
			w.Moments = append(w.Moments, true)
		}
		if e.Memory > 0 && int64(len(x.Execution)) > most {
			return &runs.WindowTooLargeError{MostRows: most}
		}
		return nil
	})
}

// shown reports whether a component is like one of the patterns; without patterns all are.
func shown(component string, patterns []string) bool {
	for _, p := range patterns {
		if runs.MatchesPattern(component, p) {
			return true
		}
	}
	return len(patterns) == 0
}

// dependencies adds those with events at their ends as couplings; those between claims are messages.
func dependencies(w *timeline.Window, d *schema.Dependencies) {
	x, m := w.Executions, w.Messages
	component := make(map[int64]schema.Code)
	for row, seq := range x.Execution {
		component[seq], component[x.FinishSeq[row]] = x.Component[row], x.Component[row]
	}
	label := x.Names.Messages.Code("dependency")
	for i := range d.Dependency {
		source, hasSource := component[d.Source[i]]
		target, hasTarget := component[d.Target[i]]
		if !hasSource || !hasTarget || d.Type[i] < claimTypes {
			continue
		}
		at := len(m.SendNs)
		schema.Extend(m, 1)
		m.Label[at], m.Pattern[at], m.ReceiverFunction[at] = label, schema.Trigger, schema.NoCode
		m.SendSeq[at], m.Sender[at], m.SendNs[at] = d.Source[i], source, d.SourceNs[i]
		m.ReceiveSeq[at], m.Receiver[at], m.ReceiveNs[at] = d.Target[i], target, d.TargetNs[i]
	}
}

// claimTypes is the first type of dependencies that do not tie two claims; those below are messages.
const claimTypes = 4
