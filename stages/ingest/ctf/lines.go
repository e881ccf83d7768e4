package ctf

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// Line is an event as a text shows it. Its slices are of the text.
type Line struct {
	Ns      int64   // the time
	Number  int64   // of the line, from 1
	Host    []byte  // "" where the line names none
	Name    []byte  // of the event, provider:event
	Fields  []Field // of the contexts, then of the payload
	Payload int     // where the fields of the payload begin
}

// Field is a field of an event. Text has lost its quotes.
type Field struct {
	Name, Value []byte
	Text        bool
}

// Text is the text of a trace. Each passes on its events, in the order of the text, and may be called several times; only the last
// time, which final says, what is no event counts.
type Text interface {
	Each(final bool, yield func(*Line) error) error
}

// LineReader reads the text of a trace by the rules for the trace. A text tells of no packets and so of nothing that the tracer
// lost; it is in order by the clocks of its hosts, which are not compared.
type LineReader struct {
	*reader
	text   Text
	file   string
	traces map[lineSource]*textSource
	list   []*textSource // in the order of their first events

	last    *textSource // of the line before; nil before the first
	lastKey lineSource
}

// NewLineReader returns a reader of a text that has read nothing. A file is what positions of losses name.
func NewLineReader(r *schema.Reading, file string, text Text) *LineReader {
	return &LineReader{reader: newReader(r), text: text, file: file, traces: make(map[lineSource]*textSource)}
}

// lineSource is one trace of a text: a host's kernel, whose events have no provider, or what runs on it.
type lineSource struct {
	host   string
	kernel bool
}

// textSource is what the text shows of a trace, as metadata would describe it.
type textSource struct {
	meta   *metadata
	kinds  map[string]*eventClass // by name
	stream *stream                // that the lines stand for
	first  map[uint64]Line        // by CPU: its first switch of threads

	dispatched map[int64]int64 // by time of the source: what is taken, by events that count only where no others tell it
}

// Read implements schema.Reader.
func (l *LineReader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	l.listen(emit)
	l.ros.messages = make(published)
	if err := l.text.Each(false, l.describeLine); err != nil {
		return err
	}
	l.countDispatched()
	find := l.pairs
	if there := l.described(); !slices.Contains(there[roleEnter:roleRegionLeave+1], true) {
		find = findInstants
	} else if err := l.learnFromLines(); err != nil {
		return err
	}
	if err := l.prepareLines(find); err != nil {
		return err
	}
	if err := l.out.Begin(emit); err != nil {
		return err
	}
	if err := l.text.Each(true, l.takeLine); err != nil {
		return err
	}
	if err := l.out.End(); err != nil {
		return err
	}
	l.tags.Tell(l.reading.Ledger)
	if len(l.sources) == 0 { // also where the text was empty when it was described
		return fmt.Errorf("%s: no events", l.file)
	}
	return l.countSkipped()
}

// sourceOf returns the trace of a line.
func (l *LineReader) sourceOf(line *Line) *textSource {
	// Most lines are of the trace of the line before.
	kernel := bytes.IndexByte(line.Name, ':') < 0
	if l.last != nil && l.lastKey.kernel == kernel && l.lastKey.host == string(line.Host) {
		return l.last
	}
	key := lineSource{string(line.Host), kernel}
	t := l.traces[key]
	if t == nil {
		class := &streamClass{events: make(map[uint64]*eventClass)}
		t = &textSource{
			meta:  &metadata{file: l.file, order: little, env: map[string]string{"hostname": key.host}, streams: map[uint64]*streamClass{0: class}},
			kinds: make(map[string]*eventClass), first: make(map[uint64]Line), dispatched: make(map[int64]int64),
		}
		if key.kernel {
			t.meta.env["domain"] = kernelDomain
		}
		l.traces[key], l.list = t, append(l.list, t)
	}
	l.last, l.lastKey = t, key
	return t
}

// linesUnheard is how many lines are gone through until an interrupt is heard.
const linesUnheard = 1 << 12

