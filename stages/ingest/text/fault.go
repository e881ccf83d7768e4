package text

import (
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

var errEmpty = errors.New("empty line")

// fault describes why a line is bad: the offset, and what was expected there.
type fault struct {
	at   int    // bytes from the start of the line
	want string // "" where nothing is wrong
}

// ok reports that nothing is wrong.
func (f fault) ok() bool { return f.want == "" }

// add counts the faulty line. Only the first is described, so the others cost no memory.
func (f fault) add(d *schema.Defect, number int64, line []byte) {
	if d.Count > 0 {
		d.Count++
		return
	}
	d.Add(number, int64(f.at)+1, f.describe(line))
}

// describe returns the error that people read: what was expected, and the field that stands there.
func (f fault) describe(line []byte) error {
	if begin, end := nextField(line, 0); begin == end {
		return errEmpty
	}
	begin, end := nextField(line, f.at)
	if begin == end {
		return fmt.Errorf("expected %s, found the end of the line", f.want)
	}
	return fmt.Errorf("expected %s, found %s", f.want, textfield.Quote(line[begin:end], textfield.MaxQuoted))
}

// checkName returns the fault of the name line[begin:end], if it has one.
func checkName(line []byte, begin, end int) fault {
	at, want := textfield.CheckName(line[begin:end])
	return fault{begin + at, want}
}
