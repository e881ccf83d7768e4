package spans

import (
	"bytes"
	"cmp"
	"errors"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// What stands for a name that a trace does not give.
const (
	noService = "unknown_service" // as in OpenTelemetry's conventions
	noName    = "unnamed"
)

// Collector takes the spans of all traces of a reading, in any order, and counts what is wrong with them. Texts become codes,
// so that a span has no pointers and millions of spans share their names.
// It grows in memory with the number of distinct texts and with nothing else; spans spill to scratch files.
type Collector struct {
	reading   *schema.Reading
	instances bool                  // components are instances of services
	sorter    *extsort.Sorter[Span] // by trace
	names     []string              // by code; the first is the empty text
	codes     map[string]uint32     // of texts, also of those that are no UTF-8
	file      uint32                // code of the name of the file in hand

	noService, noName uint32
}

func newCollector(reading *schema.Reading, memory int64) *Collector {
	c := &Collector{reading: reading, instances: reading.Options.Component == byInstance, codes: make(map[string]uint32)}
	c.sorter = extsort.NewSorter(compareTraces, memory, reading.Scratch)
	c.Code(nil)
	c.noService, c.noName = c.Code([]byte(noService)), c.Code([]byte(noName))
	return c
}

// Code returns the code of a text, which is copied when it is new. Bytes that are no UTF-8 become U+FFFD.
// It costs one look into a map for a text that is known. Broken UTF-8 is remembered as it stands too, so that it is
// mended once.
func (c *Collector) Code(text []byte) uint32 {
	if code, known := c.codes[string(text)]; known {
		return code
	}
	code := uint32(len(c.names))
	if !utf8.Valid(text) {
		code = c.Code(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	} else {
		c.names = append(c.names, string(text))
	}
	c.codes[string(text)] = code
	return code
}

// Add takes a span. A span without trace or id is counted as a bad record at the place that is given.
// The error is that of scratch files, or of a strict reading. The span is copied.
func (c *Collector) Add(s Span, at func(error) *schema.SyntaxError) error {
	if !s.Identified() {
		return c.Bad(at(errNoID))
	}
	if s.StartNs == Unknown && s.EndNs != Unknown {
		s.EndNs = Unknown // a record is folded with its twin by what it has; an end alone is of no use
	}
	if c.instances && s.Instance != 0 {
		s.Service = s.Instance
	}
	s.Service = cmp.Or(s.Service, c.noService)
	s.Name = cmp.Or(s.Name, c.noName)
	s.file = c.file
	return c.sorter.Add(s)
}

var errNoID = errors.New("a span without a trace id or without an id of its own")

// Bad counts a record that is not of its format. The error is to stop with.
func (c *Collector) Bad(at *schema.SyntaxError) error { return c.reading.Bad(schema.BadRecord, at) }

// Torn counts a record in whose middle a file ends. The error is to stop with.
func (c *Collector) Torn(at *schema.SyntaxError) error { return c.reading.Bad(schema.TornRecord, at) }

// TimeOverflow counts a span whose times do not fit 64 bits of nanoseconds. It is left out.
func (c *Collector) TimeOverflow(at *schema.SyntaxError) {
	c.reading.Ledger.Add(schema.UnsupportedTime, at.Error)
}

// countLoss counts a loss at a span.
func (c *Collector) countLoss(r schema.Reason, s *Span) {
	c.reading.Ledger.Add(r, func() string { return c.names[s.file] + ": " + s.String() })
}

// Undefined counts a name that the trace does not define.
func (c *Collector) Undefined(at *schema.SyntaxError) {
	c.reading.Ledger.Add(schema.UndefinedToken, at.Error)
}
