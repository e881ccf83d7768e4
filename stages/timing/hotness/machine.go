package hotness

import "math/bits"

// Kind says what a row does.
type Kind = uint8

const (
	Enter   Kind = iota // a call begins on a lane
	Exit                // it ends
	Connect             // a message showed who calls: the lane is the calling component, the key the function that it calls
	Away                // a call begins that only waits for another lane, on which the callee runs
)

// Row is one step of a machine. Lanes and keys are small numbers, counted from 0; a key is a function of a component.
type Row struct {
	TimeNs    int64
	Lane, Key uint32
	Kind      Kind
}

// Frame is a call that is running.
type Frame struct {
	Key     uint32
	StartNs int64
	Outer   bool   // it is an execution of its component: its caller is none or of another one
	Away    bool   // it only waits for another lane
	Of      uint32 // the component
	InnerNs int64  // how long calls took that it made on its lane and that have ended
}

// Component is what a machine knows of a component. The times of what runs are kept as sums of starts, which makes all of it linear in time.
type Component struct {
	busyNs, selfNs  int64    // of what has ended, less the starts of what runs
	running, inside int64    // executions that run; lanes that are in the component itself now
	Starts, Ends    int64    // of executions
	durations       []uint32 // ended executions by bucket of their duration
}

// Machine is the state of all lanes after some rows. The zero value has seen none.
type Machine struct {
	Lanes       [][]Frame // the calls that run on each lane, the outermost first
	Components  []Component
	Connections map[[2]uint32]int64 // calls from a component, or Nobody, to a function of another one
	Unmatched   int64               // exits without a call
	TimeNs      int64               // the latest of any row
}

// Nobody is the caller of an execution whose lane was idle.
const Nobody uint32 = 1<<32 - 1

// mostDepth bounds the calls on a lane: what loses its exits must not take memory for ever. The outermost are forgotten first.
const mostDepth = 1 << 12

// Apply takes a row; keys are the components of the keys. Rows of one lane come in the order of time; lanes may be apart, as all sums are independent of the order.
func (m *Machine) Apply(r Row, keys []uint32) {
	m.TimeNs = max(m.TimeNs, r.TimeNs)
	switch r.Kind {
	case Enter, Away:
		m.enter(r, keys[r.Key])
	case Exit:
		m.exit(r)
	case Connect:
		m.connect(r.Lane, r.Key)
	}
}

// lane returns the place of a lane.
func (m *Machine) lane(i uint32) *[]Frame {
	for len(m.Lanes) <= int(i) {
		m.Lanes = append(m.Lanes, nil)
	}
	return &m.Lanes[i]
}

// component returns the place of a component.
func (m *Machine) component(i uint32) *Component {
	for len(m.Components) <= int(i) {
		m.Components = append(m.Components, Component{})
	}
	return &m.Components[i]
}

// connect counts a call of a function by another component.
func (m *Machine) connect(from, key uint32) {
	if m.Connections == nil {
		m.Connections = make(map[[2]uint32]int64)
	}
	m.Connections[[2]uint32{from, key}]++
}

// enter begins a call: the caller's component pauses, the callee's begins.
func (m *Machine) enter(r Row, component uint32) {
	lane := m.lane(r.Lane)
	if len(*lane) >= mostDepth {
		m.end(lane, 0, r.TimeNs)
	}
	f := Frame{Key: r.Key, StartNs: r.TimeNs, Outer: true, Away: r.Kind == Away, Of: component}
	if n := len(*lane); n > 0 {
		caller := (*lane)[n-1]
		m.leave(caller, r.TimeNs)
		if f.Outer = caller.Of != f.Of; f.Outer {
			m.connect(caller.Of, f.Key)
		}
	} else {
		m.connect(Nobody, f.Key)
	}
	*lane = append(*lane, f)
	if c := m.component(f.Of); f.Outer {
		c.Starts++
		c.running++
		c.busyNs -= r.TimeNs
	}
	m.arrive(f, r.TimeNs)
}

// arrive and leave say that a call is, or is no longer, the innermost of its lane.
func (m *Machine) arrive(f Frame, timeNs int64) {
	if !f.Away {
		c := m.component(f.Of)
		c.inside++
		c.selfNs -= timeNs
	}
}

func (m *Machine) leave(f Frame, timeNs int64) {
	if !f.Away {
		c := m.component(f.Of)
		c.inside--
		c.selfNs += timeNs
	}
}

// exit ends the innermost call of a function, and the calls above it, whose exits were lost.
func (m *Machine) exit(r Row) {
	lane := m.lane(r.Lane)
	at := len(*lane) - 1
	for at >= 0 && (*lane)[at].Key != r.Key {
		at--
	}
	if at < 0 {
		m.Unmatched++
		return
	}
	for len(*lane) > at {
		m.end(lane, len(*lane)-1, r.TimeNs)
	}
}

// end ends the i-th call of a lane.
func (m *Machine) end(lane *[]Frame, i int, timeNs int64) {
	f, last := (*lane)[i], i == len(*lane)-1
	if last {
		m.leave(f, timeNs)
	}
	if f.Outer {
		c := m.component(f.Of)
		c.Ends++
		c.running--
		c.busyNs += timeNs
		b := bucketOf(timeNs - f.StartNs)
		for len(c.durations) <= b {
			c.durations = append(c.durations, 0)
		}
		c.durations[b]++
	}
	if i > 0 && last {
		(*lane)[i-1].InnerNs += timeNs - f.StartNs
	}
	*lane = append((*lane)[:i], (*lane)[i+1:]...)
	if n := len(*lane); last && n > 0 {
		m.arrive((*lane)[n-1], timeNs)
	}
}

// Clone returns a machine that goes on independently.
func (m *Machine) Clone() *Machine {
	c, _ := Restore(m.AppendTo(nil))
	return c
}

// Durations are kept in buckets: exactly below 16 ns, and then with 8 to each power of two.
const bucketBits = 3

// bucketOf is the bucket of a duration. A negative one, of a clock that ran back, counts as 0.
func bucketOf(ns int64) int {
	if ns < 2<<bucketBits {
		return int(max(ns, 0))
	}
	high := bits.Len64(uint64(ns)) - 1 - bucketBits
	return high<<bucketBits + int(ns>>high)
}

// bucketEnd is the longest duration of a bucket.
func bucketEnd(b int) int64 {
	if b < 2<<bucketBits {
		return int64(b)
	}
	high := b>>bucketBits - 1
	return (int64(b&(1<<bucketBits-1))+1<<bucketBits+1)<<high - 1
}
