package strata

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Rules of the order in time.
const (
	trendLevel = .01 // of the test for a trend
	leastTrend = .02 // relative change from the first run to the last that matters
)

// timed is a run at its place in time.
type timed struct {
	*Run
	group  int  // runs of one side and stratum, which differ by noise and by what the machine did meanwhile
	isCand bool // of the candidate
}

// order finds out what the order of the runs in time says: whether one side was recorded after the other, and whether runs take
// longer or less long the later they were recorded, whatever side they are on, as on a machine that warms up or a disk that fills.
// Then runs that were recorded next to each other are paired, where the sides were recorded in turns: a trend that both have is no
// part of their differences.
func (s *Strata) order(base, cand []Run) {
	runs := s.inTime(base, cand)
	if runs == nil {
		return
	}
	trend := trendOf(runs)
	text := trend.text()
	switch {
	case apart(runs):
		first, second := "baseline", "candidate"
		if runs[0].isCand {
			first, second = second, first
		}
		s.doubt(fmt.Sprintf("all runs of the %s were recorded before those of the %s", first, second), "All runs of the %s were recorded before those of the %s, so that whatever the machine did meanwhile looks like a change of the release%s. Record the sides in turns, and give --pair-by with a label of the turn.", first, second, text.join("; "))
	case text == "":
	case s.Blocks != nil:
		s.warn("Runs take %s; they are compared with runs that were recorded next to them, which takes that out.", text)
	case inTurns(runs, min(len(base), len(cand))):
		s.Blocks, s.ByTime = pair(base, cand, nil), true
		s.warn("Runs take %s; so they are compared with runs that were recorded next to them, which takes that out. --pool compares all with all.", text)
	default:
		s.warn("Runs take %s, and the sides lie apart in time, so that this looks like a change of the release. Record the sides in turns, and give --pair-by with a label of the turn.", text)
	}
}

// inTime returns the runs in the order of their starts; nil where the clocks of the traces do not tell it. Clocks do that have all
// runs one after the other: where each begins at its own program's start, the runs seem to overlap.
func (s *Strata) inTime(base, cand []Run) []timed {
	var runs []timed
	groups := make(map[string]int)
	for i, side := range [][]Run{base, cand} {
		for k := range side {
			at := fmt.Sprintf("%d%q", i, valuesOf(&side[k], s.Labels))
			if _, known := groups[at]; !known {
				groups[at] = len(groups)
			}
			runs = append(runs, timed{&side[k], groups[at], i == 1})
		}
	}
	slices.SortStableFunc(runs, func(a, b timed) int { return cmp.Compare(a.StartNs, b.StartNs) })
	for i, r := range runs {
		if r.DurationNs <= 0 || i > 0 && r.StartNs < runs[i-1].StartNs+runs[i-1].DurationNs {
			return nil
		}
	}
	return runs
}

// apart reports whether all runs of one side were recorded before all of the other.
func apart(runs []timed) bool {
	changes := 0
	for i := range runs[1:] {
		if runs[i].isCand != runs[i+1].isCand {
			changes++
		}
	}
	return changes == 1
}

// inTurns reports whether runs of both sides were recorded in turns: on average, they lie no further apart than the time of one
// turn. What a trend leaves in the differences of pairs is then at most a turn's share of it.
func inTurns(runs []timed, turns int) bool {
	var sum [2]float64
	var n [2]float64
	for _, r := range runs {
		side := 0
		if r.isCand {
			side = 1
		}
		sum[side] += float64(r.StartNs - runs[0].StartNs)
		n[side]++
	}
	return math.Abs(sum[0]/n[0]-sum[1]/n[1]) <= float64(runs[len(runs)-1].StartNs-runs[0].StartNs)/float64(turns)
}

// trend is how the durations of runs follow their starts.
type trend struct {
	log float64 // of the ratio of the last run to the first, as the median slope has it
	p   float64 // of no trend
}

// trendOf finds the trend that the runs of all groups have in common, by Kendall's rank correlation within groups (Mann 1945,
// Econometrica 13, 245-259), whose statistics and variances add up over groups (Hirsch, Slack and Smith 1982, Water Resources Research
// 18, 107-121); the slope is the median of those of all pairs of a group (Sen 1968). It takes the square of the number of runs.
func trendOf(runs []timed) trend {
	score, variance := 0.0, 0.0
	size := make(map[int]float64)
	var slopes []float64
	for i, a := range runs {
		size[a.group]++
		for _, b := range runs[i+1:] {
			if a.group != b.group {
				continue
			}
			rise := math.Log(float64(b.DurationNs) / float64(a.DurationNs))
			slopes = append(slopes, rise/float64(b.StartNs-a.StartNs))
			score += float64(cmp.Compare(b.DurationNs, a.DurationNs))
		}
	}
	for _, n := range size {
		variance += n * (n - 1) * (2*n + 5) / 18
	}
	if len(slopes) == 0 {
		return trend{p: 1}
	}
	slices.Sort(slopes)
	slope := (slopes[len(slopes)/2] + slopes[(len(slopes)-1)/2]) / 2
	z := max(math.Abs(score)-1, 0) / math.Sqrt(variance) // with the correction for continuity
	return trend{log: slope * float64(runs[len(runs)-1].StartNs-runs[0].StartNs), p: math.Erfc(z / math.Sqrt2)}
}

// trendText is a trend in words, "" for none that is shown and matters.
type trendText string

func (t trend) text() trendText {
	switch ratio := math.Expm1(t.log); {
	case !(t.p <= trendLevel) || math.Abs(ratio) < leastTrend:
		return ""
	case ratio > 0:
		return trendText(fmt.Sprintf("longer the later they were recorded (%.0f %% from the first to the last, p = %.2g)", 100*ratio, t.p))
	default:
		return trendText(fmt.Sprintf("less long the later they were recorded (%.0f %% from the first to the last, p = %.2g)", -100*ratio, t.p))
	}
}

// join puts a text behind another sentence.
func (t trendText) join(separator string) trendText {
	if t == "" {
		return ""
	}
	return trendText(separator) + "within the sides, runs take " + t
}
