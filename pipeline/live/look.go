package live

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// Look reads a view while it is written. Its memory is that of names and of one machine, however long the trace is. It may be used by several
// goroutines.
type Look struct {
	mu                    sync.Mutex
	dir                   string
	stored                bool // a run of the lake
	names, calls, seconds *segment
	namesEnd, secondsEnd  int64
	components, lanes     []string
	keys                  []Function
	componentOf           []uint32
	index                 []moment // by time
	late                  int64
	firstNs               int64
	some                  bool
	tail                  *Cursor
	came                  time.Time // of the last piece
	cameRows              time.Time // of the last piece with rows
}

// Function is a key of a view.
type Function struct {
	Component uint32
	Name      string
}

// moment is a piece of seconds.
type moment struct{ timeNs, at, calls int64 }

// OpenLook opens the view of a recording. Where there is none the error is that of a file that does not exist.
func OpenLook(l *lake.Lake, run string) (*Look, error) { return LookAt(Folder(l, run)) }

// LookAt opens the view in a folder.
func LookAt(dir string) (k *Look, err error) {
	k = &Look{dir: filepath.Join(dir, viewName)}
	for name, to := range map[string]**segment{namesName: &k.names, callsName: &k.calls, secondsName: &k.seconds} {
		if *to, err = openSegment(filepath.Join(k.dir, name)); err != nil {
			return nil, errors.Join(err, k.Close())
		}
	}
	return k, k.Refresh()
}

// Close closes the files.
func (k *Look) Close() (err error) {
	for _, s := range []*segment{k.names, k.calls, k.seconds} {
		if s != nil {
			err = errors.Join(err, s.close())
		}
	}
	return err
}

// Current reports whether the view is still the one in its folder: another recorder begins another one, and one that is sealed is taken away.
func (k *Look) Current() bool {
	if k.stored {
		return true
	}
	own, err := k.calls.file.Stat()
	now, fault := os.Stat(k.calls.file.Name())
	return err == nil && fault == nil && os.SameFile(own, now)
}

// Refresh reads what was written since the last look.
func (k *Look) Refresh() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.refresh()
}

func (k *Look) refresh() error {
	if err := k.readSeconds(); err != nil {
		return err
	}
	if k.tail == nil {
		k.tail = &Cursor{look: k, tail: true}
		if n := len(k.index); n > 0 {
			if err := k.tail.restore(k.index[n-1]); err != nil {
				return err
			}
		}
		if err := k.readFirst(); err != nil {
			return err
		}
		// Pieces before that second were not read: the last one came when the file was written.
		if info, err := k.calls.file.Stat(); err == nil {
			k.came, k.cameRows = info.ModTime(), info.ModTime()
		}
	}
	return k.tail.read(1<<63 - 1)
}

// readFirst finds the time of the first row.
func (k *Look) readFirst() error {
	for at := int64(0); ; {
		piece, next, err := k.calls.piece(at)
		if err != nil {
			return eof(err)
		}
		rows, _, err := readRows(nil, piece)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			k.firstNs, k.some = rows[0].TimeNs, true
			return nil
		}
		at = next
	}
}

// eof makes no error of the end that a file has so far.
func eof(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// readSeconds reads the new pieces of seconds, of each only its head.
func (k *Look) readSeconds() error {
	for {
		piece, next, err := k.seconds.piece(k.secondsEnd)
		if err != nil {
			return eof(err)
		}
		timeNs, n := binary.Varint(piece)
		late, n2 := binary.Varint(piece[max(n, 0):])
		calls, n3 := binary.Uvarint(piece[max(n+n2, 0):])
		if n <= 0 || n2 <= 0 || n3 <= 0 {
			return errPiece
		}
		k.index = append(k.index, moment{timeNs, k.secondsEnd, int64(calls)})
		k.late, k.secondsEnd = max(k.late, late), next
	}
}

// readNames reads the new names.
func (k *Look) readNames() error {
	for {
		b, next, err := k.names.piece(k.namesEnd)
		if err != nil {
			return eof(err)
		}
		for len(b) > 0 {
			letter, of := b[0], uint64(0)
			if b = b[1:]; letter == 'k' {
				u, n := binary.Uvarint(b)
				if n <= 0 || u >= uint64(len(k.components)) {
					return errPiece
				}
				of, b = u, b[n:]
			}
			length, n := binary.Uvarint(b)
			if n <= 0 || length > uint64(len(b)-n) {
				return errPiece
			}
			name := strings.Clone(string(b[n : n+int(length)]))
			b = b[n+int(length):]
			switch letter {
			case 'c':
				k.components = append(k.components, name)
			case 'l':
				k.lanes = append(k.lanes, name)
			case 'k':
				k.keys = append(k.keys, Function{uint32(of), name})
				k.componentOf = append(k.componentOf, uint32(of))
			}
		}
		k.namesEnd = next
	}
}

// Extent is what a view knows of its time. All times are those of the trace.
type Extent struct {
	FirstNs, LastNs int64
	Some            bool          // there was a row
	Silent          time.Duration // since the last row came, by the clock of this machine
	Alive           bool          // somebody records
	Unmatched       int64         // exits without a call
}

// deadAfter is without a sign of life for how long nobody records any more.
const deadAfter = 3 * time.Second

// Extent says from when to when the view reaches now.
func (k *Look) Extent(now time.Time) Extent {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.extent(now)
}

func (k *Look) extent(now time.Time) Extent {
	e := Extent{FirstNs: k.firstNs, LastNs: k.firstNs, Some: k.some, Alive: !k.stored && now.Sub(k.came) < deadAfter, Silent: now.Sub(k.cameRows)}
	if k.some {
		e.LastNs, e.Unmatched = k.tail.machine.TimeNs, k.tail.machine.Unmatched
	}
	return e
}

// Names returns the names of components, lanes and keys by their numbers. They only grow.
func (k *Look) Names() (components, lanes []string, keys []Function) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.components, k.lanes, k.keys
}

