package ccsl

import (
	"fmt"
	"slices"
	"strings"
)

// Sequence is a sequence of integers: Prefix, and then Period again and again, if there is one. As gaps it selects
// ticks: the first is number n1, the next n1+n2, and so on. In the notation of binary words `2(1)` is 0 1 (1)ω, and
// `1(4)` is 1 (0001)ω. A Period of [0] means that nothing more is selected, although nothing has died either.
type Sequence struct {
	Prefix, Period []int64 // elements, each at least 0; an empty Period ends it
}

// At returns the i-th element, counted from 0; ok is false behind the end.
// It takes constant time, so that a sequence is never unrolled.
func (s Sequence) At(i int64) (int64, bool) {
	if i < int64(len(s.Prefix)) {
		return s.Prefix[i], true
	}
	if len(s.Period) == 0 {
		return 0, false
	}
	return s.Period[(i-int64(len(s.Prefix)))%int64(len(s.Period))], true
}

// String writes the sequence as TimeSquare does: "2;3(1;4)".
func (s Sequence) String() string {
	var b strings.Builder
	list := func(of []int64) {
		for i, n := range of {
			if i > 0 {
				b.WriteByte(';')
			}
			fmt.Fprint(&b, n)
		}
	}
	list(s.Prefix)
	if len(s.Period) > 0 {
		b.WriteByte('(')
		list(s.Period)
		b.WriteByte(')')
	}
	return b.String()
}

// endsSilent reports whether the sequence ends in silence rather than in death.
func (s Sequence) endsSilent() bool { return len(s.Period) == 1 && s.Period[0] == 0 }

// checkGaps returns an error if the sequence cannot select ticks.
func (s Sequence) checkGaps() error {
	// A gap of 0 is allowed only where it is the whole period.
	for _, n := range slices.Concat(s.Prefix, s.Period) {
		if n < 1 && !s.endsSilent() {
			return fmt.Errorf("a gap of %d: ticks of a filter are at least 1 apart", n)
		}
	}
	return nil
}
