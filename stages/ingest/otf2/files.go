package otf2

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// leastTicks is before all times.
const leastTicks = math.MinInt64

// openFile opens a file of chunks of a size in bytes, which closeFiles closes unless closeFile did.
func (r *reader) openFile(name string, chunk int64) (*chunks, error) {
	file, err := r.trace.FS.Open(name)
	if err != nil {
		return nil, err
	}
	c := newChunks(file, name, chunk, schema.ReadAhead(file, r.window))
	r.files = append(r.files, c)
	return c, nil
}

// closeFile closes a file early.
func (r *reader) closeFile(c *chunks) {
	if i := slices.Index(r.files, c); i >= 0 {
		r.files = slices.Delete(r.files, i, i+1)
		c.file.Close()
	}
}

// closeFiles closes all files.
func (r *reader) closeFiles() {
	for _, c := range r.files {
		c.file.Close()
	}
	r.files = nil
}

// countLost counts the rest of a chunk that is given up because of an error. It returns errors that are not of the
// chunk alone, and every one in a strict reading.
func (r *reader) countLost(c *chunks, err error) error {
	var d defect
	if !errors.As(err, &d) {
		return err
	}
	// The place is taken before the rest of the chunk is given up.
	at := c.wrong(err)
	if err := c.lose(err); err != nil {
		return err
	}
	reason := schema.BadRecord
	if d == errEnds || d == errNoEnd { // nothing comes behind it: the file is cut
		reason = schema.TornRecord
	}
	return r.reading.Bad(reason, at)
}

// unique is a name that was not taken before: the name itself, or with a number.
func unique(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ { // the first one has no number
		free = fmt.Sprintf("%s#%d", name, n)
	}
	taken[free] = true
	return free
}
