package evaluate

// Setting is how many runs a side has.
type Setting struct {
	Name       string
	Base, Cand int
	Same       bool // the candidate is a changed copy of the baseline
}

// settings are those for which there are runs enough.
func settings(runs int) (all []Setting) {
	for _, s := range []Setting{
		{"same trace", 1, 1, true}, {"1 v 1", 1, 1, false}, {"3 v 1", 3, 1, false}, {"3 v 3", 3, 3, false}, {"5 v 5", 5, 5, false},
	} {
		if s.Same || s.Base+s.Cand <= runs {
			all = append(all, s)
		}
	}
	return all
}
