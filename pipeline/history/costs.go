package history

import (
	"context"
	"fmt"
	"math"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// ResolutionNs is added to every cost before its logarithm is taken.
const ResolutionNs = verdicts.ResolutionNs

// Costs are what a subject costs in every run, per root execution in ns, by release. The table history has the medians
// only. Its number is that of ReleaseValue.Series.
func Costs(ctx context.Context, j Job, number int64) ([][]float64, error) {
	o, err := compare.ObserveCosts(ctx, j.Engine, j.paired())
	if err != nil {
		return nil, err
	}
	l := newSeries(&j.Spec, o)
	if number < 1 || number > int64(len(l.subjects)) {
		return nil, fmt.Errorf("no subject %d: there are %d", number, len(l.subjects))
	}
	costs := make([][]float64, l.n)
	for run, y := range l.logCosts(int(number - 1)) {
		costs[l.release[run]] = append(costs[l.release[run]], math.Exp(y)-ResolutionNs)
	}
	return costs, nil
}
