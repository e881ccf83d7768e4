package table

import "github.com/tracelake/tracelake/stages/ingest/textfield"

// timeOf reads a time in a unit of nanoseconds; with unit 0, numbers with a decimal point are seconds and others ns.
func timeOf(s []byte, unit int64) textfield.Reading {
	const want = "a digit or '.' in the time"
	switch {
	// Instants have dates of their own, so no unit applies to them.
	case textfield.IsInstant(s):
		return textfield.Instant(s)
	case unit == 0:
		return textfield.Number(s, 1, textfield.Second, want)
	default:
		return textfield.Number(s, unit, unit, want)
	}
}
