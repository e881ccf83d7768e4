package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Common is the difference between the sides that all functions share. It is taken out before functions are compared, and
// reported as a finding of its own.
type Common struct {
	Ratio, Lo, Hi float64 // candidate by baseline, with its 95 % interval
	P             float64 // of no difference
}

// Rules of when a common difference is worth a line.
const (
	commonLevel = .05 // of significance, of the test that no difference exists
	commonLeast = .02 // relative
)

// commonText says by how much all functions together became slower or faster, and what to do; "" where that is not shown.
//
//	All functions alike +9.1 % (95 % interval +6.0 to +12.3 %): the machine, the build or drift. It is taken out of the functions
//	below. The sides do not overlap in time: record them in turns and say so with --pair-by.
func (r *Report) commonText() string {
	c := r.Common
	// A P that is NaN fails the comparison.
	if c == nil || !(c.P <= commonLevel) || math.Abs(c.Ratio-1) < commonLeast {
		return ""
	}
	text := fmt.Sprintf("All functions alike %s (95 %% interval %s to %s): the machine, the build or drift. It is taken out of the functions below.",
		texttab.Relative(c.Ratio-1), texttab.Relative(c.Lo-1), texttab.Relative(c.Hi-1))
	switch {
	case !r.timesKnown():
		return text + " The clocks of the runs do not say when these were recorded: if one side was recorded after the other, " +
			"record them in turns, and say so with --pair-by."
	case r.sidesOverlap():
		return text + " The sides overlap in time, so that drift alone does not explain it."
	}
	return text + " The sides do not overlap in time: record them in turns, and say so with --pair-by."
}

// leastTogether is the share of the difference from which on it is that of many functions: without the one that differs most.
const leastTogether = .3

// togetherText says that a root execution changed because many functions did together, where no function is shown to have; "" where
// one is, or where one has most of the difference.
//
//	41 functions differ together, by +55.3 ms without the one that differs most: as where a machine is shared with other work, which
//	few calls of every function wait for. None is shown to differ more than the others.
func (r *Report) togetherText() string {
	if r.account == nil || r.rootsWith(schema.Regressed)+r.rootsWith(schema.Improved) == 0 {
		return ""
	}
	var others *accountPart
	for i := range r.account.Parts {
		switch p := &r.account.Parts[i]; p.Part {
		case partSlower, partFaster:
			return ""
		case partOthers:
			others = p
		}
		// Where a function is shown to have changed, it is the explanation, and nothing is said of all together.
	}
	difference := float64(r.account.CandNs - r.account.BaseNs)
	// The one that differs most may be a cause that too few runs show: then the others alone must explain enough, in the same direction.
	if others == nil || float64(others.EffectNs-others.LedNs) < leastTogether*difference && difference > 0 ||
		float64(others.EffectNs-others.LedNs) > leastTogether*difference && difference < 0 {
		return ""
	}
	return fmt.Sprintf("%s differ together, by %s without the one that differs most: as where a machine is shared with other work, which few calls "+
		"of every function wait for. None is shown to differ more than the others.", texttab.Plural(others.Functions, "function"), texttab.Change(others.EffectNs-others.LedNs))
}

// timesKnown reports whether the clocks of the runs say in which order these were recorded. Clocks that begin with each run do not: there
// the runs seem to overlap.
func (r *Report) timesKnown() bool {
	var runs []schema.Run
	for _, name := range slices.Concat(r.Base, r.Cand) {
		runs = append(runs, r.Runs[name])
	}
	slices.SortFunc(runs, func(a, b schema.Run) int { return cmp.Compare(a.StartNs, b.StartNs) })
	for i, run := range runs {
		if i > 0 && run.StartNs < runs[i-1].StartNs+runs[i-1].DurationNs {
			return false
		}
	}
	return true
}

// sidesOverlap reports whether the spans of time in which the sides were recorded overlap.
func (r *Report) sidesOverlap() bool {
	span := func(names []string) (from, to int64) {
		// Of no run the span is empty, and overlaps with nothing.
		from, to = math.MaxInt64, math.MinInt64
		for _, name := range names {
			run := r.Runs[name]
			from, to = min(from, run.StartNs), max(to, run.StartNs+run.DurationNs)
		}
		return from, to
	}
	baseFrom, baseTo := span(r.Base)
	candFrom, candTo := span(r.Cand)
	return baseFrom <= candTo && candFrom <= baseTo
}

// exchangedText says what the rule claims where there is nothing to find; "" where runs were not exchanged.
//
//	With runs exchanged between the sides, the same rule claims 0.1 findings (mean of 20 exchanges).
func (r *Report) exchangedText() string {
	if r.Exchanges == 0 {
		return ""
	}
	text := fmt.Sprintf("With runs exchanged between the sides, the same rule claims %.1f findings (mean of %s).", r.Claims, texttab.Plural(r.Exchanges, "exchange"))
	if r.Claims >= manyClaims {
		text += " These runs differ in ways that the rule does not expect: take single findings with care, and record more runs."
	}
	return text
}

// manyClaims is the mean number of false claims from which on a reader is warned: four times what is meant.
const manyClaims = .2
