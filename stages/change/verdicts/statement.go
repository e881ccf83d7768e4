package verdicts

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Statement says in which way the cost of a subject changed: whether each call takes longer, some calls do, or there are more of
// them. A mean cannot tell these apart, and who is to repair something must know which it is.
type Statement struct {
	Kind  string  // schema.EachCall, SomeCalls, Called, Mix or InTotal; "" where the runs do not say
	Ratio float64 // candidate by baseline: of the cost of a typical call, of the number of calls, or of the total; 0 of some calls
	Share float64 // of some calls: which share of the calls of the candidate changed
	Ns    float64 // of some calls: by how much each of these takes longer
}

// Rules of statements.
const (
	mostlyCalls  = 3  // the part of a difference by the number of calls is this many times the part by their time
	typicalShare = .5 // least relative change of the median, in units of that of the mean, where each call changed
	leastExcess  = .1 // part of the difference that calls below a quantile may have where only those above it changed

	farFewer = .5   // calls of a side, in units of those of the other one, at most, where the others are gone or new
	mostMix  = 1.25 // ratio by which quantiles may differ from those of the calls that both sides have
)

// State finds the statement about a subject. The difference of the means is split exactly into a part by the number of calls and one by
// their time. If the latter is not small, only the mix of calls changed where those that one side lacks were the short ones, each call changed where the median did by at least half of what the mean did,
// and else some calls did. The time is linear in the runs but for sorting them.
func State(o *Observed, s *Sides) Statement {
	base, cand := s.sideOf(o, s.Base), s.sideOf(o, s.Cand)
	if o.CostOnly || base.count <= 0 || cand.count <= 0 || base.mean <= 0 || cand.mean <= 0 {
		return Statement{}
	}
	called := (cand.count - base.count) * (base.mean + cand.mean) / 2
	slower := (cand.mean - base.mean) * (base.count + cand.count) / 2
	switch {
	case math.Abs(called) >= mostlyCalls*math.Abs(slower):
		return Statement{Kind: schema.Called, Ratio: cand.count / base.count}
	case base.quantiles == nil || cand.quantiles == nil:
		return Statement{Kind: schema.InTotal, Ratio: cand.count * cand.mean / (base.count * base.mean)}
	}
	if isMix(base, cand) {
		return Statement{Kind: schema.Mix, Ratio: cand.count / base.count}
	}
	typical, mean := cand.quantiles[median]/base.quantiles[median]-1, cand.mean/base.mean-1
	if base.quantiles[median] > 0 && typical/mean >= typicalShare {
		return Statement{Kind: schema.EachCall, Ratio: 1 + typical}
	}
	share := changedShare(base, cand)
	if share >= 1 || o.isOncePerRun(s) {
		return Statement{Kind: schema.EachCall, Ratio: 1 + mean}
	}
	return Statement{Kind: schema.SomeCalls, Share: share, Ns: (cand.mean - base.mean) / share}
}

// isMix reports whether the calls of the side with far fewer are those of the other one but for its shortest. With r of its calls for each of the
// other side's, their quantile q is then the other one's quantile 1 - (1 - q) r. That must hold better than that each call takes by the same factor
// longer, which is the other way in which fewer calls take longer on average.
func isMix(base, cand side) bool {
	few, many := cand, base
	if few.count > many.count {
		few, many = many, few
	}
	r, byMix, byFactor := few.count/many.count, 0.0, 0.0
	if r > farFewer {
		return false
	}
	for i, q := range Quantiles[:median+1] {
		is, left, same := few.quantiles[i], many.quantileAt(1-(1-q)*r), many.quantiles[i]
		if !(is >= 0 && left >= 0 && same >= 0) { // one is not known
			return false
		}
		byMix = max(byMix, logFactor(is, left))
		byFactor = max(byFactor, logFactor(is*many.mean, same*few.mean))
	}
	return byMix <= math.Log(mostMix) && byMix < byFactor
}

// logFactor is the logarithm of the factor between two times, whichever is greater. Calls may take 0 ns by a coarse clock: those do not differ from each
// other, and by an infinite factor from others.
func logFactor(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(math.Log(a / b))
}

// quantileAt returns a quantile of the calls of a side between two known ones, as if it were linear there; NaN beyond them.
func (s *side) quantileAt(p float64) float64 {
	for i := 1; i < len(Quantiles); i++ {
		if lo, hi := Quantiles[i-1], Quantiles[i]; lo <= p && p <= hi {
			return s.quantiles[i-1] + (p-lo)/(hi-lo)*(s.quantiles[i]-s.quantiles[i-1])
		}
	}
	return math.NaN()
}

// isOncePerRun reports whether no run has more than one call: then there are no others that took what they took.
func (o *Observed) isOncePerRun(s *Sides) bool {
	return !slices.ContainsFunc(slices.Concat(s.Base, s.Cand), func(run int) bool { return o.Runs[run].N > 1 })
}

// side is what the runs of one side show of a subject.
type side struct {
	count     float64   // calls per root execution, mean of the runs
	mean      float64   // ns of a call, mean of the runs
	quantiles []float64 // of a call, medians of the runs; NaN where a run does not know one, nil where none is known
}

func (s *Sides) sideOf(o *Observed, runs []int) side {
	out, values := side{}, make([]float64, len(runs))
	n := float64(len(runs))
	for _, r := range runs {
		run := &o.Runs[r]
		out.count += run.Count / s.roots(r) / n
		if run.N > 0 {
			out.mean += run.TotalNs / run.N / n
		}
	}
	if !known(o, runs, median) {
		return out
	}
	for q := range Quantiles {
		for i, r := range runs {
			values[i] = o.Runs[r].Quantiles[q]
		}
		slices.Sort(values) // NaN come first
		middle := (values[len(values)/2] + values[(len(values)-1)/2]) / 2
		if math.IsNaN(values[0]) {
			middle = math.NaN()
		}
		out.quantiles = append(out.quantiles, middle)
	}
	return out
}

// changedShare returns the share of the calls that changed. If all that changed did by the same, the difference of the means is that
// much times their share, and the quantile that changed most shows how much it is. Where no quantile shows it, the calls that changed
// lie beyond those that are known, or the deciles of a few calls have smeared them: then the share is at most that of the calls above the
// quantile below which there is next to nothing of the difference.
func changedShare(base, cand side) float64 {
	whole, most := cand.mean-base.mean, 0.0
	for i := range Quantiles {
		if shift := (cand.quantiles[i] - base.quantiles[i]) / whole; shift > most {
			most = shift
		}
	}
	share := 1 - unchangedBelow(base, cand)
	if most > 0 {
		share = min(share, 1/most)
	}
	return share
}

// unchangedBelow returns the greatest of Quantiles up to which the difference of the sides adds up to no more than leastExcess of
// the difference of the means; 0 where the lowest one has more. Between the quantiles the difference is taken as linear.
func unchangedBelow(base, cand side) (from float64) {
	whole, sum := cand.mean-base.mean, 0.0
	at, before := 0.0, cand.quantiles[0]-base.quantiles[0]
	for i, q := range Quantiles {
		shift := cand.quantiles[i] - base.quantiles[i]
		if math.IsNaN(shift) {
			break
		}
		sum += (q - at) * (before + shift) / 2
		at, before = q, shift
		if math.Abs(sum) > leastExcess*math.Abs(whole) {
			break
		}
		from = q
	}
	return from
}
