package functionchanges

import "math"

// Cost is what the calls of a function cost in one run. Times are own time in ns.
type Cost struct {
	Calls     float64 // how many
	InRun     float64 // the same in the whole run, where costs are per root execution; 0: as Calls says
	TotalNs   float64 // of all calls together
	LongestNs float64 // of these, that of the longest call
	Q10Ns     float64 // first decile of a call
	Q25Ns     float64 // lower quartile of a call
	MedianNs  float64 // of a call
	GeoNs     float64 // geometric mean of a call
}

// Estimate names a way to say what a function costs in a run.
type Estimate int

// The estimates. All but Linear are compared as logarithms. Quantiles and the geometric mean are multiplied by the number of
// calls, so that all of them estimate the cost of a run.
const (
	Total     Estimate = iota // the total: what a change of few calls shows in
	Linear                    // the total, not as a logarithm: a wait that is sometimes short keeps its weight
	Median                    // of a call
	Quartile                  // the lower one of a call: calls that were preempted leave it alone
	Decile                    // the first one of a call
	Geometric                 // the geometric mean of a call
	estimates = iota
)

// String returns the name of the estimate as reports and tables have it.
func (e Estimate) String() string {
	return [...]string{"total", "linear total", "median", "lower quartile", "first decile", "geometric mean"}[e]
}

// PerCall reports whether the estimate describes a typical call, so that a change of it means that every call changed.
func (e Estimate) PerCall() bool { return e >= Median }

// log returns the logarithm of the cost of a run in ns by an estimate; below 1 ns it is 0.
func (c *Cost) log(e Estimate) float64 {
	v := c.TotalNs
	switch e {
	case Median:
		v = c.Calls * c.MedianNs
	case Quartile:
		v = c.Calls * c.Q25Ns
	case Decile:
		v = c.Calls * c.Q10Ns
	case Geometric:
		v = c.Calls * c.GeoNs
	}
	return math.Log(max(v, 1))
}
