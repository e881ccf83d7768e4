package serve

import (
	"context"
	"fmt"
	"sync"

	"github.com/tracelake/tracelake/pipeline/live"
)

// criticalRuns has the critical paths of the run of the lake that was looked at last by a metric of these. They are read when a page asks for them.
type criticalRuns struct {
	*site
	mu       sync.Mutex
	run, tag string // whose, and which contents of their table
	read     *live.CriticalPaths
}

// on puts the critical paths of a run, or why there are none, into what a page asks for, if its metric needs them.
func (s *criticalRuns) on(ctx context.Context, a *live.Ask, run string, isRecorded bool) {
	if !a.Metric.Paths {
		return
	}
	if isRecorded {
		a.NoPaths = fmt.Sprintf("Critical paths are known when a run has ended: after that, analyze run %s --stage critical_steps finds them", run)
		return
	}
	var err error
	if a.Critical, err = s.of(ctx, run); err != nil {
		_, a.NoPaths = told(err)
	}
}

// of reads the critical paths of a run, unless it has them.
func (s *criticalRuns) of(ctx context.Context, run string) (*live.CriticalPaths, error) {
	v, err := s.partition("run", run)
	if err != nil {
		return nil, err
	}
	tag := ""
	if m := v.Table("critical_steps"); m != nil {
		tag = m.Fingerprint
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read != nil && s.run == run && s.tag == tag {
		return s.read, nil
	}
	s.read = nil // what no page looks at need not stay while others are read
	read, err := live.ReadCriticalPaths(ctx, s.lake, run)
	if err == nil {
		s.run, s.tag, s.read = run, tag, read
	}
	return read, err
}
