package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// wording says in words what one occurrence of a subject does.
type wording struct {
	each, all, called string // of each occurrence, of all together, of their number
	some, most        string // of a share of them: formats with one number, how many are one of them, or percent
	few               string // of a share that is not known well
}

// The wordings of calls, of messages, and of all else.
var (
	ofCalls    = wording{"each call takes", "all calls together take", "called", "1 call in %.0f takes", "%.0f %% of the calls take", "some of the calls take"}
	ofMessages = wording{"each message takes", "all messages together take", "sent", "1 message in %.0f takes", "%.0f %% of the messages take", "some of the messages take"}
	ofSteps    = wording{"each time it takes", "in total it takes", "it happens", "1 time in %.0f it takes", "%.0f %% of the times it takes", "some of the times it takes"}
)

func wordingOf(level string) *wording {
	switch level {
	case schema.LevelFunction, schema.LevelFragment:
		return &ofCalls
	case schema.LevelMessage:
		return &ofMessages
	}
	return &ofSteps
}

// fewCalls is the number of calls a run below which quantiles do not show which share of them changed: of five calls of which
// one takes 20 ms longer they say 1 in 4 and 16 ms.
const fewCalls = 20

// oneInFive is the share of calls above which percent read better: 38 % of the calls, and not 1 call in 2.6.
const oneInFive = .2

// statement says in which way the cost of a finding changed; "" where that is not known.
//
//	each call takes 23 % longer
//	1 call in 40 takes 3.00 ms longer
//	at most 1 call in 10 takes less, by 3.76 us or more each
//	called twice as often
func statement(f *schema.Finding) string {
	w := wordingOf(f.Level)
	switch {
	case f.Statement == schema.SomeCalls && f.StatementShare != nil && f.StatementNs != nil:
		way := "longer"
		if *f.StatementNs < 0 {
			way = "less"
		}
		if f.CountCand > 0 && f.CountCand < fewCalls {
			return w.few + " " + way
		}
		which := fmt.Sprintf(w.some, 1 / *f.StatementShare)
		if *f.StatementShare > oneInFive {
			which = fmt.Sprintf(w.most, 100**f.StatementShare)
		}
		if isBound(*f.StatementShare) {
			return "at most " + which + " " + way + ", by " + texttab.Duration(magnitude(*f.StatementNs)) + " or more each"
		}
		return which + " " + texttab.Duration(magnitude(*f.StatementNs)) + " " + way
	case f.StatementRatio == nil:
		return ""
	case f.Statement == schema.EachCall:
		return w.each + " " + times(*f.StatementRatio, "long", "longer", "less")
	case f.Statement == schema.InTotal:
		return w.all + " " + times(*f.StatementRatio, "long", "longer", "less")
	case f.Statement == schema.Called, f.Statement == schema.Mix:
		return w.called + " " + times(*f.StatementRatio, "often", "more often", "less often")
	}
	return ""
}

// isBound reports whether a share of calls is that of all calls above a known quantile: then what changed lies there, and may be as little as
// the greatest of them. One call in 54 that takes 22 us less looks like one in 10 that take 4 us less.
func isBound(share float64) bool {
	const rounding = 1e-9
	return slices.ContainsFunc(verdicts.Quantiles[:], func(q float64) bool { return math.Abs(share-(1-q)) < rounding })
}

// contradicts reports whether a statement says the opposite of the whole effect: each call takes longer, and there are so many fewer
// that all together take less.
func contradicts(f *schema.Finding) bool {
	longer := f.StatementRatio != nil && *f.StatementRatio > 1 || f.StatementRatio == nil && value(f.StatementNs) > 0
	return longer != (f.EffectNs > 0)
}

// times writes a ratio as a comparison: in percent below twice, else as a factor.
//
//	23 % longer, 20 % less, twice as long, 46 times as long
func times(ratio float64, adverb, more, less string) string {
	const near = .05 // relative; closer to a whole factor is that factor
	switch {
	case math.Abs(ratio-2) <= 2*near:
		return "twice as " + adverb
	case math.Abs(ratio-.5) <= .5*near:
		return "half as " + adverb
	case ratio > 2:
		return fmt.Sprintf("%.3g times as %s", ratio, adverb)
	case ratio >= 1:
		return percent(ratio-1) + " " + more
	}
	return percent(1-ratio) + " " + less
}

// percent writes a share between 0 and 1 with two digits.
func percent(share float64) string {
	if share < .0995 {
		return fmt.Sprintf("%.2g %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
