package scores

// Share counts how often something holds.
type Share struct{ Hits, Of int } // how often it held, and out of how many

// Add counts one case.
func (s *Share) Add(holds bool) {
	s.Of++
	if holds {
		s.Hits++
	}
}

// Join counts the cases of another share.
func (s *Share) Join(o Share) { s.Hits, s.Of = s.Hits+o.Hits, s.Of+o.Of }

// Rate is the share from 0 to 1, NaN of no cases.
func (s Share) Rate() float64 { return ratio(s.Hits, s.Of) }
