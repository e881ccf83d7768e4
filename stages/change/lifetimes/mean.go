package lifetimes

// Mean is what happens inside a lifetime of one name, as the mean of runs: each run counts once, however many lifetimes it has. The zero value is of no run.
type Mean struct {
	ns   map[Part]float64
	runs float64
}

// Add adds a run. One without lifetimes of the name says nothing.
func (m *Mean) Add(in *Inside) {
	if in.Number() == 0 {
		return
	}
	if m.runs++; m.ns == nil {
		m.ns = make(map[Part]float64)
	}
	for part, ns := range in.Ns {
		m.ns[part] += float64(ns) / float64(in.Number())
	}
}

// Parts returns the ns of every part in one lifetime.
func (m *Mean) Parts() map[Part]float64 {
	parts := make(map[Part]float64, len(m.ns))
	for part, ns := range m.ns {
		parts[part] = ns / m.runs
	}
	return parts
}
