package signals

// Envelope returns the least and the greatest value of a signal in each of n equal parts of a span, as a picture of that many pixels needs
// it. A part in which the signal has no piece has a least value above its greatest. Limits from the left are included.
func Envelope(s *Signal, over Span, n int) (least, greatest []float64) {
	least, greatest = make([]float64, n), make([]float64, n)
	for i := range n {
		least[i] = 1
	}
	at := func(i int) int64 { return over.FromNs + int64(float64(over.ToNs-over.FromNs)*float64(i)/float64(n)) }
	first := 0 // the part in which the piece begins
	for i := range s.Pieces {
		p := &s.Pieces[i]
		if p.ToNs <= over.FromNs || p.FromNs >= over.ToNs {
			continue
		}
		for first < n-1 && at(first+1) <= p.FromNs {
			first++
		}
		for part := first; part < n && (part == first || at(part) < p.ToNs); part++ {
			of := *p
			if p.degree() > 0 {
				from := max(at(part), p.FromNs)
				of = p.from(from, s.StepNs)
				of.ToNs = max(min(at(part+1), p.ToNs), from+1)
			}
			lo, hi := of.bounds(s.StepNs)
			if least[part] > greatest[part] {
				least[part], greatest[part] = lo, hi
			}
			least[part], greatest[part] = min(least[part], lo), max(greatest[part], hi)
		}
	}
	return least, greatest
}
