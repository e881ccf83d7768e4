package chrome

import (
	"errors"

	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

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
	if s, ok := e.Short(); ok {
		return e.words.ofShort(s), nil
	}
	s, err := e.text()
	return e.words.of(s), err
}

// letter takes a phase.
func (e *eventReader) letter() (byte, error) {
	s, ok := e.Short()
	if !ok {
		text, err := e.text()
		if err != nil {
			return 0, err
		}
		s, _ = jsontext.NewShort(text)
	}
	if s.Byte() == 0 {
		e.event.wrong = errors.New("expected ph, a letter")
	}
	return s.Byte(), nil
}

// time takes a number of microseconds.
func (e *eventReader) time(want string) (m moment, ok bool, err error) {
	if ns, plain := e.Scaled(wholes); plain {
		return moment{ns: ns}, true, nil
	}
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
