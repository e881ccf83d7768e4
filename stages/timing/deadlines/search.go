package deadlines

import (
	"cmp"
	"slices"
)

// search is for the smallest set of outliers that brings the last event of a core to a time, and among those
// for one that brings it forward most.
//
// It branches on a critical path, because every set that helps has an outlier of it. The members of one path are
// tried in turn, the largest excess first, each without those tried before it; so no set is tried twice. The
// bound is the path as well: n more outliers shorten it by the n largest excesses on it at most.
type search struct {
	*core
	targetNs, leastNs int64 // the time to reach; the time with every outlier lowered
	set               []int32
	excluded          []bool // by outlier: tried before
	best              []int32
	bestNs            int64
	steps, maxSteps   int
	exhausted         bool
}

// newSearch returns a search for what brings the last event to a time, or as near to it as can be.
func newSearch(k *core, targetNs int64, maxSteps int) *search {
	leastNs := k.floorNs[len(k.floorNs)-1]
	return &search{
		core: k, targetNs: max(targetNs, leastNs), leastNs: leastNs,
		excluded: make([]bool, len(k.place)), maxSteps: maxSteps,
	}
}

// run finds the set. It first looks for sets of one outlier, then of two, and so on, so that what it has found when
// it runs out of steps is the smallest if it is small.
func (s *search) run() {
	s.cover()
	for size := 1; size <= len(s.best) && !s.exhausted; size++ {
		s.extend(size)
	}
}

// cover finds a set to begin with: it lowers all of one critical path after another, and restores what was not
// necessary, the smallest excess first.
func (s *search) cover() {
	s.bestNs = s.schedule()
	for s.bestNs > s.targetNs {
		found := len(s.best)
		s.best = s.path(s.best)
		for _, n := range s.best[found:] {
			s.lower(n)
		}
		s.bestNs = s.schedule()
	}
	s.byExcess(s.best)
	for i := len(s.best) - 1; i >= 0 && s.step(); i-- {
		s.restore(s.best[i])
		if endNs := s.schedule(); endNs > s.targetNs {
			s.lower(s.best[i])
			continue
		}
		s.best = slices.Delete(s.best, i, i+1)
	}
	s.bestNs = s.schedule()
	for _, n := range s.best {
		s.restore(n)
	}
}

// step counts a schedule and reports whether it may be made.
func (s *search) step() bool {
	if s.steps == s.maxSteps {
		s.exhausted = true
		return false
	}
	s.steps++
	return true
}

// extend tries the set with up to n more outliers.
func (s *search) extend(n int) {
	if !s.step() {
		return
	}
	endNs := s.schedule()
	if endNs <= s.targetNs {
		if len(s.set) < len(s.best) || endNs < s.bestNs {
			s.best, s.bestNs = append(s.best[:0], s.set...), endNs
		}
		return
	}
	path := slices.DeleteFunc(s.path(nil), func(n int32) bool { return s.excluded[n] })
	s.byExcess(path)
	tried := 0
	for ; tried < len(path) && s.mayHelp(endNs, path[tried:], n); tried++ {
		s.lower(path[tried])
		s.set = append(s.set, path[tried])
		s.extend(n - 1)
		s.set = s.set[:len(s.set)-1]
		s.restore(path[tried])
		s.excluded[path[tried]] = true
	}
	for _, n := range path[:tried] {
		s.excluded[n] = false
	}
}

// mayHelp reports whether n more outliers may bring the end to the target, and forward of the best set of that size.
func (s *search) mayHelp(endNs int64, path []int32, n int) bool {
	for _, o := range path[:min(n, len(path))] {
		endNs -= s.excess[o]
	}
	endNs = max(endNs, s.leastNs)
	return !s.exhausted && endNs <= s.targetNs && (len(s.set)+n < len(s.best) || endNs < s.bestNs)
}

// byExcess orders outliers by their excess, the largest first; equal ones as in the chart.
func (s *search) byExcess(outliers []int32) {
	slices.SortFunc(outliers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.excess[b], s.excess[a]), cmp.Compare(a, b))
	})
}
