package sections

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/pipeline/signals"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// mostStrips is how many signals, and how many checks and definitions, a picture has at most.
const mostStrips = 40

// signal is a quantity that is asked for, as OF[:BY][/WINDOW].
type signal struct {
	of     string
	by     string // what items are, or of usage, clients and trace a pattern of names
	window time.Duration
}

// quantities are those that are asked for by name, and whether they are of items.
var quantities = map[string]bool{
	signals.Usage: false, signals.Clients: false, signals.Traced: false, signals.WIP: true, signals.Throughput: true, signals.Latency: true, signals.Work: true,
}

// parseSignal reads a value of --signal.
func parseSignal(text string) (one signal, err error) {
	head, window, averaged := strings.Cut(text, "/")
	of, by, has := strings.Cut(head, ":")
	items, known := quantities[of]
	switch {
	case !known:
		return one, console.Usagef("--signal %s: give usage, clients, trace, wip, throughput, latency or work", text)
	case has && by == "":
		return one, console.Usagef("--signal %s: behind the : stands what items are, as wip:id, or which resources, as usage:cpu", text)
	case !has && items:
		by = signals.ByRoot
	}
	if averaged {
		if one.window, err = time.ParseDuration(window); err != nil || one.window <= 0 {
			return one, console.Usagef("--signal %s: behind the / stands over how long to average, as 20ms", text)
		}
	}
	one.of, one.by = of, by
	return one, nil
}

// read adds the curves of the signal to the window.
func (s signal) read(ctx context.Context, l *lake.Lake, run string, filter runs.Filter, w *timeline.Window) error {
	j := signals.Job{Lake: l, Run: run, Of: s.of, By: s.by, WindowNs: s.window.Nanoseconds(), PerNs: 1e9, Per: "s", Filter: filter}
	if s.of == signals.Traced {
		j.Filter = nil // which selects claims and events
	}
	all, err := j.Signals(ctx)
	if err != nil {
		return err
	}
	if !quantities[s.of] && s.by != "" {
		named := slices.DeleteFunc(slices.Clone(all), func(one timeline.Curve) bool { return !runs.MatchesPattern(one.Name, s.by) })
		if len(named) == 0 {
			var names []string
			for i := range all {
				names = append(names, all[i].Name)
			}
			return console.Usagef("--signal %s:%s: run %s has no such signal; there are %s", s.of, s.by, run, runs.FirstNames(names))
		}
		all = named
	}
	for i := range all {
		if s.of == signals.Usage || s.of == signals.Clients {
			all[i].Name = s.of + " of " + all[i].Name
		}
		if s.window > 0 {
			all[i].Name += fmt.Sprintf(" over %v", s.window)
		}
	}
	if w.Curves = slices.Concat(w.Curves, all); len(w.Curves) > mostStrips {
		return console.Usagef("run %s has %d such signals, and a picture %d at most: choose some, as usage:cpu", run, len(w.Curves), mostStrips)
	}
	return nil
}
