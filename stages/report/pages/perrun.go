package pages

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// CommunicationMetrics are those of how fragments wait for others and handle their messages (Hilbig 2023, figure 3.17).
var CommunicationMetrics = []string{"blocked", "waited", "fcn_wait", "sync_handling", "async_handling", "trigger_handling", "event_handling"}

// mostPerRun is of how many metrics of fragments a page has every run, and perRunShare how much of the file they may take.
const (
	mostPerRun  = 2_000
	perRunShare = .05
)

// PerRun are the sums of metrics of communication run by run: what is behind the sums of both sides.
type PerRun struct {
	Runs      []string  `json:"runs"` // those of the baseline, then those of the candidate
	Base      int       `json:"base"` // how many are of the baseline
	Fragments []string  `json:"fragments"`
	Metrics   []string  `json:"metrics"` // by position, as fragments
	TotalsNs  [][]int64 `json:"totals_ns"`
}

// Communication returns the changes that are of metrics of communication of fragments, those of the greatest cost on either side first.
func Communication(changes []schema.Change) (of []*schema.Change) {
	for i := range changes {
		if r := &changes[i]; r.Level == schema.LevelMetric && r.Fragment != "" && slices.Contains(CommunicationMetrics, r.Metric) {
			of = append(of, r)
		}
	}
	cost := func(r *schema.Change) int64 {
		most := int64(0)
		for _, ns := range []*int64{r.CostBaseNs, r.CostCandNs} {
			if ns != nil {
				most = max(most, *ns)
			}
		}
		return most
	}
	slices.SortStableFunc(of, func(x, y *schema.Change) int { return cmp.Compare(cost(y), cost(x)) })
	return of[:min(len(of), mostPerRun)]
}

// add adds the sums, those of the greatest cost first.
func (r *PerRun) add(b *Budget) error {
	return b.AddMost("communication", "metrics of communication without their runs", len(r.Fragments), perRunShare, func(n int) any {
		return &PerRun{r.Runs, r.Base, r.Fragments[:n], r.Metrics[:n], r.TotalsNs[:n]}
	})
}
