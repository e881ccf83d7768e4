package ltsdiff

// Compare is the difference of automata in the order of their sides. The first two are matched and merged,
// then the result and the third, and so on; it is rewritten once, at the end. An automaton without
// states stands for something that a side does not have.
func Compare(match Matcher, automata ...*Automaton) (*Difference, error) {
	if len(automata) == 0 {
		return &Difference{}, nil
	}
	d := Only(automata[0])
	sofar := automata[0]
	for _, a := range automata[1:] {
		var err error
		if d, err = Merge(d, a, match(sofar, a)); err != nil {
			return nil, err
		}
		if d.Sides < len(automata) {
			if sofar, err = d.Automaton(); err != nil {
				return nil, err
			}
		}
	}
	d.Rewrite()
	return d, nil
}
