package deadlines

import (
	"cmp"
	"slices"
)

// search looks for the smallest set of outliers that brings the last event of a core to a time, and among
// those for one that brings it forward most.
//
// It branches on a critical path, because every set that helps contains an outlier of it. The members of
// one path are tried in turn, the largest excess first, each without those tried before it; so no set is
// tried twice. The bound is the path as well: n more outliers shorten it by the n largest excesses on it
// at most.
type search struct {
	*scheduleCore
	targetNs, minNs int64   // the time to reach
	set             []int32 // lowered now
	excluded        []bool  // by outlier: tried before
	best            []int32 // smallest set so far
	bestNs          int64   // time of the last event with it lowered
	steps, maxSteps int     // schedules so far
	exhausted       bool    // the steps ran out
}

// newSearch returns a search for what brings the last event to a time, or as near to it as possible.
func newSearch(k *scheduleCore, targetNs int64, maxSteps int) *search {
	leastNs := k.floorNs[len(k.floorNs)-1]
	return &search{
		scheduleCore: k, targetNs: max(targetNs, leastNs), minNs: leastNs,
		excluded: make([]bool, len(k.constraint)), maxSteps: maxSteps,
	}
}

// findBest finds the set. It first looks for sets of one outlier, then of two, and so on, so that a small
// set is known to be the smallest even if the steps run out later.
func (s *search) findBest() {
	s.coverPaths()
	for size := 1; size <= len(s.best) && !s.exhausted; size++ {
		s.extendSet(size)
	}
}

// coverPaths finds a set to begin with: it lowers all outliers of one critical path after another, and
// restores what was not necessary, the smallest excess first.
func (s *search) coverPaths() {
	s.bestNs = s.reschedule()
	for s.bestNs > s.targetNs {
		found := len(s.best)
		s.best = s.outliersOnPath(s.best)
		for _, n := range s.best[found:] {
			s.lowerOutlier(n)
		}
		s.bestNs = s.reschedule()
	}
	s.sortByExcess(s.best)
	for i := len(s.best) - 1; i >= 0 && s.countStep(); i-- {
		s.restoreOutlier(s.best[i])
		if endNs := s.reschedule(); endNs > s.targetNs {
			s.lowerOutlier(s.best[i])
			continue
		}
		s.best = slices.Delete(s.best, i, i+1)
	}
	s.bestNs = s.reschedule()
	for _, n := range s.best {
		s.restoreOutlier(n)
	}
}

// countStep counts a schedule and reports whether it may be made.
func (s *search) countStep() bool {
	if s.steps == s.maxSteps {
		s.exhausted = true
		return false
	}
	s.steps++
	return true
}

// extendSet tries the set with up to n more outliers.
func (s *search) extendSet(n int) {
	if !s.countStep() {
		return
	}
	endNs := s.reschedule()
	if endNs <= s.targetNs {
		if len(s.set) < len(s.best) || endNs < s.bestNs {
			s.best, s.bestNs = append(s.best[:0], s.set...), endNs
		}
		return
	}
	path := slices.DeleteFunc(s.outliersOnPath(nil), func(n int32) bool { return s.excluded[n] })
	s.sortByExcess(path)
	tried := 0
	for ; tried < len(path) && s.mayHelp(endNs, path[tried:], n); tried++ {
		s.lowerOutlier(path[tried])
		s.set = append(s.set, path[tried])
		s.extendSet(n - 1)
		s.set = s.set[:len(s.set)-1]
		s.restoreOutlier(path[tried])
		s.excluded[path[tried]] = true
	}
	for _, n := range path[:tried] {
		s.excluded[n] = false
	}
}

// mayHelp reports whether n more outliers may bring the end to the target, and further forward than the
// best set of that size.
func (s *search) mayHelp(endNs int64, path []int32, n int) bool {
	for _, o := range path[:min(n, len(path))] {
		endNs -= s.excess[o]
	}
	endNs = max(endNs, s.minNs)
	return !s.exhausted && endNs <= s.targetNs && (len(s.set)+n < len(s.best) || endNs < s.bestNs)
}

// sortByExcess orders outliers by their excess, the largest first; equal ones as in the graph.
func (s *search) sortByExcess(outliers []int32) {
	slices.SortFunc(outliers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.excess[b], s.excess[a]), cmp.Compare(a, b))
	})
}
