package text

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
)

const (
	maxName   = 4096 // bytes of a name
	maxQuoted = 40   // bytes of a line in an error
)

var errEmpty = errors.New("empty line")

// fault is what is wrong with a line: at which offset, and what was expected there.
type fault struct {
	at   int
	want string
}

func (f fault) ok() bool { return f.want == "" }

// add counts the faulty line. Only the first is described, so the others cost no memory.
func (f fault) add(d *schema.Defect, number int64, line []byte) {
	if d.Count > 0 {
		d.Count++
		return
	}
	d.Add(number, int64(f.at)+1, f.describe(line))
}

func (f fault) describe(line []byte) error {
	if begin, end := field(line, 0); begin == end {
		return errEmpty
	}
	begin, end := field(line, f.at)
	if begin == end {
		return fmt.Errorf("expected %s, found the end of the line", f.want)
	}
	return fmt.Errorf("expected %s, found %s", f.want, quote(line[begin:end]))
}

// quote shows the beginning of a field.
func quote(s []byte) string {
	if len(s) <= maxQuoted {
		return strconv.Quote(string(s))
	}
	n := maxQuoted
	for n > maxQuoted-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.Quote(string(s[:n])) + "..."
}

// checkName finds fault with the name line[begin:end].
func checkName(line []byte, begin, end int) fault {
	name := line[begin:end]
	if len(name) > maxName {
		return fault{begin, "a name of at most 4096 bytes"}
	}
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRune(name[i:])
		if r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1 {
			return fault{begin + i, "a name in UTF-8 without control characters"}
		}
		i += size
	}
	return fault{}
}
