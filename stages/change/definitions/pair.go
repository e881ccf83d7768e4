package definitions

// Hit is an event that begins or ends samples of a metric, or both.
type Hit struct {
	TimeNs   int64
	Lifeline uint32
	From, To bool
}

// Samples returns the times between the events of a metric, which are in the order of the trace, in the order in which they end.
// An event that does both ends a sample before it begins the next one. Memory is that of the samples and of what waits.
func (m *Metric) Samples(hits []Hit) (values []int64) {
	waiting := make(map[uint32][]int64) // by lifeline: when its first events were, oldest first
	for _, h := range hits {
		at := h.Lifeline
		if !m.PerLifeline {
			at = 0
		}
		if h.To {
			for begun := waiting[at]; len(begun) > 0; begun = waiting[at] {
				waiting[at] = begun[1:]
				// What takes too long was never answered, and this may still be the answer to the next one.
				if took := h.TimeNs - begun[0]; m.WithinNs == 0 || took <= m.WithinNs {
					values = append(values, took)
					break
				}
			}
		}
		if h.From {
			if !m.InOrder {
				waiting[at] = waiting[at][:0]
			}
			waiting[at] = append(waiting[at], h.TimeNs)
		}
	}
	return values
}
