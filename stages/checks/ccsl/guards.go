package ccsl

// guard says whether a relation allows a step, and if not, which clock ticked that must not.
func (m *machine) guard(tick []bool) (culprit ClockID, holds bool) {
	switch m.Kind {
	case Precedence:
		return m.precedes(tick)
	case SubClock:
		return m.Clocks[0], !tick[m.Clocks[0]] || tick[m.Clocks[1]]
	case Coincidence:
		return m.coincide(tick)
	case Exclusion:
		return m.exclude(tick)
	}
	return NoClock, true
}

func (m *machine) precedes(tick []bool) (ClockID, bool) {
	a, b := tick[m.Clocks[0]], tick[m.Clocks[1]]
	if b && m.distance == 0 && (m.Bound.Strict || !a) {
		return m.Clocks[1], false
	}
	if a && m.distance == m.Bound.Max && (m.Bound.StrictMax || !b) {
		return m.Clocks[0], false
	}
	return NoClock, true
}

func (m *machine) coincide(tick []bool) (ClockID, bool) {
	ticking, silent := NoClock, false
	for _, id := range m.Clocks {
		if !tick[id] {
			silent = true
		} else if ticking == NoClock {
			ticking = id
		}
	}
	return ticking, ticking == NoClock || !silent
}

func (m *machine) exclude(tick []bool) (ClockID, bool) {
	ticking := NoClock
	for _, id := range m.Clocks {
		if !tick[id] {
			continue
		}
		if ticking != NoClock {
			return id, false
		}
		ticking = id
	}
	return NoClock, true
}
