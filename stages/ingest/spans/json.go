package spans

import (
	"errors"
	"io"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// EachText reads the JSON values of a file, one after the other, by a function that takes one. A fault in the JSON ends
// the file and is counted.
func EachText(c *Collector, j *jsontext.Reader, value func() error) error {
	for j.Kind() != jsontext.End {
		err := value()
		if fault := j.Err(); fault != nil {
			return c.fault(j, fault)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fault counts what is wrong with a file of JSON. The caller stops with the error, if there is one.
func (c *Collector) fault(j *jsontext.Reader, err error) error {
	var at *schema.SyntaxError
	if !errors.As(err, &at) {
		return err // of the file, not of what it holds
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return c.Torn(at)
	}
	return c.Bad(at)
}

// Text takes a string or number of JSON. A value of another kind is left, and the text empty.
func Text(j *jsontext.Reader) []byte {
	if k := j.Kind(); k != jsontext.String && k != jsontext.Number {
		return nil
	}
	s, err := j.String()
	if err != nil {
		return nil // it stays in the reader
	}
	return s
}

// Integer takes an integer of JSON, as a number or as a string. Null is no value; anything else is counted as a bad
// record, whose error is to stop with.
func (c *Collector) Integer(j *jsontext.Reader) (v int64, ok bool, err error) {
	if j.Kind() == jsontext.Null {
		return 0, false, nil
	}
	v, err = j.Int()
	if err == nil {
		return v, true, nil
	}
	if j.Err() != nil {
		return 0, false, j.Err()
	}
	return 0, false, c.Bad(j.At(err))
}

// Set takes an array, if that is next, and calls element at each of its values. Anything else is left.
func Set(j *jsontext.Reader, element func() error) error {
	if j.Kind() != jsontext.Array {
		return nil
	}
	return j.Array(element)
}

// Record takes an object, if that is next, and calls member at each of its values. What is no value at all is an error,
// and anything else is left.
func Record(j *jsontext.Reader, member func(name []byte) error) error {
	switch j.Kind() {
	case jsontext.Object:
		return j.Object(member)
	case jsontext.Bad:
		return j.Skip()
	}
	return nil
}

// NsPerUs is how many nanoseconds a microsecond has.
const NsPerUs = 1000

// Micros returns a time in microseconds as nanoseconds, and reports whether it fits.
func Micros(us int64) (ns int64, fits bool) {
	return us * NsPerUs, us <= math.MaxInt64/NsPerUs && us >= math.MinInt64/NsPerUs
}

// Sum returns the end of a span with a start and a duration, and reports whether it fits.
// The sum of two signed numbers has overflowed where it moves against the sign of the second.
func Sum(startNs, durationNs int64) (endNs int64, fits bool) {
	endNs = startNs + durationNs
	return endNs, (durationNs >= 0) == (endNs >= startNs)
}
