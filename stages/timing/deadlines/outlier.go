package deadlines

// outlier is a constraint whose bound is greater than usual.
type outlier struct {
	constraint  int32 // its number in the chart
	thresholdNs int64
	excessNs    int64 // bound less threshold
	known       bool  // occurrences in time have constraints of its kind
}

// outliers are those of a chart, in the order of its constraints.
func (r *Reference) outliers(o *Occurrence, c *chart) []outlier {
	var found []outlier
	for i, bound := range c.boundNs {
		e := &o.Edges[c.edge[i]]
		if limit, known := r.Threshold(e.Key, o.crosses(e)); bound > limit {
			found = append(found, outlier{int32(i), limit, bound - limit, known})
		}
	}
	return found
}
