package functionchanges

import "github.com/tracelake/tracelake/stages/change/stats"

// withholdOneSided makes functions that appeared or vanished sporadic where chance may do that: others that are called as often are in some runs
// and not in others.
func (r *Result) withholdOneSided(costs [][]Cost, d Design, o Options) {
	level, _ := o.Levels(d.Pairs(len(costs[0])))
	presence := stats.NewPresence(d.Base, len(costs[0])-d.Base)
	for _, row := range costs {
		presence.Add(takenBy(row, d.Base))
	}
	for i, row := range costs {
		if c := &r.Changes[i]; c.State == Appeared || c.State == Vanished {
			if _, _, calls := takenBy(row, d.Base); presence.Rate(calls) > level {
				c.State = Sporadic
			}
		}
	}
}

// takenBy counts the runs of each side that have a function, and returns how often these call it.
func takenBy(runs []Cost, ofBase int) (base, cand int, calls float64) {
	for i := range runs {
		switch {
		case runs[i].TotalNs <= 0:
			continue
		case i < ofBase:
			base++
		default:
			cand++
		}
		calls += runs[i].Calls
	}
	return base, cand, calls / float64(max(base+cand, 1))
}
