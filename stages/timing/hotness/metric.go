package hotness

import "math"

// Metric makes one number of the load of a component. The greatest number is 100, and the others are linear between that and the least.
type Metric struct {
	Word string // in addresses
	Name string // for people
	Doc  string // what is hot, in half a line
	// Of is the number of a load that has executions; real says that real times are asked for, where that makes a difference.
	Of func(l Load, real bool) float64
	// FromLeast says that a hotness of 0 is the least number of any component that executes; else it is the number 0.
	FromLeast bool
	// Grows says that the number grows with the length of a window.
	Grows bool
	// Lacks says that a load has no such number, though it has executions; nil: it always has.
	Lacks func(l Load) bool
	// Paths says that the number is of critical paths, which not every run has. They also lead over components of which nothing executes: one that
	// is idle, or a message on its way.
	Paths bool
}

// Metrics lists the metrics: those of the thesis, then ours. A new one is a line.
func Metrics() []Metric {
	return []Metric{
		{Word: "overall", Name: "Overall", Doc: "the sum of execution times", Of: overall, Grows: true},
		{Word: "mean", Name: "Mean", Doc: "the mean execution time", Of: mean},
		{Word: "normalised", Name: "Normalised mean", Doc: "the mean execution time; the least mean is 0", Of: mean, FromLeast: true},
		{Word: "self", Name: "Self time", Doc: "the sum of real times, whichever times are shown", Of: func(l Load, _ bool) float64 { return overall(l, true) }, Grows: true},
		{Word: "calls", Name: "Calls", Doc: "how many executions there are", Of: func(l Load, _ bool) float64 { return float64(l.Calls) }, Grows: true},
		{Word: "p95", Name: "95th percentile", Doc: "the time that 95 % of the executions stay below", Of: func(l Load, _ bool) float64 { return float64(l.P95Ns) }, Lacks: func(l Load) bool { return l.P95Ns == 0 }},
		{Word: "critical", Name: "Share of critical paths", Doc: "the share of the time of all critical paths, cut to the window", Of: share, Lacks: func(l Load) bool { return l.PathsNs == 0 }, Paths: true},
	}
}

func overall(l Load, real bool) float64 {
	if real {
		return float64(l.SelfNs)
	}
	return float64(l.BusyNs)
}

func mean(l Load, real bool) float64 { return overall(l, real) / float64(l.Calls) }

// share is the share of critical paths; 0 where there are none.
func share(l Load, _ bool) float64 {
	if l.PathsNs == 0 {
		return 0
	}
	return float64(l.CriticalNs) / float64(l.PathsNs)
}

// has reports whether a load has a number.
func (m Metric) has(l Load) bool { return l.Calls > 0 || m.Paths }

// MetricOf finds a metric by its word.
func MetricOf(word string) (Metric, bool) {
	for _, m := range Metrics() {
		if m.Word == word {
			return m, true
		}
	}
	return Metric{}, false
}

// Hotness is the hotness of every component, from 0 to 100, rounded to the nearest whole number (the thesis rounds to zero, and says that this
// makes an error). A component that executes nothing has 0, unless critical paths lead over it.
func (m Metric) Hotness(loads []Load, real bool) []int {
	most, least := 0.0, math.Inf(1)
	for _, l := range loads {
		if m.has(l) {
			v := m.Of(l, real)
			most, least = max(most, v), min(least, v)
		}
	}
	if !m.FromLeast || least == most { // of a single component nothing is the least
		least = 0
	}
	hot := make([]int, len(loads))
	for i, l := range loads {
		if m.has(l) && most > least {
			hot[i] = int(math.Round(100 * (m.Of(l, real) - least) / (most - least)))
		}
	}
	return hot
}
