package etf

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// ThingsWriter writes a run that has attributes, claims, dependencies or signals of its own, as ETF has them: read again, the
// text gives the same tables. It keeps the events of claims, 40 bytes each, since claims of equal times must stand in the order
// of their starts and ends and are known whole at their ends only.
type ThingsWriter struct {
	text    Writer           // its buffer, and its head
	of      *schema.Things   // the tables that the run has of its own
	unitNs  int64            // ns of the unit of times
	lanes   map[string]*open // by name of the lifeline
	byCode  []*open          // nil where a lifeline was not met yet
	next    int              // position of the next claim to begin
	from    []int64          // ns: the beginnings of claims, by position
	to      []int64          // ns
	on      []int32          // number of their lifelines
	finish  []finished       // ends of claims
	moments []moment         // regular events
	events  int64            // the number of the first regular event in the text
}

// open is a lifeline: the claims that are open, by position; those of executions that claim nothing have -1.
type open struct {
	number int32
	claims []int
}

// finished says which claim ends with an event. The list is in the order of seq.
type finished struct {
	seq   int64 // number of the exit in the trace
	claim int   // position in the table claims
}

// moment is a regular event.
type moment struct{ seq, timeNs int64 } // number and time of the event

// WriterOf returns the writer of a run with these things to w: a ThingsWriter where there are some, and else a Writer.
func WriterOf(w io.Writer, of *schema.Things) interface {
	Write(*schema.Events) error
	Close() error
} {
	if of.Some() {
		return NewThingsWriter(w, of)
	}
	return NewWriter(w)
}

// NewThingsWriter returns a writer of a run to w. It reads of the things at Close.
func NewThingsWriter(w io.Writer, of *schema.Things) *ThingsWriter {
	t := &ThingsWriter{text: *NewWriter(w), of: of, unitNs: 1, lanes: make(map[string]*open)}
	t.from, t.to, t.on = make([]int64, len(of.Claims.ID)), make([]int64, len(of.Claims.ID)), make([]int32, len(of.Claims.ID))
	// Numbers of fragments are not converted, so times are in their unit.
	// All signals of a trace have one unit, so the last one says it for all.
	for _, s := range of.Signals {
		if s.Origin == schema.OriginTrace {
			t.unitNs = s.StepNs
		}
	}
	return t
}

// Write takes events that follow those before in the trace. It keeps nothing of them.
func (t *ThingsWriter) Write(ev *schema.Events) error {
	t.byCode = make([]*open, ev.Names.Lifelines.Len())
	for i, kind := range ev.Kind {
		if !t.text.begun {
			t.begin(ev.TimeNs[i])
		}
		t.text.end = max(t.text.end, ev.TimeNs[i])
		switch kind {
		case schema.Enter:
			t.enter(t.lane(ev, i), ev.Seq[i], ev.TimeNs[i])
		case schema.Exit:
			t.exit(t.lane(ev, i), ev.Seq[i], ev.TimeNs[i])
		case schema.Regular:
			t.moments = append(t.moments, moment{ev.Seq[i], ev.TimeNs[i]})
		}
	}
	return t.text.err
}

// lane is the lifeline of an event.
func (t *ThingsWriter) lane(ev *schema.Events, i int) *open {
	code := ev.Lifeline[i]
	if t.byCode[code] == nil {
		name := ev.Names.Lifelines.Name(code)
		if t.lanes[name] == nil {
			t.lanes[name] = &open{number: int32(len(t.lanes))}
		}
		t.byCode[code] = t.lanes[name]
	}
	return t.byCode[code]
}

// enter opens a claim if the execution has one. Both are in the order of seq.
func (t *ThingsWriter) enter(l *open, seq, timeNs int64) {
	claim := -1
	if t.next < len(t.from) && t.of.Claims.Execution[t.next] == seq {
		claim = t.next
		t.from[claim], t.to[claim], t.on[claim] = timeNs, timeNs, l.number
		t.next++
	}
	l.claims = append(l.claims, claim)
}

