package live

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// The files of a view, in the folder viewName of a recording. Each is a segment.
//
//	names    names of components (c), lanes (l) and keys (k, which begin with their component), each in the order of its number: pieces
//	         of { letter, for a key uvarint component, uvarint length, bytes }
//	calls    what happened: pieces of { varint time of arrival (Unix ns), uvarint rows, then the columns one after the other: varint
//	         times, each less the one before (the first is whole), uvarint lanes, uvarint 4 key + kind }. A piece without rows says that
//	         the recorder is alive
//	seconds  what makes any moment reachable: about every second of the trace a piece of { varint greatest time so far, varint by how much
//	         a row was late at most, uvarint offset in calls, and the machine of package hotness as bytes }
//
// Everything in them is made of the bytes of the trace, which lie beside them: whoever records begins a view anew.
const (
	viewName    = "_view"
	namesName   = "names"
	callsName   = "calls"
	secondsName = "seconds"
)

// Bounds of what a view takes. What is beyond is left out and counted; the recording has all of it.
const (
	mostKeys   = 1 << 18
	mostLanes  = 1 << 14
	mostName   = 1 << 10 // bytes that are kept of a name
	secondNs   = int64(time.Second)
	mostBehind = 1 << 16 // rows between two pieces of seconds: a cursor reads as many before it is at a moment
)

// View is the columns of calls that are written beside a recording, for pages to show. It is not safe for concurrent use; decoders of several
// sources take turns.
type View struct {
	turn sync.Mutex // of decoders

	Refused int64 // rows whose names were too many

	names, calls, seconds *segment
	components            map[string]uint32
	lanes                 map[laneOf]uint32
	keys                  map[functionOf]uint32
	componentOf           []uint32
	newNames              []byte
	messages              underWay
	format                string // of the first source that showed one
	rows                  []hotness.Row
	machine               hotness.Machine
	late                  int64
	behind                int   // rows since the last piece of seconds
	indexed               int64 // time of that
	some                  bool  // there was a row
	written               time.Time
	buffer                []byte
}

type laneOf struct {
	source int
	name   string
}

type functionOf struct {
	component uint32
	function  string
}

// NewView begins the view of a recording anew, in a folder. One that somebody looks at stays with whoever does.
func NewView(dir string) (v *View, err error) {
	dir = filepath.Join(dir, viewName)
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	v = &View{components: make(map[string]uint32), lanes: make(map[laneOf]uint32), keys: make(map[functionOf]uint32)}
	for name, to := range map[string]**segment{namesName: &v.names, callsName: &v.calls, secondsName: &v.seconds} {
		if *to, err = createSegment(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// Component returns the number of a component.
func (v *View) Component(name string) (uint32, bool) {
	if len(name) > mostName {
		name = name[:mostName]
	}
	n, known := v.components[name]
	if !known {
		if len(v.components) >= mostKeys {
			return 0, false
		}
		n = uint32(len(v.components))
		v.components[name] = n
		v.newNames = appendText(append(v.newNames, 'c'), name)
	}
	return n, true
}

// Lane returns the number of a lane. Lanes of several sources are not the same, whatever they are called.
func (v *View) Lane(source int, name string) (uint32, bool) {
	if len(name) > mostName {
		name = name[:mostName]
	}
	of := laneOf{source, name}
	n, known := v.lanes[of]
	if !known {
		if len(v.lanes) >= mostLanes {
			return 0, false
		}
		n = uint32(len(v.lanes))
		v.lanes[of] = n
		v.newNames = appendText(append(v.newNames, 'l'), name)
	}
	return n, true
}

// Key returns the number of a function of a component.
func (v *View) Key(component, function string) (uint32, bool) {
	c, ok := v.Component(component)
	if len(function) > mostName {
		function = function[:mostName]
	}
	of := functionOf{c, function}
	n, known := v.keys[of]
	if !known && ok {
		if ok = len(v.keys) < mostKeys; ok {
			n = uint32(len(v.keys))
			v.keys[of] = n
			v.componentOf = append(v.componentOf, c)
			v.newNames = appendText(binary.AppendUvarint(append(v.newNames, 'k'), uint64(c)), function)
		}
	}
	return n, ok
}

// Add takes a row. It shows after the next Flush.
func (v *View) Add(r hotness.Row) {
	if v.some {
		v.late = max(v.late, v.machine.TimeNs-r.TimeNs)
	} else {
		v.machine.TimeNs, v.indexed, v.some = r.TimeNs, r.TimeNs, true
	}
	v.machine.Apply(r, v.componentOf)
	v.rows = append(v.rows, r)
}

// aliveAfter is how often a view says that its recorder is alive, at least.
const aliveAfter = 500 * time.Millisecond

// Flush writes what was added, which arrived at a time, or a sign of life.
func (v *View) Flush(came time.Time) error {
	if len(v.rows) == 0 && came.Sub(v.written) < aliveAfter {
		return nil
	}
	v.written = came
	if len(v.newNames) > 0 { // before the rows that have them
		if _, err := v.names.append(v.newNames); err != nil {
			return err
		}
		v.newNames = v.newNames[:0]
	}
	v.buffer = appendRows(v.buffer[:0], v.rows, came)
	if _, err := v.calls.append(v.buffer); err != nil {
		return err
	}
	v.behind += len(v.rows)
	v.rows = v.rows[:0]
	if v.behind == 0 || v.machine.TimeNs-v.indexed < secondNs && v.behind < mostBehind {
		return nil
	}
	b := binary.AppendVarint(v.buffer[:0], v.machine.TimeNs)
	b = binary.AppendVarint(b, v.late)
	b = binary.AppendUvarint(b, uint64(v.calls.end))
	v.buffer = v.machine.AppendTo(b)
	v.behind, v.indexed = 0, v.machine.TimeNs
	_, err := v.seconds.append(v.buffer)
	return err
}

// appendRows appends a piece of calls.
func appendRows(b []byte, rows []hotness.Row, came time.Time) []byte {
	b = binary.AppendVarint(b, came.UnixNano())
	b = binary.AppendUvarint(b, uint64(len(rows)))
	before := int64(0)
	for _, r := range rows {
		b = binary.AppendVarint(b, r.TimeNs-before)
		before = r.TimeNs
	}
	for _, r := range rows {
		b = binary.AppendUvarint(b, uint64(r.Lane))
	}
	for _, r := range rows {
		b = binary.AppendUvarint(b, uint64(r.Key)<<2|uint64(r.Kind))
	}
	return b
}

var errPiece = errors.New("a piece of the view is damaged")

// readRows takes a piece of calls apart; the rows are appended.
func readRows(rows []hotness.Row, b []byte) (_ []hotness.Row, came time.Time, err error) {
	bad := false
	unsigned := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	signed := func() int64 {
		u := unsigned()
		return int64(u>>1) ^ -int64(u&1)
	}
	came = time.Unix(0, signed())
	n := unsigned()
	if n > uint64(len(b)) {
		return rows, came, errPiece
	}
	at, time := len(rows), int64(0)
	for range n {
		time += signed()
		rows = append(rows, hotness.Row{TimeNs: time})
	}
	for i := range rows[at:] {
		rows[at+i].Lane = uint32(unsigned())
	}
	for i := range rows[at:] {
		u := unsigned()
		rows[at+i].Key, rows[at+i].Kind = uint32(u>>2), uint8(u&3)
	}
	if bad {
		return rows[:at], came, errPiece
	}
	return rows, came, nil
}

// Close leaves the view as it is.
func (v *View) Close() error { return errors.Join(v.names.close(), v.calls.close(), v.seconds.close()) }
