package runs

import (
	"context"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// FragmentMetric names a metric of a fragment.
type FragmentMetric struct{ Fragment, Metric string }

// MetricTotals reads the sums of metrics in several runs from their table summaries: by run, in nanoseconds, those at the positions that wanted has for
// them. A run that never measured one has 0 of it. Where fragments have other names in some runs, names share a position.
func MetricTotals(ctx context.Context, l *lake.Lake, runs []string, wanted map[FragmentMetric]int, positions int) ([][]int64, error) {
	all := make([][]int64, len(runs))
	for i, run := range runs {
		all[i] = make([]int64, positions)
		m, err := l.Manifest("summaries", lake.Run(run))
		if err != nil {
			return nil, err
		}
		if m == nil {
			return nil, fmt.Errorf("run %s has no summaries: make them with analyze run %s", run, run)
		}
		c := &metricColumns{names: new(schema.Dictionary)}
		err = l.Scan(ctx, m.Files, c, lake.ScanOptions{}, func() error {
			for k := range c.fragment {
				if at, is := wanted[FragmentMetric{c.names.Name(c.fragment[k]), c.names.Name(c.metric[k])}]; is {
					all[i][at] += c.totalNs[k]
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("the metrics of run %s: %w", run, err)
		}
	}
	return all, nil
}

// metricColumns are the columns of summaries that say how much of a metric a fragment has. Rows that are of no metric of a fragment have a null in one of them.
type metricColumns struct {
	names            *schema.Dictionary
	fragment, metric []schema.Code
	totalNs          []int64
}

// Columns implements schema.Columns.
func (c *metricColumns) Columns() []schema.Column {
	return []schema.Column{
		schema.Strings("fragment", &c.fragment, c.names).OrNull(), schema.Strings("metric", &c.metric, c.names).OrNull(), schema.Ints("total_ns", &c.totalNs),
	}
}