// Cursor is a machine at a time, which can be moved to any other. It belongs to one goroutine.
type Cursor struct {
	look    *Look
	machine *hotness.Machine
	next    int64         // offset in calls
	pending []hotness.Row // read, and later than the time
	rows    []hotness.Row
	seen    int64 // the greatest time of any row read
	at      int64
	tail    bool // the one that is always at the end
	moved   bool // the machine is another one than before, or has more rows
	// Each takes the rows as they are applied, before they are. With it a cursor that moves on reads all that lies between.
	Each func(m *hotness.Machine, r hotness.Row)
}

// Cursor returns a cursor.
func (k *Look) Cursor() *Cursor { return &Cursor{look: k} }

// To moves to a time: the machine has all rows up to it then. It goes on from where it is, or from the last second before, whatever is nearer.
// The machine is valid until the next call.
func (c *Cursor) To(timeNs int64) (*hotness.Machine, error) {
	k := c.look
	k.mu.Lock()
	defer k.mu.Unlock()
	if c.machine != nil && timeNs == c.at && c.seen > timeNs+k.late { // where it was
		return c.machine, nil
	}
	i := sort.Search(len(k.index), func(i int) bool { return k.index[i].timeNs > timeNs }) - 1
	if c.machine == nil || timeNs < c.at || i >= 0 && k.index[i].calls > c.next+leapBytes && c.Each == nil {
		var from moment
		if i >= 0 {
			from = k.index[i]
		}
		if err := c.restore(from); err != nil {
			return nil, err
		}
	}
	c.at = timeNs
	kept := c.pending[:0]
	for _, r := range c.pending {
		if r.TimeNs <= timeNs {
			c.apply(r)
		} else {
			kept = append(kept, r)
		}
	}
	c.pending = kept
	return c.machine, c.read(timeNs)
}

// leapBytes is how far a cursor reads on before it is quicker to restore a second.
const leapBytes = 1 << 20

// restore goes to a moment. That of no piece is the beginning.
func (c *Cursor) restore(at moment) error {
	c.machine, c.next, c.pending, c.seen, c.moved = new(hotness.Machine), at.calls, c.pending[:0], at.timeNs, true
	if at.calls == 0 {
		c.seen = -1 << 63
		return nil
	}
	piece, _, err := c.look.seconds.piece(at.at)
	if err != nil {
		return err
	}
	for range 3 {
		_, n := binary.Uvarint(piece)
		if n <= 0 {
			return errPiece
		}
		piece = piece[n:]
	}
	c.machine, err = hotness.Restore(piece)
	return err
}

// read reads until no row of the time can follow: those that come late are late by what is known.
func (c *Cursor) read(timeNs int64) error {
	k := c.look
	if c.machine == nil {
		c.machine = new(hotness.Machine)
	}
	for c.tail || c.seen == -1<<63 || c.seen-k.late <= timeNs {
		piece, next, err := k.calls.piece(c.next)
		if err != nil {
			return eof(err)
		}
		var came time.Time
		if c.rows, came, err = readRows(c.rows[:0], piece); err != nil {
			return err
		}
		c.next = next
		if err := k.readNames(); err != nil {
			return err
		}
		if c.tail {
			k.came = came
			if len(c.rows) > 0 {
				k.cameRows = came
				if !k.some {
					k.firstNs, k.some = c.rows[0].TimeNs, true
				}
			}
		}
		for _, r := range c.rows {
			if !k.knows(r) { // names are written before rows that have them
				return k.names.damaged(k.namesEnd)
			}
			if c.tail && r.TimeNs < c.seen {
				k.late = max(k.late, c.seen-r.TimeNs)
			}
			if c.seen = max(c.seen, r.TimeNs); r.TimeNs <= timeNs {
				c.apply(r)
			} else {
				c.pending = append(c.pending, r)
			}
		}
	}
	return nil
}

// apply takes a row.
func (c *Cursor) apply(r hotness.Row) {
	if c.Each != nil {
		c.Each(c.machine, r)
	}
	c.machine.Apply(r, c.look.componentOf)
	c.moved = true
}

// knows reports whether the names of a row are there.
func (k *Look) knows(r hotness.Row) bool {
	if r.Kind == hotness.Connect {
		return int(r.Lane) < len(k.components) && int(r.Key) < len(k.keys)
	}
	return int(r.Lane) < len(k.lanes) && int(r.Key) < len(k.componentOf)
}
