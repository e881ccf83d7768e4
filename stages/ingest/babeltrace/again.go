package babeltrace

import (
	"bufio"
	"io"

	"github.com/tracelake/tracelake/schema"
)

// A text is gone through at least twice: which events there are, what is taken and who runs where shows before the first of them
// is passed on. A file is opened again; what comes in once, such as the standard input, is copied beforehand.

// opener opens a text from its beginning, as often as it is asked to.
type opener struct {
	trace   schema.Trace
	scratch schema.Scratch // a copy of the text; nil where it can be opened again
	size    int64          // of the copy, bytes
}

// opens returns what opens the text of a reading. A text that comes in once is copied to scratch as a whole, as it stands.
func opens(r *schema.Reading) (o opener, err error) {
	o.trace = r.Traces[0]
	if !o.trace.Once {
		return o, nil
	}
	f, err := o.trace.FS.Open(o.trace.Path)
	if err != nil {
		return o, err
	}
	defer f.Close()
	if o.scratch, err = r.Scratch(); err != nil {
		return o, err
	}
	// Written from offset 0 on, so that again can read it as a file.
	to := bufio.NewWriterSize(io.NewOffsetWriter(o.scratch, 0), maxLine)
	if o.size, err = io.Copy(to, f); err == nil {
		err = to.Flush()
	}
	return o, err
}

// again opens the text.
func (o *opener) again() (io.ReadCloser, error) {
	if o.scratch == nil {
		return o.trace.FS.Open(o.trace.Path)
	}
	return io.NopCloser(io.NewSectionReader(o.scratch, 0, o.size)), nil
}

// close gives the copy up.
func (o *opener) close() error {
	if o.scratch == nil {
		return nil
	}
	return o.scratch.Close()
}
