package verdict

import (
	"fmt"
	"math"

	"github.com/tracelake/tracelake/schema"
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
		return which + " " + texttab.Duration(magnitude(*f.StatementNs)) + " " + way
	case f.StatementRatio == nil:
		return ""
	case f.Statement == schema.EachCall:
		return w.each + " " + times(*f.StatementRatio, "long", "longer", "less")
	case f.Statement == schema.InTotal:
		return w.all + " " + times(*f.StatementRatio, "long", "longer", "less")
	case f.Statement == schema.Called:
		return w.called + " " + times(*f.StatementRatio, "often", "more often", "less often")
	}
	return ""
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