// exit closes the innermost claim. Claims of a lifeline lie in one another.
func (t *ThingsWriter) exit(l *open, seq, timeNs int64) {
	n := len(l.claims) - 1
	if n < 0 {
		return
	}
	if claim := l.claims[n]; claim >= 0 {
		t.to[claim] = timeNs
		t.finish = append(t.finish, finished{seq, claim})
	}
	l.claims = l.claims[:n]
}

// begin writes the head of the text.
func (t *ThingsWriter) begin(firstNs int64) {
	t.text.begin(firstNs)
	// The head was written for nanoseconds; only the word of the unit is replaced.
	if t.unitNs != 1 {
		// In place of the line about nanoseconds that a run without signals has.
		t.text.buf = slices.Replace(t.text.buf, 0, len("TU NANOSECONDS"), []byte("TU "+unitWords[t.unitNs])...)
	}
}

// unitWords are the words of TU, by their length in ns.
var unitWords = map[int64]string{1: "NANOSECONDS", 1e3: "MICROSECONDS", 1e6: "MILLISECONDS", 1e9: "SECONDS", 60e9: "MINUTES", 3600e9: "HOURS"}

// Close writes the text. It does not close the writer below.
func (t *ThingsWriter) Close() error {
	if !t.text.begun {
		first := int64(0)
		if len(t.of.Fragments.FromNs) > 0 {
			first = slices.Min(t.of.Fragments.FromNs)
		}
		t.begin(first)
	}
	t.writeHead()
	t.writeClaims()
	t.writeMoments()
	t.writeDependencies()
	t.writeSignals()
	t.text.flush()
	return t.text.err
}

// writeHead writes the attributes of the trace, and resources.
func (t *ThingsWriter) writeHead() {
	about := attributesOf(t.of.Attributes, schema.OfTrace)
	if text := about.at(schema.NoValue); text != "" {
		t.text.buf = fmt.Appendf(t.text.buf, "T %s\n", text)
	}
	about = attributesOf(t.of.Attributes, schema.OfResource)
	for _, r := range t.of.Resources {
		t.text.buf = fmt.Appendf(t.text.buf, "R %d %s %t;", r.Resource, number(r.Capacity), r.Places)
		t.endLine(&about, r.Resource)
	}
}

// writeClaims writes claims in the order of their starts; where that is not the order of ends of one time, in one that is both.
func (t *ThingsWriter) writeClaims() {
	about, c := attributesOf(t.of.Attributes, schema.OfClaim), t.of.Claims
	for _, i := range t.claimOrder() {
		id := c.ID[i]
		t.text.buf = strconv.AppendInt(append(t.text.buf, "C "...), id, 10)
		t.time(t.from[i])
		t.time(t.to[i])
		t.text.buf = strconv.AppendInt(append(t.text.buf, ' '), c.Resource[i], 10)
		// NaN stands for a claim without a place.
		if place := c.Place[i]; place == place {
			t.text.buf = append(append(t.text.buf, ' '), number(place)...)
		}
		// The format needs an amount; 0 is none.
		amount := c.Amount[i]
		if amount != amount {
			amount = 0
		}
		t.text.buf = append(append(append(t.text.buf, ' '), number(amount)...), ';')
		t.endLine(&about, c.Execution[i])
		t.events = max(t.events, id+1)
	}
}

// writeMoments writes regular events. They get numbers of their own, as no table has those of the trace: numbers that no claim
// has, so that a dependency names one thing.
func (t *ThingsWriter) writeMoments() {
	about := attributesOf(t.of.Attributes, schema.OfEvent)
	for i, m := range t.moments {
		t.text.buf = strconv.AppendInt(append(t.text.buf, "E "...), t.events+int64(i), 10)
		t.time(m.timeNs)
		t.text.buf = append(t.text.buf, ';')
		t.endLine(&about, m.seq)
	}
}

// writeDependencies writes dependencies in their order. One whose end is no event of a claim has none of the trace either.
func (t *ThingsWriter) writeDependencies() {
	about, d := attributesOf(t.of.Attributes, schema.OfDependency), t.of.Dependencies
	for i, n := range d.Dependency {
		source, known := t.thing(d.Source[i])
		target, alsoKnown := t.thing(d.Target[i])
		if !known || !alsoKnown {
			continue
		}
		t.text.buf = fmt.Appendf(t.text.buf, "D %d %d %d %d;", n, d.Type[i], source, target)
		t.endLine(&about, n)
	}
}

