package stl

// Fragments are the pieces of the signal, in the order of time.
func (s *Signal) Fragments() []Fragment {
	all := make([]Fragment, len(s.poly))
	for i, p := range s.poly {
		all[i] = Fragment{From: s.at[i], To: s.at[i+1], C: p.c, B: p.b, A: p.a}
	}
	return all
}
