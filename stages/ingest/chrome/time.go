package chrome

// moment is a time or duration: nanoseconds, and billionths of one, from 0 up, that are cut off in the end.
type moment struct {
	ns   int64
	atto int64
}

const (
	attos     = 1_000_000_000 // in a nanosecond
	maxDigits = 18            // that always fit 64 bits
	wholes    = 3             // digits from microseconds to nanoseconds
	finest    = wholes + 9    // digits behind the point of microseconds that are looked at
)

// plus is the sum of two moments.
func (m moment) plus(d moment) (sum moment, ok bool) {
	carry := (m.atto + d.atto) / attos
	sum.atto = (m.atto + d.atto) % attos
	sum.ns = m.ns + d.ns + carry
	return sum, d.ns < 0 || sum.ns >= m.ns
}

// microseconds reads a number of microseconds with sign, decimals and exponent. It says whether it is one, and whether
// it fits.
func microseconds(s []byte) (m moment, good, fits bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	v, n := int64(0), 0
	for n < len(s) && n < maxDigits-wholes && s[n]-'0' <= 9 {
		v = v*10 + int64(s[n]-'0')
		n++
	}
	if n == 0 {
		return moment{}, false, false
	}
	m.ns = v * 1000
	if n == len(s) {
		return m.signed(negative), true, true
	}
	if s[n] != '.' {
		return general(s, negative)
	}
	unit, i := int64(100*attos), n+1
	fraction := int64(0) // in billionths of a nanosecond
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		fraction += int64(s[i]-'0') * unit
		unit /= 10
	}
	if i < len(s) || i == n+1 {
		return general(s, negative)
	}
	m.ns += fraction / attos
	m.atto = fraction % attos
	return m.signed(negative), true, true
}

// signed is a moment or the opposite one.
func (m moment) signed(negative bool) moment {
	switch {
	case !negative:
		return m
	case m.atto > 0:
		return moment{-m.ns - 1, attos - m.atto}
	}
	return moment{-m.ns, 0}
}
