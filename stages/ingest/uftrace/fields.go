package uftrace

import (
	"fmt"
	"strconv"
	"strings"
)

// fields are the values of a line of task.txt.
type fields struct {
	time   int64             // timestamp in ns
	number map[string]int64  // pid, ppid and tid, in decimal, and base, in hexadecimal
	text   map[string]string // all other values, by name
}

// fieldsOf splits "key=value key="value" ...".
func fieldsOf(line string) (f fields, err error) {
	f.number, f.text = make(map[string]int64), make(map[string]string)
	// Each turn takes a key and a value; quoted values may hold blanks.
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		key, rest, ok := strings.Cut(line, "=")
		if !ok {
			return f, errTask
		}
		var value string
		if quoted, is := strings.CutPrefix(rest, `"`); is {
			value, line, ok = strings.Cut(quoted, `"`)
		} else {
			value, line, _ = strings.Cut(rest, " ")
		}
		switch {
		case !ok:
			return f, fmt.Errorf("%w: no closing quote", errTask)
		case key == "timestamp":
			f.time, ok = seconds(value)
		case key == "pid" || key == "ppid" || key == "tid":
			f.number[key], err = strconv.ParseInt(value, 10, 64)
		case key == "base":
			f.number[key], err = strconv.ParseInt(value, 16, 64)
		default:
			f.text[key] = strings.Clone(value)
		}
		if err != nil || !ok {
			return f, fmt.Errorf("%w: %s", errTask, key)
		}
	}
	return f, nil
}

// seconds reads a time with nine decimals as nanoseconds.
func seconds(text string) (ns int64, ok bool) {
	whole, decimals, ok := strings.Cut(text, ".")
	if !ok || len(decimals) != 9 || whole == "" {
		return 0, false
	}
	for _, c := range []byte(whole + decimals) {
		// Digit by digit, since a float64 would round nanoseconds.
		if c < '0' || c > '9' || ns > (1<<63-10)/10 {
			return 0, false
		}
		ns = 10*ns + int64(c-'0')
	}
	return ns, true
}
