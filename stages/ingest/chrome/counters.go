package chrome

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// counters are the counters of a trace and the totals of clang, which become signals: a value holds until the next one of its series, and the
// last one until the trace ends. Memory grows with series; values are sorted in scratch files where they are many.
type counters struct {
	*reader
	list    []quantity // by signal
	known   map[quantity]int64
	values  *extsort.Sorter[counted]
	count   int64
	lastNs  int64           // the end of the trace
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

// counted is a value of a series from a time on.
type counted struct {
	signal, timeNs, number int64
	value                  float64
}

// bySeries sorts values by signal and time, and those of one time as they stand in the file.
func bySeries(a, b *counted) int {
	return cmp.Or(cmp.Compare(a.signal, b.signal), cmp.Compare(a.timeNs, b.timeNs), cmp.Compare(a.number, b.number))
}

func newCounters(r *reader) counters {
	return counters{
		reader: r, known: make(map[quantity]int64), lastNs: math.MinInt64, process: make(map[word]string),
		values:  extsort.NewSorter(bySeries, r.reading.Memory/16, r.reading.Scratch),
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

// takeTotal takes a total, in ns.
func (c *counters) takeTotal() error {
	e := &c.event
	for _, n := range c.args.numbers {
		if n.name == c.totalOf[0] && n.value < math.MaxInt64 {
			c.totals = append(c.totals, total{strings.TrimPrefix(c.words.texts[e.name], totalPrefix), int64(n.value), c.counted()})
		}
	}
	if c.reading.IsPart {
		c.reading.Ledger.Add(schema.SkippedRecord.OfKind("total"), c.counted)
		return nil
	}
	return c.add(quantity{pid: e.pid, name: e.name}, float64(e.dur.ns))
}

// add adds a value from the time of the event in hand on.
func (c *counters) add(of quantity, value float64) error {
	signal, known := c.known[of]
	if !known {
		signal = int64(len(c.list))
		c.known[of], c.list = signal, append(c.list, of)
	}
	c.count++
	c.until(c.event.ts.ns)
	return c.values.Add(counted{signal, c.event.ts.ns, c.count, value})
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
func (c *counters) until(ns int64) { c.lastNs = max(c.lastNs, ns) }

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
	a.Fragments = c.fragments
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

// fragments hands out the pieces of the signals, and lets go of the values.
func (c *counters) fragments(take func(*schema.SignalFragments) error) error {
	t := new(schema.SignalFragments)
	var last counted
	has := false
	put := func(to int64) error {
		if !has || to <= last.timeNs {
			return nil
		}
		t.Signal, t.FromNs, t.ToNs = append(t.Signal, last.signal), append(t.FromNs, last.timeNs), append(t.ToNs, to)
		t.C, t.B, t.A = append(t.C, last.value), append(t.B, 0), append(t.A, 0)
		if len(t.Signal) < schema.BlockEvents {
			return nil
		}
		err := take(t)
		schema.Reset(t)
		return err
	}
	err := c.values.Each(func(v *counted) error {
		to := v.timeNs
		if has && v.signal != last.signal {
			to = max(c.lastNs, last.timeNs+1)
		}
		err := put(to)
		last, has = *v, true
		return err
	})
	if err == nil {
		err = put(max(c.lastNs, last.timeNs+1))
	}
	if err == nil {
		err = take(t)
	}
	return cmp.Or(err, c.values.Close())
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
