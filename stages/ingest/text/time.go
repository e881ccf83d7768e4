package text

import (
	"math/bits"

	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// parseTime reads any time of the dialect: whole numbers of the thesis are ns and decimals seconds; tmsctrace counts seconds,
// or has an instant of ISO 8601.
func (p *parser) parseTime(s []byte) textfield.Reading {
	const want = "a digit, '.' or a blank in the time"
	switch {
	case p.dialect == thesis:
		return textfield.Number(s, 1, textfield.Second, want)
	case textfield.IsInstant(s):
		return textfield.Instant(s)
	default:
		return textfield.Number(s, textfield.Second, textfield.Second, want)
	}
}

// nineDecimals reads the usual time, up to seven digits of seconds and nine decimals, and returns where
// the field after it begins. It returns 0 there for any other time. A line has at least 18 bytes.
func nineDecimals(line []byte) (ns int64, next int) {
	w := word(line)
	dot := bits.TrailingZeros64(find(w, '.')) >> 3
	if dot == 0 || dot == 8 || line[dot+10] != ' ' {
		return 0, 0
	}
	// Seconds move to the upper bytes, zeros fill the lower ones; the ninth decimal does not fit the second word.
	shift := uint(64 - 8*dot)
	whole := w<<shift | zeros>>(64-shift)
	decimals, last := word(line[dot+1:]), uint64(line[dot+9]-'0')
	if others(whole)|others(decimals) != 0 || last > 9 {
		return 0, 0
	}
	return int64(number(whole)*textfield.Second + number(decimals)*10 + last), dot + 11
}
