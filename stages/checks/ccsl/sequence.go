package ccsl

import (
	"errors"
	"fmt"
	"strings"
)

// Sequence is a sequence of integers: Prefix, and then Period again and again, if there is one. As gaps it selects
// ticks: the first is number n1, the next n1+n2, and so on. In the notation of binary words `2(1)` is 0 1 (1)ω, and
// `1(4)` is 1 (0001)ω. A Period of [0] means that nothing more is selected, although nothing has died either.
type Sequence struct {
	Prefix, Period []int64
}

// At returns the i-th element, counted from 0; ok is false behind the end.
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
	for _, part := range [][]int64{s.Prefix, s.Period} {
		for _, n := range part {
			if n < 1 && !s.endsSilent() {
				return fmt.Errorf("a gap of %d: ticks of a filter are at least 1 apart", n)
			}
		}
	}
	return nil
}

// ParseWord reads a binary word as Garcés et al. 2011 (section III) write filters, "00(01)": ones select. It
// returns the gaps: 00(01)ω selects a[4], a[6], ... A word whose period has no one stays silent after its prefix;
// one without a period dies with the last tick that it selects.
func ParseWord(word string) (Sequence, error) {
	head, period, has := strings.Cut(word, "(")
	if has {
		var rest string
		if period, rest, has = strings.Cut(period, ")"); !has || rest != "" || period == "" {
			return Sequence{}, fmt.Errorf("word %q: its period must be the last, in one pair of brackets", word)
		}
	}
	var s Sequence
	zeros, err := appendGaps(head, 0, &s.Prefix)
	if err != nil || !has {
		return s, err
	}
	first := len(s.Prefix)
	if zeros, err = appendGaps(period, zeros, &s.Prefix); err != nil {
		return Sequence{}, err
	}
	if len(s.Prefix) == first {
		s.Period = []int64{0}
		return s, nil
	}
	_, err = appendGaps(period, zeros, &s.Period)
	return s, err
}

var errDigit = errors.New("a word is made of the digits 0 and 1")

// appendGaps appends the distance of each one from the one before, with some zeros before the first, and returns
// how many zeros stand at the end.
func appendGaps(digits string, zeros int64, gaps *[]int64) (int64, error) {
	for _, c := range []byte(digits) {
		switch c {
		case '0':
			zeros++
		case '1':
			*gaps = append(*gaps, zeros+1)
			zeros = 0
		default:
			return 0, errDigit
		}
	}
	return zeros, nil
}
