package textfield

import "time"

// shape is the part of an ISO 8601 instant that must be there: digits where it has zeros.
const shape = "0000-00-00T00:00"

// IsInstant reports whether a time is an ISO 8601 date and not a number.
func IsInstant(s []byte) bool { return len(s) > 4 && s[4] == '-' }

// Instant reads an ISO 8601 date and time with "Z" or an offset: 2023-11-14T22:13:20.5+01:00.
// Seconds and their decimals, and the minutes and the colon of the offset, may be left out.
func Instant(s []byte) Reading {
	// 1. The date, hours and minutes. The characters are checked here and the values in calendar, so that a fault names
	// what is wrong: the form, or a month that does not exist.
	for i := range len(shape) {
		if i == len(s) || !fits(shape[i], s[i]) {
			return Reading{At: i, Want: "a time such as 2023-11-14T22:13:20.5Z"}
		}
	}
	// 2. Seconds and their decimals, if they are there.
	at, seconds, fraction := len(shape), 0, int64(0)
	if at+2 < len(s) && s[at] == ':' {
		seconds, at = pair(s, at+1), at+3
		if at < len(s) && s[at] == '.' {
			var n int
			if fraction, n = decimals(s[at+1:], Second); n == 0 {
				return Reading{At: at + 1, Want: "a digit in the decimals of the time"}
			}
			at += 1 + n
		}
	}
	// 3. The offset from UTC. A time without one is refused: it would depend on where the trace is read.
	offset, end := zone(s, at)
	if end != len(s) {
		return Reading{At: at, Want: "'Z' or an offset such as +01:00"}
	}
	return calendar(s, seconds, offset, fraction)
}

// fits reports whether a character is one that a shape allows at its place.
func fits(shape, c byte) bool {
	if shape == '0' {
		return c-'0' <= 9
	}
	return c == shape
}

// pair is the value of the two digits at s[at], or 100 where there are none.
func pair(s []byte, at int) int {
	if at+1 >= len(s) || s[at]-'0' > 9 || s[at+1]-'0' > 9 {
		return 100
	}
	return int(s[at]-'0')*10 + int(s[at+1]-'0')
}

// zone reads the offset at s[at], in seconds, and returns its end: -1 where there is none.
func zone(s []byte, at int) (offset, end int) {
	if at < len(s) && s[at] == 'Z' {
		return 0, at + 1
	}
	if at >= len(s) || s[at] != '+' && s[at] != '-' {
		return 0, -1
	}
	hours, minutes, end := pair(s, at+1), 0, at+3
	// Minutes of the offset, with or without the colon.
	if end < len(s) {
		if s[end] == ':' {
			end++
		}
		minutes, end = pair(s, end), end+2
	}
	if hours > 18 || minutes > 59 {
		return 0, -1
	}
	offset = hours*3600 + minutes*60
	if s[at] == '-' {
		offset = -offset
	}
	return offset, end
}

// calendar turns an instant of the right shape into nanoseconds since the epoch.
func calendar(s []byte, seconds, offset int, fraction int64) Reading {
	year, month, day := pair(s, 0)*100+pair(s, 2), pair(s, 5), pair(s, 8)
	hour, minute := pair(s, 11), pair(s, 14)
	// time.Date carries what is out of range over into the next unit, which shows a day that the month does not have.
	date := time.Date(year, time.Month(month), day, hour, minute, seconds, 0, time.UTC)
	switch {
	case month < 1 || month > 12:
		return Reading{At: 5, Want: "a month from 01 to 12"}
	case day < 1 || date.Day() != day && hour < 24 && minute < 60 && seconds < 60:
		return Reading{At: 8, Want: "a day of that month"}
	case hour > 23:
		return Reading{At: 11, Want: "an hour from 00 to 23"}
	case minute > 59:
		return Reading{At: 14, Want: "a minute from 00 to 59"}
	case seconds > 59:
		return Reading{At: 17, Want: "a second from 00 to 59"}
	}
	unix := date.Unix() - int64(offset)
	const limit = 1<<63/Second - 1
	if unix < -limit || unix > limit {
		return Reading{Overflow: true}
	}
	return Reading{Ns: unix*Second + fraction}
}
