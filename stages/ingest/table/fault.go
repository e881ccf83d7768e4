package table

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// maxHeader bounds the bytes of the header that an error shows.
const maxHeader = 200

var errEmpty = errors.New("empty line")

// fault describes why a line is bad: the offset, and what was expected there.
type fault struct {
	at   int    // bytes from the start of the line
	want string // "" where nothing is wrong
}

// ok reports that nothing is wrong.
func (f fault) ok() bool { return f.want == "" }

// add counts the faulty line. Only the first is described, so the others cost no memory.
func (f fault) add(d *schema.Defect, number int64, r *textfield.Row) {
	if d.Count > 0 {
		d.Count++
		return
	}
	d.Add(number, int64(f.at)+1, f.describe(r))
}

// describe returns the error that people read: what was expected, and what stands there up to the next separator.
func (f fault) describe(r *textfield.Row) error {
	if r.Blank() {
		return errEmpty
	}
	found := r.Line[f.at:]
	if len(found) == 0 {
		return fmt.Errorf("expected %s, found the end of the line", f.want)
	}
	// One field is shown, not the rest of the line.
	if n := bytes.IndexByte(found, r.Separator); n >= 0 {
		found = found[:n]
	}
	if len(found) == 0 {
		return fmt.Errorf("expected %s, found nothing", f.want)
	}
	return fmt.Errorf("expected %s, found %s", f.want, textfield.Quote(found, textfield.MaxQuoted))
}

// checkName returns the fault of a name that begins at an offset of the line, if it has one.
func checkName(name []byte, begin int) fault {
	at, want := textfield.CheckName(name)
	return fault{begin + at, want}
}
