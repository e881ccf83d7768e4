package etf

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/tracelake/tracelake/schema"
)

// errUnit reports that the unit or the offset of times came behind times, so that the text must be read again with it.
var errUnit = errors.New("the unit of times stands behind times")

// document is what a text says, but for claims and dependencies, which are many.
type document struct {
	unit      uint64             // ns
	offset    int64              // ns
	hasUnit   bool               // a line TU was read
	hasOffset bool               // a line O was read
	timed     bool               // a time was read
	resources map[int64]resource // by identifier
	claims    uint32             // claims and events so far

	ofTrace      schema.AttributeSet     // attributes of the trace
	dependencies []schema.DependencyKind // by the number of their message
}

// resource is what the text says of a resource: its name, the component of its claims where an attribute says it.
type resource struct {
	name, component string              // as lifelines are called; the component where an attribute says it
	capacity        float64             // how much can be claimed at a time
	places          bool                // claims name places of it
	set             schema.AttributeSet // its attributes
}

// newDocument is a document with the unit that holds without a line TU.
func newDocument() document {
	return document{unit: units["SECONDS"], resources: map[int64]resource{}}
}

// statements are the functions that read lines, by the word that begins a line. Other lines have no place in events.
var statements = map[string]func(*reader, *statement) (wrong string, err error){
	"TU": (*reader).timeUnit, "O": (*reader).epoch, "T": (*reader).ofAll, "E": (*reader).event, "R": (*reader).resource,
	"C": (*reader).claim, "D": (*reader).dependency, "S": (*reader).signal, "F": (*reader).fragment,
}

// skipped are the lines of time series, with what they are: their fields are known, and the spelling of their points is not.
var skipped = map[string]string{
	"TS": "time series", "TSS": "signal of a time series", "TSP": "sampled points of a time series", "TSR": "regular points of a time series",
}

// readText reads the whole text. Where it gives the unit of times too late, that unit is kept, and the error is
// errUnit: the text is to be read again.
// Reading stops at once then, since every time so far was wrong; at most two such restarts are possible, as either
// line counts once.
func (r *reader) readText(text io.Reader) error {
	r.lines = &lines{from: bufio.NewReaderSize(text, schema.ReadAhead(text, window)), file: r.trace.Path}
	for {
		line, err := r.lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := r.line(line); err != nil {
			return err
		}
	}
}

// line reads a line. A word of one to three capitals may be of a later version of the format and is no fault.
// The first field decides, so a line of another format that happens to begin with such a word is refused by its
// fields.
func (r *reader) line(line []byte) error {
	word, _ := field(line)
	read := statements[string(word)]
	// 1. A word that begins no statement: a time series, another version's line, or none of the format.
	if read == nil {
		kind, known := skipped[string(word)]
		switch {
		case known:
			r.reading.Ledger.Add(schema.SkippedRecord.OfKind(kind), r.lines.wrong("a line of a time series").Error)
			return nil
		case len(word) <= 3 && bytes.IndexFunc(word, notCapital) < 0:
			r.reading.Ledger.Add(schema.UnknownRecord, r.lines.wrong("a line of an unknown type").Error)
			return nil
		}
		return r.reading.Bad(schema.BadLine, r.lines.wrong("expected a line of the Execution Trace Format"))
	}
	// 2. A statement. Its reader says what is wrong with it, or returns an error to stop with.
	headless := len(word) == 1 && word[0] == 'T'
	r.s = split(line, headless)
	wrong, err := read(r, &r.s)
	switch {
	case wrong != "":
		return r.reading.Bad(schema.BadLine, r.lines.wrong(wrong))
	case err == nil && !headless && bytes.IndexByte(r.s.attributes, ';') >= 0:
		// The first statement is good; the second one is lost among its attributes.
		return r.reading.Bad(schema.BadLine, r.lines.wrong("expected one statement on a line: a second ; stands in its attributes"))
	}
	return err
}

// notCapital reports whether a character is no capital of ASCII.
func notCapital(c rune) bool { return c < 'A' || c > 'Z' }

// ofAll reads T: attributes of the trace. Several lines add up.
func (r *reader) ofAll(s *statement) (string, error) {
	r.ofTrace, _ = r.attributes.of(r.ofTrace, s.attributes)
	return "", nil
}

// timeUnit reads TU. The first one holds.
func (r *reader) timeUnit(s *statement) (string, error) {
	unit, known := units[string(s.head[0])]
	switch {
	case !known || s.count != 1:
		return "expected a unit of time: NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES or HOURS", nil
	case r.hasUnit && unit != r.unit:
		r.reading.Ledger.Add(schema.DuplicateDef, r.lines.wrong("another unit of time; the first one holds").Error)
		return "", nil
	case unit != r.unit && r.timed:
		r.unit, r.hasUnit = unit, true
		return "", errUnit
	}
	r.unit, r.hasUnit = unit, true
	return "", nil
}

// epoch reads O: what to add to all times, in ms.
// The format counts from the Unix epoch in whole milliseconds, as Java does.
func (r *reader) epoch(s *statement) (string, error) {
	const millisecond = 1_000_000
	ms, ok := readID(s.head[0])
	switch {
	case !ok || s.count != 1 || ms > math.MaxInt64/millisecond || ms < math.MinInt64/millisecond:
		return "expected a whole number of milliseconds", nil
	case r.hasOffset && ms*millisecond != r.offset:
		r.reading.Ledger.Add(schema.DuplicateDef, r.lines.wrong("another offset of times; the first one holds").Error)
		return "", nil
	case ms*millisecond != r.offset && r.timed:
		r.offset, r.hasOffset = ms*millisecond, true
		return "", errUnit
	}
	r.offset, r.hasOffset = ms*millisecond, true
	return "", nil
}

// time reads a time in nanoseconds. It returns what is wrong, or reports that the time does not fit, which it counts.
// The sum overflows where it moves against the sign of the offset; the greatest time is kept free, as it stands for
// never.
func (r *reader) time(s []byte) (ns int64, wrong string, fits bool) {
	t := readStamp(s, r.unit)
	if !t.good {
		return 0, "expected a time", false
	}
	r.timed = true
	ns = t.ns + r.offset
	if !t.fits || (ns > t.ns) != (r.offset > 0) || ns == math.MaxInt64 {
		r.reading.Ledger.Add(schema.UnsupportedTime, r.lines.wrong("a time beyond 64 bits of nanoseconds").Error)
		return 0, "", false
	}
	return ns, "", true
}

// readID reads a whole number.
func readID(s []byte) (n int64, ok bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	for _, c := range s {
		if c-'0' > 9 || n > (math.MaxInt64-9)/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, len(s) > 0
}
