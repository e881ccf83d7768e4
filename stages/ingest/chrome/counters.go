package chrome

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/quantities"
)

// counters are the counters of a trace and the totals of clang, which become signals: a value holds until the next one of its series, and the
// last one until the trace ends. Memory grows with series; values are sorted in scratch files where they are many.
type counters struct {
	*reader
	list    []quantity // by signal
	known   map[quantity]int64
	values  *quantities.Values
	process map[word]string // by pid: what labels call it
	totalOf [2]word         // the arguments that totals have
	calls   []int64         // by name: complete calls, of which totals show how many were left out
	totals  []total
}

// total is how many calls of a kind there were, by the recorder that kept only the longer ones of them.
type total struct {
	kind  string
	count int64
	first string // where it stands
}

// quantity is what one line of a counter shows.
type quantity struct {
	pid, name, field word
	id               uint64
}

func newCounters(r *reader) counters {
	return counters{
		reader: r, known: make(map[quantity]int64), process: make(map[word]string),
		values:  quantities.New(r.reading.Memory/16, r.reading.Scratch),
		totalOf: [2]word{r.words.of([]byte("count")), r.words.of([]byte("avg ms"))},
	}
}

// take takes a counter, whose arguments are its series. It reports whether there was a number in them.
func (c *counters) take() (taken bool, err error) {
	e := &c.event
	if !e.hasTs || !e.hasArgs || c.reading.IsPart {
		return false, nil
	}
	for _, v := range c.args.numbers {
		if err := c.add(quantity{e.pid, e.name, v.name, e.id}, v.value); err != nil {
			return true, err
		}
	}
	return len(c.args.numbers) > 0, nil
}

// isTotal reports whether a complete event is one of those that clang writes behind its trace: how long all calls of a kind took together.
// They begin with the trace and have threads of their own, numbered by rank of time; they are no calls.
func (c *counters) isTotal() bool {
	if !c.event.hasArgs || !strings.HasPrefix(c.words.texts[c.event.name], totalPrefix) {
		return false
	}
	found := 0
	for _, names := range [...][]word{c.args.seen, c.args.kept} {
		for _, name := range names {
			if name == c.totalOf[0] || name == c.totalOf[1] {
				found++
			}
		}
	}
	return found == len(c.totalOf)
}

// totalPrefix begins the names of totals.
const totalPrefix = "Total "

// takeTotal takes a total: how long the calls took, in ns, and how many there were.
func (c *counters) takeTotal() error {
	e := &c.event
	count := -1.
	for _, n := range c.args.numbers {
		if n.name == c.totalOf[0] && n.value < math.MaxInt64 {
			count = n.value
			c.totals = append(c.totals, total{strings.TrimPrefix(c.words.texts[e.name], totalPrefix), int64(n.value), c.counted()})
		}
	}
	if c.reading.IsPart {
		c.reading.Ledger.Add(schema.SkippedRecord.OfKind("total"), c.counted)
		return nil
	}
	if err := c.add(quantity{pid: e.pid, name: e.name}, float64(e.dur.ns)); err != nil || count < 0 {
		return err
	}
	return c.add(quantity{pid: e.pid, name: e.name, field: c.totalOf[0]}, count)
}

// add adds a value from the time of the event in hand on.
func (c *counters) add(of quantity, value float64) error {
	signal, known := c.known[of]
	if !known {
		signal = int64(len(c.list))
		c.known[of], c.list = signal, append(c.list, of)
	}
	return c.values.Add(signal, c.event.ts.ns, value)
}

// noteCall counts a complete call.
func (c *counters) noteCall(name word) {
	if int(name) >= len(c.calls) {
		c.calls = append(c.calls, make([]int64, len(c.words.texts)-len(c.calls))...)
	}
	c.calls[name]++
}

// tell counts the calls that totals count and that are not there.
func (c *counters) tell() {
	for _, t := range c.totals {
		known := c.words.of([]byte(t.kind))
		if int(known) < len(c.calls) {
			t.count -= c.calls[known]
		}
		if t.count > 0 {
			c.reading.Ledger.AddMany(schema.ShortCall, t.count, func() string { return t.first })
		}
	}
}

// until notes that the trace goes on until a time.
func (c *counters) until(ns int64) { c.values.Until(ns) }

// name keeps what the labels of tracks call processes.
func (c *counters) name(tracks []track, labels []label) {
	for i, t := range tracks {
		c.process[t.pid] = labels[i].process
	}
}

// attributed adds the signals to what is said of the trace.
func (c *counters) attributed(a *schema.Attributed) *schema.Attributed {
	if len(c.list) == 0 {
		return a
	}
	if a == nil {
		a = &schema.Attributed{Texts: &schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)},
			Sets: &schema.AttributeSets{Parents: []schema.AttributeSet{schema.NoAttributes}, Last: []uint32{0}}}
	}
	for i, s := range c.list {
		signal := schema.Signal{Signal: int64(i), Origin: schema.OriginTrace, StepNs: 1, Name: c.nameOf(s)}
		if s.field == noWord {
			ns := "ns"
			signal.Unit = &ns
		}
		a.Signals, a.OfSignals = append(a.Signals, signal), append(a.OfSignals, schema.NoAttributes)
	}
	a.Fragments = c.values.Fragments
	return a
}

// nameOf is PROCESS/COUNTER.SERIES, or PROCESS/TOTAL.
func (c *counters) nameOf(s quantity) string {
	process := c.process[s.pid]
	if process == "" {
		process = cmp.Or(named(c.words, cmp.Or(c.names.device[s.pid], c.names.process[s.pid]), s.pid, noWord), "process")
	}
	name := process + "/" + c.words.name(s.name)
	if s.field != noWord {
		name += "." + c.words.name(s.field)
	}
	return name
}

// numericArg is a numeric argument of a counter.
type numericArg struct {
	name  word
	value float64
}

// takeNumber takes a numeric argument of a counter, or of an event whose phase stands behind its arguments.
func (a *args) takeNumber(known word) error {
	text, err := a.text()
	if err != nil {
		return err
	}
	a.value = append(a.value[:0], text...)
	a.isNumber(known)
	if a.event.phase == 'C' {
		return nil
	}
	if name := []byte(a.words.texts[known]); a.tags.Wants(name) {
		a.set = a.tags.Add(a.set, name, a.value, a.place)
		a.kept = append(a.kept, known)
	} else {
		a.seen = append(a.seen, known)
	}
	a.keep(known)
	return nil
}

// isNumber keeps the value in hand as a number, if it is one. Bazel writes them as texts.
func (a *args) isNumber(known word) {
	if v, err := strconv.ParseFloat(string(a.value), 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		a.numbers = append(a.numbers, numericArg{known, v})
	}
}

// mayCount reports whether the argument that comes next may be a series of a counter.
func (a *args) mayCount() bool {
	return (a.event.phase == 'C' || a.event.phase == 0) && a.Kind() == jsontext.Number
}
