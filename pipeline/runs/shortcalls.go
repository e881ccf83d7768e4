package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// OmitShortCalls reports whether the recorder of one of some runs left out calls that were too short for it, as its own totals show.
func OmitShortCalls(l *lake.Lake, names []string) (bool, error) {
	for _, name := range names {
		m, err := l.Manifest("runs", lake.Run(name))
		if err != nil {
			return false, err
		}
		if m != nil && slices.ContainsFunc(m.Losses, func(of schema.Loss) bool { return of.Reason == schema.ShortCall.Name }) {
			return true, nil
		}
	}
	return false, nil
}

// TotalsOfSides reads the totals of the runs of both sides of a comparison: see callTotals.
func TotalsOfSides(ctx context.Context, l *lake.Lake, base, cand []string) (ofBase, ofCand []map[string]int64, err error) {
	for i, run := range slices.Concat(base, cand) {
		totals, err := callTotals(ctx, l, run)
		if err != nil {
			return nil, nil, err
		}
		if i < len(base) {
			ofBase = append(ofBase, totals)
		} else {
			ofCand = append(ofCand, totals)
		}
	}
	return ofBase, ofCand, nil
}

// callTotals reads how many calls of each kind the recorder of a run counted, also those that it did not keep: the last values of the signals
// PROCESS/Total KIND.count, by KIND.
func callTotals(ctx context.Context, l *lake.Lake, run string) (map[string]int64, error) {
	t, err := Things(ctx, l, run)
	if err != nil {
		return nil, fmt.Errorf("the totals of run %s: %w", run, err)
	}
	kinds := make(map[int64]string)
	for _, s := range t.Signals {
		_, total, is := strings.Cut(s.Name, "/Total ")
		if kind, counts := strings.CutSuffix(total, ".count"); is && counts {
			kinds[s.Signal] = kind
		}
	}
	counts := make(map[string]int64)
	for i, signal := range t.Fragments.Signal {
		if kind, is := kinds[signal]; is {
			counts[kind] += int64(t.Fragments.C[i])
		}
	}
	return counts, nil
}
