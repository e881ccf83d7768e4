package machine

import "github.com/tracelake/tracelake/stages/heap"

// Run says how to run a machine.
type Run struct {
	Seed       uint64 // of the noise and of the courses that executions take
	Events     int64  // the run ends with the first exposure that completes this many
	Contention int    // one exposure in so many is delayed; 0: none
}

// Stats counts what a run wrote.
type Stats struct {
	Events, Executions, Messages int64  // that were written
	Exposures                    int64  // that were completed
	Components, Fragments, Words int    // that ran
	Decades                      [5]int // fragments that ran 1-9, 10-99, 100-999, 1000-9999 and more times
	LongestQueue                 int    // orders that waited at one component at a time
	EndNs                        int64  // time of the last event; the first is at 0
}

// Delay is a planted delay: the execution of a trigger that took ExtraNs longer than it should.
type Delay struct {
	Exposure            int64  // its number in the run
	Component, Function string // what was delayed
	StartNs, ExtraNs    int64  // of the execution: its start on the clock of the trace, and what was added to its duration
}

// Run simulates the machine and hands its events to emit in blocks, which emit must not keep. It
// returns what it counted and the delays it planted.
func (m *Machine) Run(r Run, emit func([]Event) error) (Stats, []Delay, error) {
	s := newSimulation(m, r)
	s.nextRoot(-setupNs) // the first event is at 0
	for s.agenda.Len() > 0 {
		t := s.agenda.Pop()
		s.run(t)
		if len(s.block) >= blockEvents {
			if err := s.flush(emit); err != nil {
				return s.stats, s.delays, err
			}
		}
	}
	err := s.flush(emit)
	s.countRan()
	return s.stats, s.delays, err
}

// flush hands out the events of the block and starts a new one.
func (s *simulation) flush(emit func([]Event) error) error {
	err := emit(s.block)
	s.stats.Events += int64(len(s.block))
	s.stats.Executions = s.stats.Events / 2 // both ends of every execution are there in the end
	s.block = s.block[:0]
	return err
}

// blockEvents is about the number of events that are handed out at a time.
const blockEvents = 8192

// order is a request on its way to a service.
type order struct {
	arrivalNs int64 // when the component can take it
	id        int64 // of the message
	extraNs   int64 // planted delay
	caller    int32 // noCaller: the service starts by itself
	service   int32 // position in Machine.services
	link      int32 // number of caller and service
	slot      uint8 // of the caller, for the reply
}

const noCaller = -1

// reply is a reply on its way or there.
type reply struct{ arrivalNs, id int64 }

// station is a component at work.
type station struct {
	rng     source
	program []op
	at      int   // next event of program
	order   order // being served
	busy    bool
	waiting int // slot whose reply it waits for, or notWaiting
	replies [slotCount]fifo[reply]
	orders  fifo[order]
}

const notWaiting = -1

// fifo is a queue that reuses its memory.
type fifo[T any] struct {
	items []T
	head  int
}

func (q *fifo[T]) len() int { return len(q.items) - q.head }

func (q *fifo[T]) push(x T) {
	if q.head > len(q.items)/2 {
		q.items, q.head = q.items[:copy(q.items, q.items[q.head:])], 0
	}
	q.items = append(q.items, x)
}

func (q *fifo[T]) pop() T {
	q.head++
	return q.items[q.head-1]
}

// simulation is a run in progress.
type simulation struct {
	m        *Machine
	want     Run
	spread   *spread
	stations []station
	agenda   heap.Heap[turn] // one a component at most
	block    []Event
	lastID   int64
	loop     loopState
	ran      [][]int64 // how often the programs ran, by link
	stats    Stats
	delays   []Delay
}

// newSimulation returns a run before its first event. Every component has a source of its own.
func newSimulation(m *Machine, r Run) *simulation {
	s := &simulation{m: m, want: r, spread: newSpread(), agenda: heap.New(turn.before), stations: make([]station, len(m.components)),
		block: make([]Event, 0, blockEvents+1024), ran: make([][]int64, m.links)}
	for i := range s.stations {
		s.stations[i].rng = newSource(r.Seed, uint64(i))
		s.stations[i].waiting = notWaiting
	}
	s.loop.rng = newSource(r.Seed, uint64(len(s.stations)))
	return s
}

// run takes the events of a component until another is due first.
// Most components run many events in a row, which then need no heap.
func (s *simulation) run(t turn) {
	c := &s.stations[t.component]
	for {
		next, more := s.step(c, t)
		if !more {
			return
		}
		t.timeNs = next
		if s.agenda.Len() > 0 && !t.before(*s.agenda.First()) || len(s.block) >= blockEvents {
			s.agenda.Push(t)
			return
		}
	}
}

// step takes one event and returns the time of the component's next one, if that is known.
func (s *simulation) step(c *station, t turn) (next int64, more bool) {
	if !c.busy {
		s.start(c)
	}
	o := &c.program[c.at]
	c.at++
	e := Event{TimeNs: t.timeNs, Key: o.key}
	switch o.action {
	case begin:
		s.begin(c, &e)
	case finish:
		return s.finish(c, t, e)
	case callBlock, callRequest, callTrigger:
		s.call(c, t, o, &e)
	case await:
		c.waiting = int(o.slot)
	case resume:
		e.ID, e.Mark = c.replies[o.slot].pop().id, ReceiveReply
	}
	s.block = append(s.block, e)
	return s.proceed(c, t.timeNs)
}

// proceed finds the time of the component's next event; a reply that is not there yet will wake it.
func (s *simulation) proceed(c *station, now int64) (next int64, more bool) {
	o := &c.program[c.at]
	next = now + s.spread.duration(&c.rng, o.gapNs) + o.fixedNs
	if c.at == 1 {
		next += c.order.extraNs
	}
	if c.waiting == notWaiting {
		return next, true
	}
	if c.replies[c.waiting].len() == 0 {
		return 0, false
	}
	q := &c.replies[c.waiting]
	c.waiting = notWaiting
	return max(next, q.items[q.head].arrivalNs), true
}
