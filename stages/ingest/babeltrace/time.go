package babeltrace

import (
	"bytes"
	"math"
	"time"
)

// In ns; a day has no leap second here, since the text has none but as second 60.
const (
	second = 1_000_000_000
	day    = 24 * 3600 * second
)

// time reads the time of a line.
func (l *line) time(s []byte) bool {
	whole, fraction, ok := bytes.Cut(s, []byte("."))
	if !ok || len(fraction) != 9 {
		return false
	}
	// Nine decimals are nanoseconds as they stand.
	ns, ok := digits(fraction)
	if !ok {
		return false
	}
	date, clock, dated := bytes.Cut(whole, []byte(" "))
	if !dated {
		clock = whole
	}
	seconds, ok := digits(clock)
	// "hours:minutes:seconds" has eight characters; without a date it is a time of day. Anything else is seconds.
	if l.daily = false; len(clock) == 8 && clock[2] == ':' && clock[5] == ':' {
		seconds, ok = timeOfDay(clock)
		l.daily = !dated
	}
	if dated && ok {
		// The date is taken as UTC, which is what --clock-gmt prints.
		d, err := time.Parse(time.DateOnly, string(date))
		if ok = err == nil; ok {
			seconds += d.Unix()
		}
	}
	// 64 bits of nanoseconds reach to the year 2262.
	if !ok || seconds > math.MaxInt64/second-1 || seconds < math.MinInt64/second {
		return false
	}
	l.ns = seconds*second + ns
	return true
}

// timeOfDay reads hours, minutes and seconds as seconds of the day.
func timeOfDay(s []byte) (int64, bool) {
	h, ok1 := digits(s[:2])
	m, ok2 := digits(s[3:5])
	sec, ok3 := digits(s[6:])
	// A leap second has number 60.
	return h*3600 + m*60 + sec, ok1 && ok2 && ok3 && h < 24 && m < 60 && sec < 61
}

// digits reads up to 18 of them, as many as fit 64 bits whatever they are.
func digits(s []byte) (int64, bool) {
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}
