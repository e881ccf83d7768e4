package live

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// Ask says what a frame is to show. Times count from the first row of the view.
type Ask struct {
	NowNs      int64 // how far the view reaches, for the page; 0: as far as it does
	ToNs       int64 // the end of the window
	Latest     bool  // it is where the view ends, whatever ToNs says
	IntervalNs int64 // its length
	Metric     hotness.Metric
	Colour     func(h int) float64 // the value of a hotness, from 0 to 255
	Real       bool                // real times instead of raw ones
	Against    *Against            // nil: nothing is compared
	Critical   *CriticalPaths      // for a metric of critical paths; nil: there are none
	NoPaths    string              // why
	Unlinked   bool                // connections are left out

	// The timing diagram: executions between two times, those shorter than a pixel summed up. Without pixels there is none.
	BoxesFromNs, BoxesToNs int64
	Pixels                 int
}

// Frame is all that a page shows at a moment: state, and no history, so that a page may miss any number of frames.
type Frame struct {
	Number     int64           `json:"n"`
	NowNs      int64           `json:"now_ns"`  // to which the view reaches, since its first row
	FromNs     int64           `json:"from_ns"` // the window
	ToNs       int64           `json:"to_ns"`
	Alive      bool            `json:"alive"`                // somebody records
	Unmatched  int64           `json:"unmatched"`            // exits without a call
	MadeUs     int64           `json:"made_us"`              // what it took to make the frame
	Components []string        `json:"components,omitempty"` // they only grow; a stream leaves out what it sent before
	Functions  []string        `json:"functions,omitempty"`  // likewise, by the numbers that connections and boxes have
	BusyNs     []int64         `json:"busy_ns"`              // by component, like all that follow
	SelfNs     []int64         `json:"self_ns"`
	Calls      []int64         `json:"calls"`
	P95Ns      []int64         `json:"p95_ns"`
	Running    []int64         `json:"running"` // executions that run at the end of the window
	Hotness    []int           `json:"hotness"`
	Colour     []int           `json:"colour"`             // the value of that, cut to a whole number
	Critical   *CriticalShares `json:"critical,omitempty"` // where the metric is of critical paths
	Links      []Link          `json:"links,omitempty"`    // connections seen so far, the most frequent first
	Boxes      *BoxesOrCause   `json:"boxes,omitempty"`
	Against    *Comparison     `json:"against,omitempty"`
}

// Link is a connection: a component calls a function of another one.
type Link struct {
	From     int   `json:"from"`     // -1: nobody, or nobody that is known
	To       int   `json:"to"`       // a component
	Function int   `json:"function"` // through which it is called
	Calls    int64 `json:"calls"`    // so far
}

// mostLinks bounds the connections of a frame.
const mostLinks = 2000

// Watcher makes frames for one page. It belongs to one goroutine.
type Watcher struct {
	look      *Look
	from, to  *Cursor
	before    hotness.Sums // at the beginning of the window
	beforeNs  int64        // the time of that
	end       state
	functions map[uint32]int // by key: place in names
	names     []string

	baseline *Baseline // what was compared with last, and what it has of each key
	times    []*times
	since    map[Named]int64 // the end of the window in which a function became a candidate
	sinceOf  stretchOf
}

// Watch returns a watcher.
func (k *Look) Watch() *Watcher {
	return &Watcher{look: k, from: k.Cursor(), to: k.Cursor(), functions: make(map[uint32]int)}
}

// NowNs is how far the view reaches, since its first row: up to the last row, and on with the clock while somebody records.
func (e Extent) NowNs() int64 {
	now := e.LastNs - e.FirstNs
	if e.Alive && e.Some {
		now += max(0, e.Silent.Nanoseconds())
	}
	return now
}

// state is what a frame has of a machine at the end of its window.
type state struct {
	hotness.Sums
	running []int64
	links   map[[2]uint32]int64
}

// take copies what a frame needs of a machine that goes on.
func (s *state) take(m *hotness.Machine, timeNs int64, linked bool) {
	s.Take(m, timeNs)
	s.running, s.links = nil, nil
	for _, c := range m.Components {
		s.running = append(s.running, c.Starts-c.Ends)
	}
	if linked {
		s.links = maps.Clone(m.Connections)
	}
}

