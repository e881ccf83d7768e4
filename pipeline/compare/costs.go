package compare

import (
	"encoding/binary"
	"math"

	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// A history holds what every run says of every subject, which are millions of pairs. So it holds only what judging a cost needs, in
// a few bytes: count, number of values and sum as varints, since all are whole numbers, and of several values the quantiles that
// say how far they are spread.

// spreadQuantiles are the positions of these quantiles in verdicts.Quantiles: the lower decile, the median and the upper decile.
var spreadQuantiles = [...]int{0, 4, 8}

// appendCost appends what a run says of the cost of a subject.
func appendCost(to []byte, r *verdicts.Run) []byte {
	to = binary.AppendUvarint(to, uint64(r.Count))
	to = binary.AppendUvarint(to, uint64(r.N))
	to = binary.AppendVarint(to, int64(r.TotalNs))
	if r.N < 2 {
		return to // one value has no spread
	}
	if r.Quantiles == nil {
		return append(to, 0)
	}
	to = append(to, 1)
	for _, q := range spreadQuantiles {
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(r.Quantiles[q]))
	}
	return to
}

// costIn reads what a run says of a cost, and returns the bytes behind it. Quantiles that were not kept are NaN.
func costIn(of []byte) (verdicts.Run, []byte) {
	number := func() float64 {
		n, size := binary.Uvarint(of)
		of = of[size:]
		return float64(n)
	}
	r := verdicts.Run{Count: number(), N: number()}
	total, size := binary.Varint(of)
	r.TotalNs, of = float64(total), of[size:]
	if r.N < 2 {
		return r, of
	}
	known := of[0] > 0
	if of = of[1:]; !known {
		return r, of
	}
	r.Quantiles = spread([]float64{math.NaN()})
	for _, q := range spreadQuantiles {
		r.Quantiles[q] = math.Float64frombits(binary.LittleEndian.Uint64(of))
		of = of[8:]
	}
	return r, of
}

// keepCosts keeps of what the runs say of a subject what its cost is judged by.
func (s *Subject) keepCosts(runs []verdicts.Run) {
	for i := range runs {
		s.costs = appendCost(s.costs, &runs[i])
	}
	s.Observed.Runs = nil
}

// HasRuns reports whether it is known what every run says of the subject.
func (s *Subject) HasRuns() bool { return s.Observed.Runs != nil || len(s.costs) > 0 }

// Costs are what every run says of the cost of a subject, without the subject. Whether they are kept run by run or in few bytes makes
// no difference to who judges costs alone.
type Costs struct {
	runs   []verdicts.Run
	packed []byte // see appendCost; in the place of runs
}

// CostsOf are the costs that some runs say.
func CostsOf(runs []verdicts.Run) Costs { return Costs{runs: runs} }

// Costs returns the costs of the subject.
func (s *Subject) Costs() Costs { return Costs{s.Observed.Runs, s.costs} }

// Append appends what every run says.
func (c Costs) Append(to []verdicts.Run) []verdicts.Run {
	to = append(to, c.runs...)
	for rest := c.packed; len(rest) > 0; {
		var r verdicts.Run
		r, rest = costIn(rest)
		to = append(to, r)
	}
	return to
}
