package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// CriticalPaths are the critical paths of the root executions of a stored run, for the shares that its components have of them in a window. They do
// not change.
type CriticalPaths struct {
	paths      *hotness.Paths
	components map[string]uint32 // numbers in paths, by the names that a view keeps
}

// mostChanges is how often paths may enter and leave components: 96 MB, and 128 MB while they are read.
const mostChanges = 4 << 20

// ReadCriticalPaths reads the critical paths of a run of the lake. Where the run has no table of their steps the error says how it is made.
func ReadCriticalPaths(ctx context.Context, l *lake.Lake, run string) (*CriticalPaths, error) {
	return readCriticalPaths(ctx, l, run, mostChanges)
}

func readCriticalPaths(ctx context.Context, l *lake.Lake, run string, most int) (*CriticalPaths, error) {
	m, err := l.Table("critical_steps", lake.Run(run))
	if errors.As(err, new(*lake.NotAnalyzedError)) {
		return nil, fmt.Errorf("run %s has no table critical_steps: make it with analyze run %s --stage critical_steps", run, run)
	}
	if err != nil {
		return nil, err
	}
	p := &CriticalPaths{hotness.NewPaths(most), make(map[string]uint32)}
	tooMany := fmt.Errorf("the critical paths of run %s enter and leave components more than %d times, which is too often to be shown here", run, most)
	steps := schema.NewCriticalSteps(new(schema.Names))
	err = l.Scan(ctx, m.Files, steps, lake.ScanOptions{Columns: []string{"component", "start_ns", "duration_ns"}}, func() error {
		numbers := make(map[schema.Code]uint32) // codes are those of a row group
		for i, code := range steps.Component {
			component, known := numbers[code]
			if !known {
				component = p.number(steps.Names.Components.Name(code))
				numbers[code] = component
			}
			if !p.paths.Add(component, steps.StartNs[i], steps.StartNs[i]+steps.DurationNs[i]) {
				return tooMany
			}
		}
		return nil
	})
	if err == nil && !p.paths.Order() {
		err = tooMany
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// number returns the number of a component, as a view names it.
func (p *CriticalPaths) number(name string) uint32 {
	name = name[:min(len(name), mostName)]
	n, known := p.components[name]
	if !known {
		n = uint32(len(p.components))
		p.components[name] = n
	}
	return n
}

// CriticalShares are the shares of components in the time of all critical paths, as far as it lies in a window; or why there are none.
type CriticalShares struct {
	Cause string  `json:"cause,omitempty"`
	Ns    []int64 `json:"ns,omitempty"` // by component
	AllNs int64   `json:"all_ns"`       // of all components, those included that a frame does not have yet
}

// shares adds to loads what the components have of critical paths between two times of the trace.
func (a *Ask) shares(loads []hotness.Load, components []string, fromNs, toNs int64) *CriticalShares {
	if a.Critical == nil {
		return &CriticalShares{Cause: a.NoPaths}
	}
	ns, all := a.Critical.paths.Within(fromNs, toNs)
	s := &CriticalShares{Ns: make([]int64, len(loads)), AllNs: all}
	for i := range loads {
		if n, on := a.Critical.components[components[i]]; on && int(n) < len(ns) {
			s.Ns[i] = ns[n]
		}
		loads[i].CriticalNs, loads[i].PathsNs = s.Ns[i], all
	}
	return s
}

// wholePaths is how long each component is on the critical paths of a whole run, which every run has that is analyzed.
type wholePaths struct {
	ns    map[string]int64
	allNs int64
	cause string // why a run has none
}

// readWholePaths reads them of a run of the lake.
func readWholePaths(ctx context.Context, l *lake.Lake, run string) (w wholePaths, err error) {
	m, err := l.Table("compositions", lake.Run(run))
	if errors.As(err, new(*lake.NotAnalyzedError)) {
		w.cause = err.Error()
		return w, nil
	}
	if err != nil {
		return w, err
	}
	w.ns = make(map[string]int64)
	c := schema.NewCompositions(new(schema.Names))
	err = l.Scan(ctx, m.Files, c, lake.ScanOptions{Columns: []string{"component", "total_ns"}}, func() error {
		for i, code := range c.Component {
			name := c.Names.Components.Name(code)
			w.ns[name[:min(len(name), mostName)]] += c.TotalNs[i]
			w.allNs += c.TotalNs[i]
		}
		return nil
	})
	return w, err
}

// on adds to loads what their components have of the paths.
func (w *wholePaths) on(loads []hotness.Load, components []string) {
	for i := range loads {
		loads[i].CriticalNs, loads[i].PathsNs = w.ns[components[i]], w.allNs
	}
}