// describeLine describes an event of a new name by its fields, and notes what is to be known beforehand.
func (l *LineReader) describeLine(line *Line) error {
	if line.Number%linesUnheard == 0 {
		if err := l.heard(); err != nil {
			return err
		}
	}
	t := l.sourceOf(line)
	e := t.kinds[string(line.Name)]
	if e == nil {
		events := t.meta.streams[0].events
		e = &eventClass{
			name: string(line.Name), id: uint64(len(events)), at: token{line: line.Number, col: 1},
			context: structureOf(line.Fields[:line.Payload]), fields: structureOf(line.Fields[line.Payload:]),
		}
		events[e.id], t.kinds[e.name] = e, e
	}
	switch m := meaningOf(e.name); m.role {
	case roleTake:
		l.describeTake(t, line, m)
	case roleSwitch:
		cpu, _ := line.number("cpu_id")
		if _, known := t.first[cpu]; !known {
			t.first[cpu] = line.clone()
		}
	}
	return nil
}

// describeTake counts a message that is taken. Whether it tells what no other event tells shows at the end of the text.
func (l *LineReader) describeTake(t *textSource, line *Line, m meaning) {
	ns, is := int64(0), true
	for _, w := range m.fields {
		n, told := uint64(0), false
		for _, name := range strings.Fields(w.names) {
			if n, told = line.number(name); told {
				break
			}
		}
		switch {
		case w.reg == regNumber:
			ns = int64(n)
		case w.reg == regOther && told:
			is = n != 0
		}
	}
	switch {
	case ns == 0 || !is:
	case m.unless == "":
		l.countTake(ns)
	case len(t.dispatched) < l.mostPublished():
		t.dispatched[ns]++
	}
}

// countDispatched counts what is taken by the events that tell it where no others do.
func (l *LineReader) countDispatched() {
	for _, t := range l.list {
		if t.kinds[takesTold] != nil {
			continue
		}
		for _, ns := range slices.Sorted(maps.Keys(t.dispatched)) {
			for range t.dispatched[ns] {
				l.countTake(ns)
			}
		}
	}
}

// structureOf describes fields as metadata would: numbers and texts.
func structureOf(fields []Field) *typ {
	t := &typ{class: structure, align: 1}
	for _, f := range fields {
		kind := &typ{class: integer, size: 64, align: 8}
		if _, is := parseNumber(f.Value); f.Text || !is {
			kind = &typ{class: characters, align: 8}
		}
		t.members = append(t.members, member{string(f.Name), kind})
	}
	return t
}

// described are the roles of the events of the text, by names and pairs.
func (l *LineReader) described() (there [roles]bool) {
	for _, t := range l.list {
		found := findPairs(t.meta, processes.NewTable(schema.ReadingOptions{}), l.reading.Options.Pairs)
		for name := range t.kinds {
			there[meaningOf(name).role], there[found.of[name].role] = true, true
		}
	}
	return there
}

// prepareLines compiles what the text shows, and makes a stream for each of its traces.
func (l *LineReader) prepareLines(find func(*metadata, *processes.Table) pairs) error {
	reading := *l.reading
	l.parsed, reading.Traces = nil, make([]schema.Trace, len(l.list))
	for _, t := range l.list {
		l.parsed = append(l.parsed, t.meta)
	}
	l.reading = &reading
	if err := l.describe(find); err != nil {
		return err
	}
	seen := scanned{reader: l.reader, first: make(map[cpuKey]bool)}
	for i, t := range l.list {
		of := l.sources[i]
		t.stream = &stream{trace: of, file: l.file, reading: l.reading, lastThread: nobody, byLine: true}
		for _, p := range of.plan.plans() {
			t.kinds[p.event.name].plan = p
		}
		for _, cpu := range slices.Sorted(maps.Keys(t.first)) {
			line := t.first[cpu]
			if t.fill(&line) && t.stream.event.role == roleSwitch {
				seen.firstSwitch(t.stream, of)
			}
		}
	}
	return nil
}

