package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// oddRun is by how much the factor of a run differs from the middle one of the other runs of its side for it to be named, where those differ by less than its root.
const oddRun = 1.2

// oddRunText names the run of a side in which all functions took longer, or less long, than in its other runs, and which moves every mean of that side; "" where there
// is none, and where runs are of several kinds.
//
//	cand-1 takes 38 % longer than the other runs of its side, in all functions alike: what is a mean of the runs holds a part of that. Record it again if
//	something disturbed it, or leave it out.
func (r *Report) oddRunText(side []string) string {
	if len(side) < verdicts.MinRuns || r.Blocks != nil || len(r.Strata.Cells) > 0 {
		return ""
	}
	var logs []float64
	for _, name := range side {
		for i := range r.Factors {
			if r.Factors[i].Run == name {
				logs = append(logs, math.Log(r.Factors[i].Factor))
			}
		}
	}
	if len(logs) != len(side) {
		return ""
	}
	for i, name := range side {
		others := slices.Delete(slices.Clone(logs), i, i+1)
		slices.Sort(others)
		n := len(others)
		apart := logs[i] - (others[(n-1)/2]+others[n/2])/2
		if size := math.Abs(apart); size < math.Log(oddRun) || others[n-1]-others[0] >= size/2 {
			continue
		}
		way := "longer"
		if apart < 0 {
			way = "less long"
		}
		return fmt.Sprintf("%s takes %s %s than the other runs of its side, in all functions alike: what is a mean of the runs holds a part of that. "+
			"Record it again if something disturbed it, or leave it out.", texttab.Printable(name), percent(math.Abs(math.Expm1(apart))), way)
	}
	return ""
}
