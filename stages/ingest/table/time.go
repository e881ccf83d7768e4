package table

import "github.com/tracelake/tracelake/stages/ingest/field"

// timeOf reads a time of which one is so many nanoseconds; 0 to tell by the decimal point.
func timeOf(s []byte, unit int64) field.Reading {
	const want = "a digit or '.' in the time"
	switch {
	case field.IsInstant(s):
		return field.Instant(s)
	case unit == 0:
		return field.Number(s, 1, field.Second, want)
	default:
		return field.Number(s, unit, unit, want)
	}
}
