package serve

import (
	"context"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/workers"
)

// baselines are the runs with which pages compare what runs now. Each is read once, which takes about a microsecond an event, while pages go on.
type baselines struct {
	*site
	mu      sync.Mutex
	latest  []*comparedRun
	reading workers.Group
}

// comparedRun is a run that was read, or is being read.
type comparedRun struct {
	run, tag string        // which contents of it
	ready    chan struct{} // closed when it was read
	read     *live.Baseline
	err      error
}

// mostBaselines is how many are kept, those included that no page compares with any more.
const mostBaselines = 2

// of begins to read a run, unless that was done.
func (s *baselines) of(run string) (*comparedRun, error) {
	v, err := s.partition("run", run)
	if err != nil {
		return nil, err
	}
	events := v.Table("events")
	if events == nil {
		return nil, &lake.NotAnalyzedError{Run: run, Table: "events"}
	}
	tag := events.Fingerprint
	if paths := v.Table("compositions"); paths != nil {
		tag += " " + paths.Fingerprint
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.latest, func(b *comparedRun) bool { return b.run == run && b.tag == tag }); i >= 0 {
		return s.latest[i], nil
	}
	b := &comparedRun{run: run, tag: tag, ready: make(chan struct{})}
	s.latest = append(s.latest[max(0, len(s.latest)+1-mostBaselines):], b)
	s.reading.Go(func() error {
		defer close(b.ready)
		defer workers.Recover(&b.err)
		b.read, b.err = live.ReadBaseline(s.life, s.lake, run)
		return nil
	})
	return b, nil
}

// wait waits until it was read.
func (b *comparedRun) wait(ctx context.Context) error {
	select {
	case <-b.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// on puts what is known of it so far into what a page asks for, and reports whether that is all. A page that compares with a run that cannot be
// read sees why, beside all else.
func (b *comparedRun) on(a *live.Against) (all bool) {
	a.Run = b.run
	select {
	case <-b.ready:
		a.Baseline, a.Cause = b.read, ""
		if b.err != nil {
			_, a.Cause = told(b.err)
		}
		return true
	default:
		a.Cause = "it is being read"
		return false
	}
}