// thing is the number of the claim or event of which an event is.
// In the order of the tables: the start of a claim, the end of one, a regular event. All three are sorted.
func (t *ThingsWriter) thing(seq int64) (id int64, known bool) {
	if i, found := slices.BinarySearch(t.of.Claims.Execution, seq); found {
		return t.of.Claims.ID[i], true
	}
	if i, found := slices.BinarySearchFunc(t.finish, seq, func(f finished, seq int64) int { return compare(f.seq, seq) }); found {
		return t.of.Claims.ID[t.finish[i].claim], true
	}
	i, found := slices.BinarySearchFunc(t.moments, seq, func(m moment, seq int64) int { return compare(m.seq, seq) })
	return t.events + int64(i), found
}

// compare orders numbers of events.
func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// writeSignals writes the signals of the trace. Those that were computed are none of it.
func (t *ThingsWriter) writeSignals() {
	about, of := attributesOf(t.of.Attributes, schema.OfSignal), map[int64]bool{}
	for _, s := range t.of.Signals {
		if s.Origin != schema.OriginTrace {
			continue
		}
		of[s.Signal] = true
		t.text.buf = fmt.Appendf(t.text.buf, "S %d;", s.Signal)
		t.endLine(&about, s.Signal)
	}
	// Fragments come by signal and time, as the table has them.
	f := t.of.Fragments
	for i, signal := range f.Signal {
		if !of[signal] {
			continue
		}
		t.text.buf = strconv.AppendInt(append(t.text.buf, "F "...), signal, 10)
		t.time(f.FromNs[i])
		t.time(f.ToNs[i])
		for _, n := range [...]float64{f.C[i], f.B[i], f.A[i]} {
			t.text.buf = append(append(t.text.buf, ' '), number(n)...)
		}
		t.text.buf = append(t.text.buf, '\n')
		t.flushFull()
	}
}

// endLine ends a line with the attributes of a thing.
func (t *ThingsWriter) endLine(about *cursor, ref int64) {
	t.text.buf = append(append(t.text.buf, about.at(ref)...), '\n')
	t.flushFull()
}

// flushFull writes the buffer once it is full, at the end of a line.
func (t *ThingsWriter) flushFull() {
	if len(t.text.buf) >= buffered {
		t.text.flush()
	}
}

// time writes a time in the unit of the text, behind a blank.
func (t *ThingsWriter) time(ns int64) {
	t.text.buf = appendTime(append(t.text.buf, ' '), ns-t.text.origin, t.unitNs)
}

// number is the shortest text that reads as the number.
func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// cursor goes through the attributes of one kind of thing, which stand in the order of the things. A thing that is asked for behind
// a later one is searched.
type cursor struct {
	*schema.Attributes
	kind schema.AttributeOf
	row  int
	text []byte
}

// attributesOf is a cursor before the first thing of a kind.
func attributesOf(a *schema.Attributes, kind schema.AttributeOf) cursor {
	return cursor{Attributes: a, kind: kind}
}

// at is the text of the attributes of a thing.
func (c *cursor) at(ref int64) string {
	c.text = c.text[:0]
	// Claims of equal ends may be written before those that started earlier.
	for c.row > 0 && (c.About[c.row-1] != c.kind || c.Ref[c.row-1] >= ref) {
		c.row--
	}
	for ; c.row < len(c.Ref); c.row++ {
		// Attributes of other kinds, and those of things that were passed over, are skipped.
		if c.About[c.row] != c.kind || c.Ref[c.row] < ref {
			continue
		}
		if c.Ref[c.row] > ref {
			break
		}
		if len(c.text) > 0 {
			c.text = append(c.text, ',')
		}
		c.text = append(append(c.text, plain(c.Texts.Names.Name(c.Name[c.row]))...), '=')
		c.text = append(c.text, plain(c.Texts.Values.Name(c.Value[c.row]))...)
	}
	return string(c.text)
}
