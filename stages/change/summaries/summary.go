package summaries

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// The least numbers of values for the upper quantiles: ten of them are expected above.
const (
	q95From = 200
	q99From = 1000
)

// subject is what a summary is about; its other fields are left to summarise.
type subject = schema.Summary

// Of returns what the values of something come to, in ns. It sorts them. Count is how often it happened, with a value or without.
func Of(count int64, values []int64, estimate *stats.Estimator) schema.Summary {
	return summarise(subject{}, count, values, estimate)
}

// summarise fills in what the values of a subject come to, in ns. It sorts them. Count is how often the subject
// happened, with a value or without.
func summarise(of subject, count int64, values []int64, estimate *stats.Estimator) schema.Summary {
	s, n := of, len(values)
	s.Count, s.N = count, int64(n)
	if n == 0 {
		return s
	}
	stats.SortInts(values)
	least, most := values[0], values[n-1]
	s.TotalNs, s.MinNs, s.MaxNs = sampletests.SumOf(values).Int64(), &least, &most
	if least == most {
		values = values[:1] // what every mean of them is, without the weights
	}
	deciles := estimate.Deciles(values)
	for i, q := range []**float64{&s.Q10Ns, &s.Q20Ns, &s.Q30Ns, &s.Q40Ns, &s.Q50Ns, &s.Q60Ns, &s.Q70Ns, &s.Q80Ns, &s.Q90Ns} {
		*q = &deciles[i]
	}
	if n >= q95From {
		s.Q95Ns = quantile(values, .95, estimate)
	}
	if n >= q99From {
		s.Q99Ns = quantile(values, .99, estimate)
	}
	return s
}

func quantile(sorted []int64, p float64, estimate *stats.Estimator) *float64 {
	q := estimate.HarrellDavis(sorted, p)
	return &q
}
