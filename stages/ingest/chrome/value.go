package chrome

import "errors"

// text takes a string or number; a value of another kind is left, to be skipped.
func (e *eventReader) text() ([]byte, error) {
	s, err := e.String()
	if err != nil {
		return nil, e.Err()
	}
	return s, nil
}

// word takes a string or number as a word, noWord where it is neither or empty.
func (e *eventReader) word() (word, error) {
	s, err := e.text()
	if len(s) == 0 {
		return noWord, err
	}
	return e.words.of(s), nil
}

// again is word for what is often the same as the time before.
func (e *eventReader) again(last *recent) (word, error) {
	s, err := e.text()
	if len(s) == 0 {
		return noWord, err
	}
	if string(s) != last.text {
		last.known = e.words.of(s)
		last.text = e.words.texts[last.known]
	}
	return last.known, nil
}

// letter takes a phase.
func (e *eventReader) letter() (byte, error) {
	s, err := e.text()
	if len(s) == 1 {
		return s[0], nil
	}
	if err == nil {
		e.event.wrong = errors.New("expected ph, a letter")
	}
	return 0, err
}

// time takes a number of microseconds.
func (e *eventReader) time(want string) (m moment, ok bool, err error) {
	s, err := e.text()
	m, good, fits := microseconds(s)
	switch {
	case err != nil:
		return m, false, err
	case !good:
		if e.event.wrong == nil {
			e.event.wrong = errors.New(want)
		}
		return m, false, nil
	}
	e.event.overflow = e.event.overflow || !fits
	return m, true, nil
}

// identifier takes an id.
func (e *eventReader) identifier(local bool) error {
	s, err := e.text()
	if len(s) > 0 {
		e.event.id, e.event.hasID, e.event.isLocal = e.words.hashOf(s), true, local
	}
	return err
}
