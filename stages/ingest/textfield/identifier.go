package textfield

import "github.com/tracelake/tracelake/schema"

// SplitIdentifier cuts the identifier of a message before the number at its end, such that series and
// decimal number together are the identifier again: leading zeros and digits too many belong to the
// series. The number is schema.NoValue where the identifier ends in no digit.
func SplitIdentifier(id []byte) (series []byte, number int64) {
	start := len(id)
	// Back over the digits at the end, no more than fit 64 bits.
	for start > 0 && len(id)-start < maxDigits && id[start-1]-'0' <= 9 {
		start--
	}
	// Forward over leading zeros, but not over the last digit: the number of m0 is 0.
	for start < len(id)-1 && id[start] == '0' {
		start++
	}
	if start == len(id) {
		return id, schema.NoValue
	}
	for _, c := range id[start:] {
		number = number*10 + int64(c-'0')
	}
	return id[:start], number
}
