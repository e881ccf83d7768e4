package babeltrace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/ctf"
)

// maxLine is the greatest length of a line in bytes.
const maxLine = 256 << 10

// Detect reports whether a text is of the format, by its first bytes, which may end within a line: at least one line
// must be an event, and none of the first ones anything else.
func Detect(head []byte) bool {
	var l line
	// Eight lines are enough: no other text format begins its lines with "[" time "]".
	for lines := 0; lines < 8; lines++ {
		text, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole {
			return lines > 0
		}
		// Windows ends lines with a carriage return, which is no part of the last value.
		if _, err := l.parse(bytes.TrimSuffix(text, []byte("\r"))); err != nil {
			return false
		}
		head = rest
	}
	return true
}

// text is the lines of one file.
type text struct {
	reading *schema.Reading // what it was given
	open    opener          // the file, as often as it is asked for
	file    string          // its name, for positions
	number  int64           // of the line, from 1
	line    line            // in hand
	last    int64           // time of day of the line before
	days    int64           // ns of the days that have passed
	count   bool            // faults count
}

// reader reads one text. It makes the reader of its lines once it has found the file.
type reader struct {
	*ctf.LineReader
	text *text
}

// newReader returns a reader that has read nothing.
func newReader(r *schema.Reading) schema.Reader {
	file := path.Clean(r.Traces[0].Path)
	t := &text{reading: r, file: file}
	return &reader{ctf.NewLineReader(r, file, t), t}
}

// Read implements schema.Reader.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	r.text.open, err = opens(r.text.reading)
	defer func() { err = errors.Join(err, r.text.open.close()) }()
	if err != nil {
		return err
	}
	return r.LineReader.Read(emit)
}

// Each implements ctf.Text.
func (t *text) Each(final bool, yield func(*ctf.Line) error) error {
	f, err := t.open.again()
	if err != nil {
		return err
	}
	defer f.Close()
	// Each pass begins anew, so that times of day pass midnight again; faults and midnights are counted in the last pass only.
	t.number, t.last, t.days, t.count = 0, 0, 0, final
	return t.readLines(bufio.NewReaderSize(f, schema.ReadAhead(f, maxLine)), yield)
}

// errLong is what is wrong with a line that does not fit the buffer; its column is 1, since it is not looked at.
var errLong = errors.New("the line is too long")

// readLines reads all lines.
func (t *text) readLines(in *bufio.Reader, yield func(*ctf.Line) error) error {
	for {
		// The slice holds until the next read: a line is parsed before that.
		text, err := in.ReadSlice('\n')
		t.number++
		// A line longer than the buffer is passed over to its end and counted as one bad line.
		long := err == bufio.ErrBufferFull
		// Its rest is read piece by piece and dropped.
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", t.file, err)
		}
		if len(text) > 0 {
			if err := t.readLine(text, long, yield); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine reads a line with its end, which the last one may lack.
func (t *text) readLine(text []byte, long bool, yield func(*ctf.Line) error) error {
	reason := schema.BadLine
	body := bytes.TrimSuffix(text, []byte("\n"))
	// Only the last line can lack its end.
	if len(body) == len(text) && !long {
		reason = schema.TornLine
	}
	col, err := t.line.parse(bytes.TrimSuffix(body, []byte("\r")))
	if long {
		col, err = 1, errLong
	}
	switch {
	case err == nil:
		t.line.Ns, t.line.Number = t.eventTime(), t.number
		return yield(&t.line.Line)
	case t.count:
		return t.reading.Bad(reason, &schema.SyntaxError{File: t.file, Line: t.number, Col: int64(col), Err: err})
	}
	return nil
}

// eventTime is the time of the line in hand: times of day go on over midnight.
func (t *text) eventTime() int64 {
	if !t.line.daily {
		return t.line.ns
	}
	// Streams are merged by their times, so a small step back is the tracer's; half a day or more is midnight.
	if t.line.ns < t.last-day/2 {
		t.days += day
		if t.count {
			t.reading.Ledger.Add(schema.ClockWrap, func() string { return fmt.Sprintf("%s:%d", t.file, t.number) })
		}
	}
	t.last = t.line.ns
	return t.line.ns + t.days
}
