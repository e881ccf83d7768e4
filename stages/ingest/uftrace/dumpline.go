package uftrace

import (
	"bytes"
	"math"
	"slices"
)

// second is a second in nanoseconds.
const second = 1_000_000_000

// dumpRecord is a line of a dump that is a record.
type dumpRecord struct {
	time, tid int64  // ns; number of the thread
	overflow  bool   // the time does not fit
	kind      uint64 // kindEntry and so on
	where     []byte // name(address)
	name      []byte // symbol, or <address>
	address   uint64 // of the function
	depth     int    // calls around it
}

// words are what stands between brackets.
var words = [...]string{kindEntry: "[entry] ", kindExit: "[exit ] ", kindLost: "[lost ] ", kindEvent: "[event] "}

// startsRecord reports whether a line begins with a time.
func startsRecord(line []byte) bool {
	line = bytes.TrimLeft(line, " ")
	_, digits := decimal(line)
	return digits > 0 && digits < len(line) && line[digits] == '.'
}

// isRecordLike reports whether a line that is no record looks like one that was damaged: it begins with a time, or has the word of a
// record. Lines of arguments begin with a number as well, but say a length.
func isRecordLike(line []byte) bool {
	if bytes.Contains(line, []byte("length = ")) {
		return false
	}
	return startsRecord(line) || slices.ContainsFunc(words[:], func(word string) bool { return bytes.Contains(line, []byte(": "+word)) })
}

// dumpLine reads a line.
func dumpLine(line []byte) (r dumpRecord, ok bool) {
	line = bytes.TrimLeft(line, " ")
	whole, n := decimal(line)
	// 1. Seconds, a point, and nine decimals.
	if n == 0 || len(line) < n+10 || line[n] != '.' {
		return r, false
	}
	nanos, digits := decimal(line[n+1:])
	if digits != 9 {
		return r, false
	}
	// The line is good all the same, so it is counted as a time that does not fit.
	r.overflow = whole >= math.MaxInt64/second
	r.time = whole*second + nanos
	// 2. The thread, up to a colon and a blank.
	line = bytes.TrimLeft(line[n+10:], " ")
	if r.tid, n = decimal(line); n == 0 || len(line) < n+2 || line[n] != ':' || line[n+1] != ' ' {
		return r, false
	}
	// 3. The word in brackets; what follows is read by call.
	line = line[n+2:]
	for kind, word := range words {
		if rest, is := bytes.CutPrefix(line, []byte(word)); is {
			r.kind = uint64(kind)
			return r, r.call(rest)
		}
	}
	return r, false
}

// call reads "name(address) depth: N". A name may have brackets of its own.
func (r *dumpRecord) call(text []byte) bool {
	// From the end, since names of C++ have parentheses: operator()(int).
	end := bytes.LastIndex(text, []byte(") depth: "))
	// Events have an identifier in parentheses and no depth.
	if r.kind == kindEvent && end < 0 {
		return bytes.HasSuffix(text, []byte(")"))
	}
	if end < 0 {
		return false
	}
	open := bytes.LastIndexByte(text[:end], '(')
	// Two records on a line, between which the line end was lost, are none: the second one would be in the name of the first.
	if open <= 0 || bytes.Contains(text[:open], []byte(") depth: ")) {
		return false
	}
	// Nothing may stand behind the depth: else the line is two that grew together.
	depth, n := decimal(text[end+len(") depth: "):])
	if n == 0 || n != len(text)-end-len(") depth: ") || depth > 1<<30 {
		return false
	}
	var ok bool
	r.address, ok = hexadecimal(text[open+1 : end])
	r.where, r.name, r.depth = text[:end+1], text[:open], int(depth)
	return ok
}

// decimal reads the digits that text begins with; numbers that do not fit are the greatest.
func decimal(text []byte) (value int64, digits int) {
	const greatest = 1<<63 - 1
	for _, c := range text {
		if c < '0' || c > '9' {
			break
		}
		if value > (greatest-9)/10 {
			value = greatest
		} else {
			value = 10*value + int64(c-'0')
		}
		digits++
	}
	return value, digits
}

// hexadecimal reads an address.
func hexadecimal(text []byte) (value uint64, ok bool) {
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		default:
			return 0, false
		}
		value = value<<4 | uint64(c)
	}
	return value, len(text) > 0 && len(text) <= 16
}
