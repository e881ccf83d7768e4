package claimgraph

// Broken is a dependency that a trace does not keep.
type Broken struct {
	Dependency int32 // by position
	ByNs       int64 // how much earlier its target is than it asks for
}

// Satisfied holds a trace against dependencies (Hendriks et al. 2024, Definition 21). times gives the time of a place in the trace,
// if the trace has it: a dependency of which the trace lacks an end asks for nothing. asked counts the others.
func Satisfied(all []Dependency, times func(Place) (ns int64, has bool)) (broken []Broken, asked int) {
	for i, d := range all {
		from, has := times(d.From)
		to, also := times(d.To)
		if !has || !also {
			continue
		}
		asked++
		if by := from + d.WeightNs - to; by > 0 {
			broken = append(broken, Broken{int32(i), by})
		}
	}
	return broken, asked
}

// Waits lists the critical claims of Ends that no critical edge reaches which is a dependency, too (Hendriks et al. 2024, Example 14):
// what they waited for is no application order but a resource. Those at which a critical path begins wait for nothing and are
// not among them. applied are the dependencies of the trace between claims, whatever their weights are.
func (c *Critical) Waits(of *Claims, epsilonNs int64, applied []Dependency) []int32 {
	critical := make([]bool, len(of.StartNs))
	for _, i := range c.Claims {
		critical[i] = true
	}
	ordered := make([]bool, len(of.StartNs))
	for _, d := range applied {
		from, to := d.From.Vertex, d.To.Vertex
		if from == to || !critical[from] || !critical[to] {
			continue
		}
		gap := of.StartNs[to] - of.EndNs[from]
		if gap >= 0 && gap <= epsilonNs && c.FromNs[from]+of.EndNs[from]-of.StartNs[from] == c.FromNs[to] {
			ordered[to] = true
		}
	}
	var waits []int32
	for _, i := range c.Claims {
		if !ordered[i] && c.FromNs[i] > 0 {
			waits = append(waits, i)
		}
	}
	return waits
}
