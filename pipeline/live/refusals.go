package live

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// refusals count what was refused, by its reasons. They may be used by several goroutines.
type refusals struct {
	mu     sync.Mutex
	counts map[string]int64
}

// add counts something that was refused.
func (r *refusals) add(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = make(map[string]int64)
	}
	r.counts[reason]++
}

// words say how many were refused for each reason, as "2 not JSON, 1 too long"; "" if none was.
func (r *refusals) words() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var words []string
	for reason, n := range r.counts {
		words = append(words, fmt.Sprintf("%d %s", n, reason))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}