// window begins a frame. Where its window ends with the view, it takes the state of the machine that is there and that all pages share; elsewhere
// each page moves a cursor of its own.
func (w *Watcher) window(a Ask, now time.Time) (f *Frame, e Extent, taken bool) {
	k := w.look
	k.mu.Lock()
	defer k.mu.Unlock()
	e = k.extent(now)
	f = &Frame{NowNs: max(e.NowNs(), a.NowNs), Alive: e.Alive, Unmatched: e.Unmatched}
	if a.Latest {
		a.ToNs = f.NowNs
	}
	f.ToNs = min(max(0, a.ToNs), f.NowNs)
	f.FromNs = min(max(0, a.ToNs-a.IntervalNs), f.ToNs)
	if taken = e.FirstNs+f.ToNs >= k.tail.machine.TimeNs; taken {
		w.end.take(k.tail.machine, e.FirstNs+f.ToNs, !a.Unlinked)
	}
	return f, e, taken
}

// Frame makes a frame.
func (w *Watcher) Frame(a Ask) (*Frame, error) {
	began := time.Now()
	f, e, ready := w.window(a, began)
	from, err := w.from.To(e.FirstNs + f.FromNs)
	if err != nil {
		return nil, err
	}
	if at := e.FirstNs + f.FromNs; w.from.moved || at != w.beforeNs {
		w.before.Take(from, at)
		w.beforeNs, w.from.moved = at, false
	}
	if !ready {
		m, err := w.to.To(e.FirstNs + f.ToNs)
		if err != nil {
			return nil, err
		}
		w.end.take(m, e.FirstNs+f.ToNs, !a.Unlinked)
	}
	loads := hotness.Window(w.before.Of, w.end.Of)
	components, lanes, keys := w.look.Names()
	f.Components = components[:min(len(components), len(loads))]
	if a.Metric.Paths {
		f.Critical = a.shares(loads, components, e.FirstNs+f.FromNs, e.FirstNs+f.ToNs)
	}
	f.Hotness = a.Metric.Hotness(loads, a.Real)
	f.Running = w.end.running
	for i, l := range loads {
		f.BusyNs, f.SelfNs, f.Calls, f.P95Ns = append(f.BusyNs, l.BusyNs), append(f.SelfNs, l.SelfNs), append(f.Calls, l.Calls), append(f.P95Ns, l.P95Ns)
		f.Colour = append(f.Colour, int(a.Colour(f.Hotness[i])))
	}
	w.link(f, w.end.links, keys)
	if a.Pixels > 0 {
		f.Boxes, err = w.boxes(f, a, e.FirstNs, lanes, keys)
	}
	if a.Against != nil && err == nil {
		f.Against, err = w.against(f, a, loads, e.FirstNs)
	}
	f.Functions = w.names
	f.MadeUs = time.Since(began).Microseconds()
	return f, err
}

// function is the place of a key in the list of functions.
func (w *Watcher) function(key uint32, keys []Function) int {
	i, known := w.functions[key]
	if !known {
		i = len(w.names)
		w.functions[key] = i
		w.names = append(w.names, keys[key].Name)
	}
	return i
}

// link lists the connections.
func (w *Watcher) link(f *Frame, connections map[[2]uint32]int64, keys []Function) {
	type seen struct {
		pair  [2]uint32
		calls int64
	}
	var all []seen
	called := make(map[uint32]bool) // by somebody who is known
	for pair := range connections {
		called[pair[1]] = called[pair[1]] || pair[0] != hotness.Nobody
	}
	for pair, n := range connections {
		if pair[0] == hotness.Nobody && called[pair[1]] {
			continue // a message says who it was
		}
		all = append(all, seen{pair, n})
	}
	slices.SortFunc(all, func(a, b seen) int {
		return cmp.Or(cmp.Compare(b.calls, a.calls), cmp.Compare(a.pair[0], b.pair[0]), cmp.Compare(a.pair[1], b.pair[1]))
	})
	for _, s := range all[:min(len(all), mostLinks)] {
		from := -1
		if s.pair[0] != hotness.Nobody {
			from = int(s.pair[0])
		}
		f.Links = append(f.Links, Link{from, int(keys[s.pair[1]].Component), w.function(s.pair[1], keys), s.calls})
	}
}

