package signals

// Named is a signal of a run with its name and the unit of its values, "" for numbers.
type Named struct {
	Name, Unit string
	Signal
}

// Statistics are what a signal is as a whole.
type Statistics struct {
	Pieces          int
	Least, Greatest float64 // limits from the left included
	Mean            float64 // over its domain
	FromNs, ToNs    int64   // its domain
	First           []Piece // as many as were asked for
}

// Statistics reads the signal and returns what it is as a whole, with its first pieces: so many at most; all are 0 for one without pieces.
func (s *Stream) Statistics(first int) (Statistics, error) {
	t := tally{stepNs: s.StepNs, first: first}
	next := s.Open()
	for {
		p, err := next()
		if err != nil {
			return t.all(), unlessEnd(err)
		}
		t.add(p)
	}
}

// Statistics are those of a signal in memory.
func (s *Signal) Statistics() Statistics {
	t := tally{stepNs: s.StepNs}
	for i := range s.Pieces {
		t.add(s.Pieces[i])
	}
	return t.all()
}

// tally adds up the pieces of a signal.
type tally struct {
	Statistics
	stepNs int64
	first  int
	area   exact
}

// add adds the next piece.
func (t *tally) add(p Piece) {
	least, greatest := p.C, p.C
	if p.degree() > 0 {
		least, greatest = p.bounds(t.stepNs)
	}
	if t.Pieces == 0 {
		t.FromNs, t.Least, t.Greatest = p.FromNs, least, greatest
	}
	if t.Pieces++; t.Pieces <= t.first {
		t.First = append(t.First, p)
	}
	t.ToNs, t.Least, t.Greatest = p.ToNs, min(t.Least, least), max(t.Greatest, greatest)
	t.area.addArea(&p, p.ToNs, t.stepNs)
}

// all are the statistics of the pieces so far.
func (t *tally) all() Statistics {
	if t.ToNs > t.FromNs {
		t.Mean = t.area.value() / steps(t.ToNs-t.FromNs, t.stepNs)
	}
	return t.Statistics
}

// bounds are the least and the greatest value of a piece, its limit at the end included.
func (p *Piece) bounds(stepNs int64) (least, greatest float64) {
	if p.degree() == 0 {
		return p.C, p.C
	}
	end := p.from(p.ToNs, stepNs)
	least, greatest = min(p.C, end.C), max(p.C, end.C)
	if x := -p.B / (2 * p.A); p.A != 0 && x > 0 && x < steps(p.ToNs-p.FromNs, stepNs) {
		turn := p.C + x*p.B/2
		least, greatest = min(least, turn), max(greatest, turn)
	}
	return least, greatest
}
