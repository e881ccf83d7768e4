package alignment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// mostSaid is how many clocks, or pairs of clocks, are named one by one.
const mostSaid = 3

// said are the sentences about the clocks that are corrected and about those that are not.
func (s *solver) said(moved []*node) (lines []string) {
	if len(moved) > 0 {
		lines = append(lines, s.saidOfMoved(moved))
	}
	refused := slices.DeleteFunc(slices.Clone(s.edges), func(e *edge) bool { return e.verdict <= apart || s.related(e) })
	slices.SortStableFunc(refused, func(a, b *edge) int {
		return cmp.Compare(b.sure.Forth+b.sure.Back, a.sure.Forth+a.sure.Back)
	})
	for i, e := range refused {
		if i == mostSaid {
			lines = append(lines, fmt.Sprintf("%d more pairs of clocks are left as they are", len(refused)-i))
			break
		}
		lines = append(lines, s.saidOfRefused(e))
	}
	return lines
}

// related reports whether the clocks of a pair that says nothing itself are related by others.
func (s *solver) related(e *edge) bool {
	return e.verdict == oneWay && s.at[e.key[0]].root == s.at[e.key[1]].root
}

// saidOfMoved is the sentence about the clocks that are corrected.
func (s *solver) saidOfMoved(moved []*node) string {
	const after = "corrected; --clocks keep leaves "
	if len(moved) > mostSaid {
		most := slices.MaxFunc(moved, func(a, b *node) int { return cmp.Compare(abs(a.line.AheadNs()), abs(b.line.AheadNs())) })
		return fmt.Sprintf("%d clocks are up to %s apart from that of %s, as that of %s is: %sthem, and the table clock_bounds has them",
			len(moved), duration(float64(abs(most.line.AheadNs()))), s.name(most.root.domain), s.name(most.domain), after)
	}
	var each []string
	for _, n := range moved {
		each = append(each, s.saidOfClock(n))
	}
	it := "it"
	if len(moved) > 1 {
		it = "them"
	}
	return strings.Join(each, ", ") + ": " + after + it
}

// saidOfClock says by how much a clock is ahead or behind, and how certain that is.
func (s *solver) saidOfClock(n *node) string {
	ahead, by := "ahead", n.line.AheadNs()
	if by < 0 {
		ahead, by = "behind", -by
	}
	text := fmt.Sprintf("the clock of %s is %s %s", s.name(n.domain), duration(float64(by)), ahead)
	if width := (n.less + n.more) / 2; !math.IsInf(width, 0) && !math.IsNaN(width) {
		text += fmt.Sprintf(" (± %s)", duration(width))
	}
	if ppm := n.line.Drift * 1e6; math.Abs(ppm) >= 0.05 {
		gains := "gains"
		if ppm < 0 {
			gains = "loses"
		}
		text += fmt.Sprintf(" and %s %.1f ppm", gains, math.Abs(ppm))
	}
	return text
}

// saidOfRefused says why a pair of clocks is left as it is.
func (s *solver) saidOfRefused(e *edge) string {
	a, b := s.name(e.key[0]), s.name(e.key[1])
	if e.verdict == oneWay {
		return fmt.Sprintf("the clocks of %s and %s are apart, as messages between them arrive before they are sent, but these go one way only: "+
			"left as they are; --clock-offset sets one", a, b)
	}
	return fmt.Sprintf("the messages between %s and %s fit no even clock, as they contradict each other by %s: one of the clocks was set meanwhile, "+
		"or runs unevenly; left as they are", a, b, duration(-e.bounds.Gap))
}

func abs(ns int64) int64 { return max(ns, -ns) }

// duration is a length of time for people, to a hundredth of its unit.
func duration(ns float64) string {
	for _, unit := range []struct {
		ns   float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}} {
		if ns >= unit.ns {
			return fmt.Sprintf("%.2f %s", ns/unit.ns, unit.name)
		}
	}
	return fmt.Sprintf("%.0f ns", ns)
}
