package signals

// Named is a signal of a run with its name and the unit of its values, "" for numbers.
type Named struct {
	Name, Unit string
	Signal
}

// Statistics are what a signal is as a whole.
type Statistics struct {
	Least, Greatest float64 // limits from the left included
	Mean            float64 // over its domain
}

// Statistics returns those of a signal; all are 0 for one without pieces.
func (s *Signal) Statistics() (st Statistics) {
	if len(s.Pieces) == 0 {
		return st
	}
	st = s.bounds()
	g := newIntegral(s)
	from, to := s.Domain()
	g.reach(to)
	st.Mean = g.done.value() / steps(to-from, s.StepNs)
	return st
}

// bounds are the least and the greatest value of a signal that has pieces.
func (s *Signal) bounds() (st Statistics) {
	st.Least, st.Greatest = s.Pieces[0].C, s.Pieces[0].C
	for i := range s.Pieces {
		p := &s.Pieces[i]
		if p.degree() == 0 {
			st.Least, st.Greatest = min(st.Least, p.C), max(st.Greatest, p.C)
			continue
		}
		end := p.from(p.ToNs, s.StepNs)
		st.Least, st.Greatest = min(st.Least, p.C, end.C), max(st.Greatest, p.C, end.C)
		if x := -p.B / (2 * p.A); p.A != 0 && x > 0 && x < steps(p.ToNs-p.FromNs, s.StepNs) {
			turn := p.C + x*p.B/2
			st.Least, st.Greatest = min(st.Least, turn), max(st.Greatest, turn)
		}
	}
	return st
}