// takeLine takes the event of a line.
func (l *LineReader) takeLine(line *Line) error {
	if l.beforehand != nil && line.Number%linesUnheard == 0 {
		if err := l.beforehand(); err != nil {
			return err
		}
	}
	t := l.sourceOf(line)
	s := t.stream
	// A text may grow while it is read: what the first pass did not see is not described.
	if s == nil || !t.fill(line) {
		l.reading.Ledger.Add(schema.UnknownRecord, func() string { return fmt.Sprintf("%s:%d", l.file, line.Number) })
		return nil
	}
	s.event.count++
	if s.event.role == roleNone && !s.event.executes() {
		return nil
	}
	s.ns = line.Ns - s.trace.aheadNs
	return l.takeEvent(s)
}

// fill puts the fields of a line into the registers of its stream. It reports false for an event that is not described.
func (t *textSource) fill(line *Line) bool {
	e := t.kinds[string(line.Name)]
	if e == nil || e.plan == nil {
		return false
	}
	s, p := t.stream, e.plan
	s.event, s.start, s.buf = p, line.Number, s.buf[:0]
	if p.role.isPacket() {
		s.clearPacket()
	}
	for i := range line.Fields {
		f := &line.Fields[i]
		wanted := p.fromContext
		if i >= line.Payload {
			wanted = p.fromFields
		}
		reg, is := wanted[string(f.Name)]
		switch {
		case !is && string(f.Name) == "cpu_id" && i < line.Payload:
			s.cpu, _ = parseNumber(f.Value)
		case !is:
		case f.Text:
			s.regs[reg] = uint64(len(s.buf))
			s.buf = append(append(s.buf, f.Value...), 0)
		default:
			s.regs[reg], _ = parseNumber(f.Value)
		}
	}
	return true
}

// learnFromLines is learnKeys for a text.
func (l *LineReader) learnFromLines() error {
	if l.reading.Options.PairKey != "" {
		return nil
	}
	quiet := *l.reading
	quiet.Ledger, quiet.Strict, quiet.Options.Attributes = new(schema.Ledger), false, nil
	ahead := &LineReader{reader: newReader(&quiet), text: l.text, file: l.file, traces: l.traces, list: l.list}
	if err := ahead.prepareLines(ahead.candidatePairs); err != nil || !ahead.hasKeys() {
		return err
	}
	ahead.lessons, ahead.beforehand = make(lessons), l.heard
	ahead.ros.messages = make(published)
	if err := ahead.out.Begin(nobodyTakes); err != nil {
		return err
	}
	if err := l.text.Each(false, ahead.takeLine); err != nil {
		return err
	}
	l.keys = ahead.lessons.keysLearned()
	return nil
}

// number returns a field that is a number.
func (line *Line) number(name string) (uint64, bool) {
	for i := range line.Fields {
		if string(line.Fields[i].Name) == name {
			return parseNumber(line.Fields[i].Value)
		}
	}
	return 0, false
}

// clone returns a line that does not depend on the text.
func (line *Line) clone() Line {
	out := *line
	out.Host, out.Name, out.Fields = bytes.Clone(line.Host), bytes.Clone(line.Name), slices.Clone(line.Fields)
	for i, f := range out.Fields {
		out.Fields[i] = Field{bytes.Clone(f.Name), bytes.Clone(f.Value), f.Text}
	}
	return out
}

// parseNumber reads an integer in decimal, or in hexadecimal as addresses are printed. Numbers below zero are two's complement.
func parseNumber(v []byte) (uint64, bool) {
	if len(v) > 2 && v[0] == '0' && v[1]|0x20 == 'x' {
		n, err := strconv.ParseUint(string(v[2:]), 16, 64)
		return n, err == nil
	}
	if len(v) > 0 && v[0] == '-' {
		n, err := strconv.ParseInt(string(v), 10, 64)
		return uint64(n), err == nil
	}
	n, err := strconv.ParseUint(string(v), 10, 64)
	return n, err == nil
}
