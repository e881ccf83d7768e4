package tmsct

import (
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// number returns the end of the number at text[at]: digits, decimals, and an exponent, which needs a sign.
func (s *scanner) number(at int) int {
	at = s.digits(at)
	if at < len(s.text) && s.text[at] == '.' && s.digit(at+1) {
		at = s.digits(at + 1)
	}
	// Without a sign an e would begin an identifier, such as in "2 e".
	if at+1 < len(s.text) && s.text[at] == 'e' && (s.text[at+1] == '+' || s.text[at+1] == '-') && s.digit(at+2) {
		at = s.digits(at + 2)
	}
	return at
}

// digits returns the end of the digits at text[at].
func (s *scanner) digits(at int) int {
	for s.digit(at) {
		at++
	}
	return at
}

// nanoseconds is a number of seconds without a sign in nanoseconds, digit by digit; what is finer is cut off.
// It is not ok when it does not fit 64 bits.
func nanoseconds(text string) (ns int64, ok bool) {
	mantissa, power, _ := strings.Cut(text, "e")
	exponent, err := strconv.Atoi(power)
	if err != nil && power != "" { // it does not fit
		exponent = math.MaxInt32
		if power[0] == '-' {
			exponent = math.MinInt32
		}
	}
	// The digits of the mantissa without the point; the exponent moves the point.
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	// The clamp keeps the sum in the loop's bound from wrapping.
	exponent = max(min(exponent, math.MaxInt32), math.MinInt32)
	// One step for each digit down to the ninth decimal, zeros after the last one written; a number that is 0 so far
	// and has no more digits stays 0, whatever its exponent.
	for i := range max(0, len(whole)+exponent+9) {
		digit := int64(0)
		if i < len(digits) {
			digit = int64(digits[i] - '0')
		} else if ns == 0 {
			break
		}
		if ns > (math.MaxInt64-digit)/10 {
			return 0, false
		}
		ns = ns*10 + digit
	}
	return ns, true
}

// instantShape is a date and time: a digit for each zero, and punctuation that may be left out.
const instantShape = "0000-00-00T00:00:00"

// instantLength is the length of the date and time that the text begins with, 0 where it does not.
func instantLength(text string) int {
	at := 0
	for i := range len(instantShape) {
		c := byte(0)
		if at < len(text) {
			c = text[at]
		}
		// Punctuation between digits may be missing (20231114T221320Z), digits and T may not.
		switch want := instantShape[i]; {
		case want == '0' && c-'0' <= 9 || want == c:
			at++
		case want != '-' && want != ':':
			return 0
		}
	}
	// Decimals of a second, as many as there are.
	if at+1 < len(text) && text[at] == '.' && text[at+1]-'0' <= 9 {
		for at++; at < len(text) && text[at]-'0' <= 9; at++ {
		}
	}
	zone := zoneLength(text[at:])
	if zone == 0 {
		return 0
	}
	return at + zone
}

// zoneLength is the length of the "Z" or offset that the text begins with, 0 where it does not.
func zoneLength(text string) int {
	const offset = "+0000"
	if strings.HasPrefix(text, "Z") {
		return 1
	}
	at := 0
	for i := range len(offset) {
		switch {
		case at == len(text):
			return 0
		case i == 0 && (text[at] == '+' || text[at] == '-') || i > 0 && text[at]-'0' <= 9:
			at++
		case i == 3 && text[at] == ':' && at+1 < len(text) && text[at+1]-'0' <= 9:
			at += 2
		default:
			return 0
		}
	}
	return at
}

// readInstant is a date and time in nanoseconds since the epoch.
func readInstant(text string) textfield.Reading {
	full := make([]byte, 0, len(text)+4)
	for i := range len(instantShape) {
		// Put the missing punctuation back, so that textfield reads one form.
		if c := instantShape[i]; (c == '-' || c == ':') && text[0] != c {
			full = append(full, c)
		} else {
			full = append(full, text[0])
			text = text[1:]
		}
	}
	return textfield.Instant(append(full, text...))
}
