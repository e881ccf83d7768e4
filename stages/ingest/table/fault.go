package table

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
)

const (
	maxName   = 4096 // bytes of a name
	maxQuoted = 40   // bytes of a line in an error
	maxHeader = 200  // bytes of the header in an error
)

var errEmpty = errors.New("empty line")

// fault is what is wrong with a line: at which offset, and what was expected there.
type fault struct {
	at   int
	want string
}

func (f fault) ok() bool { return f.want == "" }

// add counts the faulty line. Only the first is described, so the others cost no memory.
func (f fault) add(d *schema.Defect, number int64, s *splitter) {
	if d.Count > 0 {
		d.Count++
		return
	}
	d.Add(number, int64(f.at)+1, f.describe(s))
}

func (f fault) describe(s *splitter) error {
	if s.skip(0) == len(s.line) {
		return errEmpty
	}
	found := s.line[f.at:]
	if len(found) == 0 {
		return fmt.Errorf("expected %s, found the end of the line", f.want)
	}
	if n := bytes.IndexByte(found, s.separator); n >= 0 {
		found = found[:n]
	}
	if len(found) == 0 {
		return fmt.Errorf("expected %s, found nothing", f.want)
	}
	return fmt.Errorf("expected %s, found %s", f.want, quote(found, maxQuoted))
}

// quote shows the beginning of a text.
func quote(s []byte, most int) string {
	if len(s) <= most {
		return strconv.Quote(string(s))
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.Quote(string(s[:n])) + "..."
}

// checkName finds fault with a name that begins at an offset of the line.
func checkName(name []byte, begin int) fault {
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
