package live

import (
	"maps"
	"sync"
	"time"
)

// strikes are since when functions strike beside a baseline, kept for pages that begin to look: whenever one of a browser's pages asks for something else, the
// stream of all is opened anew, and a function that went on to strike meanwhile has not begun to. They may be used by several goroutines.
type strikes struct {
	mu  sync.Mutex
	all []stretch // those that were kept last at the end
}

// stretch are the functions that strike in windows of a length, the last one of which ends at a time.
type stretch struct {
	of    stretchOf
	toNs  int64
	since map[Named]int64
}

type stretchOf struct {
	view       string
	firstNs    int64 // of the view: another recording has another one
	intervalNs int64
}

const (
	mostStretches = 16
	unwatched     = 3 * time.Second // after which nobody knows whether a function went on to strike
)

// resume returns what a page that looks at a time goes on with.
func (s *strikes) resume(of stretchOf, toNs int64) map[Named]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	since := make(map[Named]int64)
	for _, kept := range s.all {
		if kept.of == of && toNs <= kept.toNs+unwatched.Nanoseconds() {
			since = maps.Clone(kept.since)
			maps.DeleteFunc(since, func(_ Named, at int64) bool { return at > toNs })
		}
	}
	return since
}

// keep keeps what a page has, unless another page that looks at a later time keeps its own.
func (s *strikes) keep(of stretchOf, toNs int64, since map[Named]int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, kept := range s.all {
		if kept.of != of {
			continue
		}
		if kept.toNs > toNs {
			return
		}
		s.all = append(s.all[:i], s.all[i+1:]...)
		break
	}
	s.all = append(s.all, stretch{of, toNs, maps.Clone(since)})
	s.all = s.all[max(0, len(s.all)-mostStretches):]
}
