package ccsl

import "strings"

// A filter is a binary word in the paper of Garcés, Deantoni and Mallet 2011 (section III): 00(01) selects every tick at whose
// place stands a 1, without end where the word has a period in brackets. TimeSquare writes gaps between these ticks instead, as
// in 4(2), the gap before the first one included. Both are sequences of digits; a number that begins with 0 and has more digits is no gap,
// and makes the whole sequence a word.

// isBinary reports whether a number can only be of a binary word.
func isBinary(number string) bool { return len(number) > 1 && number[0] == '0' }

// gapsOf returns the gaps between the ticks that a word selects. Ok is false where it has other digits, or selects nothing.
func gapsOf(prefix, period string) (gaps Sequence, ok bool) {
	if strings.Trim(prefix+period, "01") != "" {
		return Sequence{}, false
	}
	// The period once is part of the prefix, since its first gap begins in what stands before it.
	since := int64(0)
	for _, digit := range prefix + period {
		if since++; digit == '1' {
			gaps.Prefix = append(gaps.Prefix, since)
			since = 0
		}
	}
	// From then on each gap begins at the last 1 of a period, as far before its end as since says.
	if strings.Contains(period, "1") {
		for _, digit := range period {
			if since++; digit == '1' {
				gaps.Period = append(gaps.Period, since)
				since = 0
			}
		}
	}
	return gaps, len(gaps.Prefix) > 0
}
