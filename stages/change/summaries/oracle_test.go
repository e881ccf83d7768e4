package summaries_test

import (
	"cmp"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// heap are the values of a subject, which is a row without its figures.
type heap struct {
	of        schema.Summary
	count     int64
	values    []int64
	arrivalNs int64
}

// key distinguishes and orders rows.
func key(s *schema.Summary) string {
	k := map[string]string{schema.LevelTransition: "1", schema.LevelMetric: "2", schema.LevelMessage: "3"}[s.Level]
	for _, part := range []string{s.Component, s.Peer, s.Function, s.Fragment, s.Metric} {
		k += "\x00" + part
	}
	if s.Transition != nil {
		k += string(rune('0' + *s.Transition))
	}
	return k
}

// heaps is all that the tables say, by the letter.
func (in *tables) heaps() map[string]*heap {
	all := make(map[string]*heap)
	put := func(of schema.Summary, ns int64) {
		h := all[key(&of)]
		if h == nil {
			h = &heap{of: of}
			all[key(&of)] = h
		}
		h.count++
		if ns != schema.NoValue {
			h.values = append(h.values, ns)
		}
	}
	n := in.samples.Names
	for i, f := range in.samples.Fragment {
		name := n.Fragments.Name(f)
		k := slices.IndexFunc(in.fragments, func(f schema.Fragment) bool { return f.Fragment == name })
		put(schema.Summary{Level: schema.LevelTransition, Component: in.fragments[k].Component, Fragment: name, Transition: &in.samples.Transition[i]}, in.samples.SincePreviousNs[i])
		all[key(&schema.Summary{Level: schema.LevelTransition, Component: in.fragments[k].Component, Fragment: name, Transition: &in.samples.Transition[i]})].arrivalNs += in.samples.SinceStartNs[i]
	}
	for i, m := range in.metrics.Metric {
		put(schema.Summary{
			Level: schema.LevelMetric, Component: n.Components.Name(in.metrics.Component[i]),
			Fragment: n.Fragments.Name(in.metrics.Fragment[i]), Metric: schema.MetricWords[m],
		}, in.metrics.ValueNs[i])
	}
	c := in.constraints
	for i, target := range c.Target {
		if c.Kind[i] == schema.OnLifeline {
			continue
		}
		late, transit := int64(0), c.DurationNs[i]
		for k := range c.Target {
			lifeline := c.DurationNs[k]
			if c.Target[k] == target && c.Kind[k] == schema.OnLifeline && lifeline != schema.NoValue && transit != schema.NoValue {
				late, transit = max(0, transit-lifeline), min(transit, lifeline)
			}
		}
		if transit == schema.NoValue {
			late = schema.NoValue
		}
		of := schema.Summary{Level: schema.LevelMessage, Component: n.Components.Name(c.Component[i]), Peer: n.Components.Name(c.Sender[i]), Function: n.Functions.Name(c.Function[i])}
		of.Metric = schema.Lateness
		put(of, late)
		of.Metric = schema.Transit
		put(of, transit)
	}
	return all
}

// estimate is a quantile as Harrell and Davis write it: the mean of the order statistics, weighted by the cells of a
// Beta distribution.
func estimate(values []int64, p float64) (q float64) {
	n := float64(len(values))
	d := distuv.Beta{Alpha: (n + 1) * p, Beta: (n + 1) * (1 - p)}
	for i, v := range values {
		q += float64(v) * (d.CDF(float64(i+1)/n) - d.CDF(float64(i)/n))
	}
	return q
}

func near(got *float64, want float64) bool {
	return got != nil && math.Abs(*got-want) <= 1e-6*max(1, math.Abs(want))
}

// check compares a row with the values that it is of.
func check(t *testing.T, s *schema.Summary, h *heap) {
	t.Helper()
	slices.Sort(h.values)
	n := len(h.values)
	if s.ArrivalNs != h.arrivalNs {
		t.Fatalf("%q: arrives after %d in all, want %d", key(s), s.ArrivalNs, h.arrivalNs)
	}
	if s.Count != h.count || s.N != int64(n) {
		t.Fatalf("%q: %d and %d, want %d and %d", key(s), s.Count, s.N, h.count, n)
	}
	if (s.Q95Ns != nil) != (n >= 200) || (s.Q99Ns != nil) != (n >= 1000) {
		t.Fatalf("%q: of %d values 95 %%: %v, 99 %%: %v", key(s), n, s.Q95Ns, s.Q99Ns)
	}
	if n == 0 {
		if s.TotalNs != 0 || s.MinNs != nil || s.MaxNs != nil || slices.ContainsFunc(deciles(s), func(q *float64) bool { return q != nil }) {
			t.Fatalf("%q has figures of nothing", key(s))
		}
		return
	}
	sum := new(big.Int)
	for _, v := range h.values {
		sum.Add(sum, big.NewInt(v))
	}
	if !sum.IsInt64() || s.TotalNs != sum.Int64() || *s.MinNs != h.values[0] || *s.MaxNs != h.values[n-1] {
		t.Fatalf("%q: total %d, %d to %d; want %v, %d to %d", key(s), s.TotalNs, *s.MinNs, *s.MaxNs, sum, h.values[0], h.values[n-1])
	}
	for i, q := range deciles(s) {
		if want := estimate(h.values, float64(i+1)/10); !near(q, want) {
			t.Fatalf("%q: decile %d of %v is %v, want %v", key(s), i+1, h.values, *q, want)
		}
	}
	if n >= 200 && !near(s.Q95Ns, estimate(h.values, .95)) || n >= 1000 && !near(s.Q99Ns, estimate(h.values, .99)) {
		t.Fatalf("%q: an upper quantile of %d values", key(s), n)
	}
}

// Every row is what its values say, there is one for every subject, and rows are in order.
func TestByTheLetter(t *testing.T) {
	for seed := range int64(200) {
		in := random(rand.New(rand.NewSource(seed)))
		rows, want := in.summarise(), in.heaps()
		expect.Equal(expect.Must(t), len(rows), len(want), "seed %d: rows", seed)
		for i := range rows {
			h := want[key(&rows[i])]
			if h == nil {
				t.Fatalf("seed %d: %q is of nothing", seed, key(&rows[i]))
			}
			check(t, &rows[i], h)
		}
		if !slices.IsSortedFunc(rows, func(a, b schema.Summary) int { return cmp.Compare(order(&a), order(&b)) }) {
			t.Fatalf("seed %d: not in order", seed)
		}
	}
}

// order is key, but for rows whose order is that of another table.
func order(s *schema.Summary) string {
	if s.Level == schema.LevelMetric {
		return "2"
	}
	return key(s)
}

// Upper quantiles begin at 200 and at 1,000 values.
func TestUpperQuantiles(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, n := range []int{199, 200, 999, 1000, 2500} {
		for _, most := range []int64{1, 1e6} { // equal values, and others
			names := new(schema.Names)
			in := &tables{samples: schema.NewSamples(names), metrics: schema.NewMetrics(names), constraints: schema.NewConstraints(names)}
			in.fragments = []schema.Fragment{{Fragment: "c.f", Component: "c"}}
			f := names.Fragments.Code("c.f")
			in.sample(f, 3, schema.NoValue)
			for range n {
				in.sample(f, 3, 7+rng.Int63n(most))
			}
			rows := in.summarise()
			expect.Equal(expect.Must(t), len(rows), 1, "rows")
			check(t, &rows[0], in.heaps()[key(&rows[0])])
		}
	}
}

// A sum is exact while it is in range, whatever it passes through, and the end that it leaves by beyond.
func TestTotal(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		values []int64
		want   int64
	}{
		{[]int64{most, most, -most, -most, 5}, 5},
		{[]int64{most, 1, -1}, most},
		{[]int64{most, 1}, most},
		{[]int64{most, most, most, -most}, most},
		{[]int64{-most, -1}, math.MinInt64},
		{[]int64{-most, -2}, math.MinInt64},
		{[]int64{-most, -most, -most, most}, math.MinInt64},
		{[]int64{-1, -2}, -3},
	} {
		names := new(schema.Names)
		in := &tables{samples: schema.NewSamples(names), metrics: schema.NewMetrics(names), constraints: schema.NewConstraints(names)}
		for _, v := range c.values {
			in.span(names.Components.Code("c"), schema.NoCode, schema.Downtime, v)
		}
		expect.Equal(t, in.summarise()[0].TotalNs, c.want, "total of %d", c.values)
	}
}