// Boxes are executions of components, in columns. What follows each other within a pixel is one box.
type Boxes struct {
	Component []int   `json:"component"`
	Lane      []int   `json:"lane"` // place in Lanes
	Function  []int   `json:"function"`
	Caller    []int   `json:"caller"` // the component that called, or -1
	StartNs   []int64 `json:"start_ns"`
	EndNs     []int64 `json:"end_ns"`  // of one that runs, the end of what is shown
	Open      []bool  `json:"open"`    // it runs
	SelfNs    []int64 `json:"self_ns"` // of that within what is shown
	Count     []int   `json:"count"`   // how many executions a box is
	// When each is itself at work; between these it waits for others.
	WorkBox  []int    `json:"work_box"`
	WorkFrom []int64  `json:"work_from_ns"`
	WorkTo   []int64  `json:"work_to_ns"`
	Lanes    []string `json:"lanes"`
}

// BoxesOrCause are boxes, or why there are none.
type BoxesOrCause struct {
	*Boxes
	Cause string `json:"cause,omitempty"`
}

const (
	mostBoxes    = 4000
	mostBoxBytes = 12 << 20 // of the columns that are read for boxes: about two million rows
)

// boxer collects boxes while rows are applied.
type boxer struct {
	Boxes
	firstNs, fromNs, toNs, pixel int64
	open                         map[[2]int]int // by lane and height: the box of an execution that runs
	last                         map[[2]uint32]int
	laneOf                       map[uint32]int
	working                      map[uint32]work // by lane: the box that is at work since when
	worked                       map[int]int     // by box: its last stretch of work
	w                            *Watcher
	lanes                        []string
	keys                         []Function
	full                         bool
}

type work struct {
	box   int
	since int64
}

// boxes makes the timing diagram.
func (w *Watcher) boxes(f *Frame, a Ask, firstNs int64, lanes []string, keys []Function) (*BoxesOrCause, error) {
	c := w.look.Cursor()
	from := max(0, a.BoxesFromNs)
	to := min(a.BoxesToNs, f.NowNs)
	if to <= from {
		return &BoxesOrCause{Boxes: &Boxes{}}, nil
	}
	m, err := c.To(firstNs + from)
	if err != nil {
		return nil, err
	}
	if w.look.bytesBetween(c.next, firstNs+to) > mostBoxBytes {
		return &BoxesOrCause{Cause: fmt.Sprintf("%v hold too many calls to be drawn one by one: show a shorter time", time.Duration(to-from).Round(time.Millisecond))}, nil
	}
	b := &boxer{
		firstNs: firstNs, fromNs: from, toNs: to, pixel: (to - from) / int64(max(a.Pixels, 1)), open: make(map[[2]int]int), last: make(map[[2]uint32]int),
		laneOf: make(map[uint32]int), working: make(map[uint32]work), worked: make(map[int]int), w: w, lanes: lanes, keys: keys,
	}
	for lane, frames := range m.Lanes {
		b.enterAll(uint32(lane), frames)
	}
	c.Each = b.row
	if _, err := c.To(firstNs + to); err != nil {
		return nil, err
	}
	for lane := range b.working {
		b.rest(lane, b.toNs)
	}
	if b.full {
		return &BoxesOrCause{Cause: fmt.Sprintf("more than %d executions: show a shorter time", mostBoxes)}, nil
	}
	return &BoxesOrCause{Boxes: &b.Boxes}, nil
}

// enterAll takes what ran on a lane at the beginning.
func (b *boxer) enterAll(lane uint32, frames []hotness.Frame) {
	box := -1
	caller := -1
	for height, f := range frames {
		if f.Outer {
			box = b.begin(lane, height, f.Key, f.Of, caller, f.StartNs-b.firstNs)
		}
		caller = int(f.Of)
	}
	if n := len(frames); n > 0 && !frames[n-1].Away {
		b.working[lane] = work{box, b.fromNs}
	}
}

// begin begins a box.
func (b *boxer) begin(lane uint32, height int, key, of uint32, caller int, startNs int64) int {
	l, known := b.laneOf[lane]
	if !known {
		l = len(b.Lanes)
		b.laneOf[lane] = l
		b.Lanes = append(b.Lanes, b.lanes[lane])
	}
	// What begins in the pixel in which the one before of this component on this lane ended goes on with that, if that is too narrow to be seen by itself.
	same := [2]uint32{lane, of}
	if i, has := b.last[same]; has && !b.Open[i] && b.EndNs[i]-b.StartNs[i] < 2*b.pixel && startNs/max(1, b.pixel) == b.EndNs[i]/max(1, b.pixel) {
		b.Count[i]++
		b.Open[i], b.EndNs[i] = true, b.toNs
		b.open[[2]int{int(lane), height}] = i
		return i
	}
	i := len(b.StartNs)
	if b.full = b.full || i >= mostBoxes; b.full {
		return -1
	}
	b.Component, b.Lane, b.Function = append(b.Component, int(of)), append(b.Lane, l), append(b.Function, b.w.function(key, b.keys))
	b.Caller, b.StartNs, b.EndNs = append(b.Caller, caller), append(b.StartNs, startNs), append(b.EndNs, b.toNs)
	b.Open, b.SelfNs, b.Count = append(b.Open, true), append(b.SelfNs, 0), append(b.Count, 1)
	b.open[[2]int{int(lane), height}], b.last[same] = i, i
	return i
}

// rest ends the work on a lane.
func (b *boxer) rest(lane uint32, atNs int64) {
	w, has := b.working[lane]
	if !has || w.box < 0 {
		return
	}
	delete(b.working, lane)
	b.SelfNs[w.box] += atNs - w.since
	// Work within the same pixel is one stretch.
	if i, has := b.worked[w.box]; has && w.since-b.WorkTo[i] <= b.pixel {
		b.WorkTo[i] = atNs
	} else if n := len(b.WorkBox); n < 4*mostBoxes {
		b.worked[w.box] = n
		b.WorkBox, b.WorkFrom, b.WorkTo = append(b.WorkBox, w.box), append(b.WorkFrom, w.since), append(b.WorkTo, atNs)
	}
}

// row takes a row before the machine does.
func (b *boxer) row(m *hotness.Machine, r hotness.Row) {
	atNs := r.TimeNs - b.firstNs
	if b.full || r.Kind == hotness.Connect || atNs < b.fromNs {
		return
	}
	var frames []hotness.Frame
	if int(r.Lane) < len(m.Lanes) {
		frames = m.Lanes[r.Lane]
	}
	if r.Kind != hotness.Exit {
		b.rest(r.Lane, atNs)
		of, caller := b.keys[r.Key].Component, -1
		box := b.boxOf(r.Lane, frames)
		if n := len(frames); n > 0 {
			caller = int(frames[n-1].Of)
		}
		if caller != int(of) {
			box = b.begin(r.Lane, len(frames), r.Key, of, caller, atNs)
		}
		if r.Kind == hotness.Enter {
			b.working[r.Lane] = work{box, atNs}
		}
		return
	}
	height := len(frames) - 1
	for height >= 0 && frames[height].Key != r.Key {
		height--
	}
	if height < 0 {
		return
	}
	b.rest(r.Lane, atNs)
	for i := len(frames) - 1; i >= height; i-- {
		at := [2]int{int(r.Lane), i}
		if box, has := b.open[at]; has && frames[i].Outer && box >= 0 {
			b.Open[box], b.EndNs[box] = false, atNs
		}
		delete(b.open, at)
	}
	if height > 0 && !frames[height-1].Away {
		b.working[r.Lane] = work{b.boxOf(r.Lane, frames[:height]), atNs}
	}
}

// boxOf is the box of the innermost execution of a lane, or -1.
func (b *boxer) boxOf(lane uint32, frames []hotness.Frame) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if frames[i].Outer {
			if box, has := b.open[[2]int{int(lane), i}]; has {
				return box
			}
			return -1
		}
	}
	return -1
}

// bytesBetween is about how many bytes of columns lie between an offset and a time.
func (k *Look) bytesBetween(at, timeNs int64) int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, m := range k.index {
		if m.timeNs >= timeNs {
			return m.calls - at
		}
	}
	return k.tail.next - at
}
