package spans

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/tags"
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
	rule      *regexp.Regexp        // what it takes of a service or instance is the component; nil: all of it
	ruled     map[uint32]uint32     // by code: what the rule took of it
	sorter    *extsort.Sorter[Span] // by trace
	take      func(Span) error      // takes every span: that of the sorter, unless traces are watched while they are sent
	names     []string              // by code; the first is the empty text
	codes     map[string]uint32     // of texts, also of those that are no UTF-8
	file      uint32                // code of the name of the file in hand
	said      []string              // what the user is told of the files

	tags     *tags.Table        // nil where no attributes are asked for
	traceIDs bool               // roots have the id of their trace among their attributes
	texts    map[TraceID]uint32 // codes of ids of traces that are known by their hash; nil where nobody wants to see ids
	tagged   map[uint64]uint32  // codes of names with a set of attributes, by both
	named    map[uint32]named   // what such a code stands for

	slicing           *slicing // nil: the trace is one run
	clocks            clocks
	losses            *schema.Ledger // of the traces
	links             uint64         // numbered so far
	noService, noName uint32
}

func newCollector(reading *schema.Reading, memory int64) *Collector {
	c := &Collector{reading: reading, codes: make(map[string]uint32), ruled: make(map[uint32]uint32)}
	word, rule, err := schema.ComponentRule(reading.Options.Component)
	if err == nil { // Format.CheckComponent has refused any other
		c.instances, c.rule = word == byInstance, rule
	}
	if c.tags = tags.New(reading.Options.Attributes); c.tags != nil {
		c.tagged, c.named = make(map[uint64]uint32), make(map[uint32]named)
		if c.traceIDs = slices.Contains(reading.Options.Attributes, schema.TraceIDAttribute); c.traceIDs {
			c.keepTraceIDs()
		}
	}
	c.clocks, c.losses = newClocks(reading.Options.Clocks), new(schema.Ledger)
	c.sorter = extsort.NewSorter(compareTraces, memory, reading.Scratch)
	c.take = c.sorter.Add
	c.Code(nil)
	c.noService, c.noName = c.Code([]byte(noService)), c.Code([]byte(noName))
	return c
}

// Code returns the code of a text, which is copied when it is new. Bytes that are no UTF-8, and control characters, become
// U+FFFD, as in the names of all other formats.
// It costs one look into a map for a text that is known. A broken text is remembered as it stands too, so that it is mended once.
func (c *Collector) Code(text []byte) uint32 {
	if code, known := c.codes[string(text)]; known {
		return code
	}
	code := uint32(len(c.names))
	if !utf8.Valid(text) || bytes.ContainsFunc(text, isControl) {
		code = c.Code(bytes.Map(func(r rune) rune {
			if isControl(r) {
				return utf8.RuneError
			}
			return r
		}, text))
	} else {
		c.names = append(c.names, string(text))
	}
	c.codes[string(text)] = code
	return code
}

// isControl reports whether a character is one of the control characters of ASCII.
func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// Add takes a span. A span without trace or id is counted as a bad record at the place that is given.
// The error is that of scratch files, or of a strict reading. The span is copied.
func (c *Collector) Add(s Span, at func(error) *schema.SyntaxError) error {
	if !s.Identified() {
		return c.Bad(at(errNoID))
	}
	if s.StartNs == Unknown && s.EndNs != Unknown {
		s.EndNs = Unknown // a record is folded with its twin by what it has; an end alone is of no use
	}
	s.Service = cmp.Or(s.Service, c.noService)
	if !c.instances {
		c.applyRule(&s)
	}
	c.assignClock(&s)
	if c.instances && s.Instance != 0 {
		s.Service = s.Instance
		c.applyRule(&s)
	}
	s.Name = cmp.Or(s.Name, c.noName)
	s.file = c.file
	return c.take(s)
}

// applyRule takes from the name of a service what the rule of the user says. What has another name then, such as a pod, is an instance of
// the service, unless the trace names one: a call from one to the other stays a message, and their clocks may differ.
func (c *Collector) applyRule(s *Span) {
	if c.rule == nil {
		return
	}
	component, known := c.ruled[s.Service]
	if !known {
		component = s.Service
		if found := c.rule.FindStringSubmatch(c.names[s.Service]); found != nil && found[1] != "" {
			component = c.Code([]byte(found[1]))
		}
		c.ruled[s.Service] = component
	}
	if component != s.Service {
		s.Instance, s.Service = cmp.Or(s.Instance, s.Service), component
	}
}

// Options are the choices of the user for this reading.
func (c *Collector) Options() schema.ReadingOptions { return c.reading.Options }

// Scratch opens a nameless file for a format that has to read in any order.
func (c *Collector) Scratch() (schema.Scratch, error) { return c.reading.Scratch() }

// Say tells the user a sentence about the files, once.
func (c *Collector) Say(sentence string) {
	if !slices.Contains(c.said, sentence) {
		c.said = append(c.said, sentence)
	}
}

var errAttribute = errors.New("an attribute of a span")

var errNoID = errors.New("a span without a trace id or without an id of its own")

// Bad counts a record that is not of its format. The error is to stop with.
func (c *Collector) Bad(at *schema.SyntaxError) error { return c.reading.Bad(schema.BadRecord, at) }

// Torn counts a record in whose middle a file ends. The error is to stop with.
func (c *Collector) Torn(at *schema.SyntaxError) error { return c.reading.Bad(schema.TornRecord, at) }

// Damaged counts an attribute of some spans that is damaged in the file, so that they are kept without it. The error is to stop with.
func (c *Collector) Damaged(attribute string, spans int64, at *schema.SyntaxError) error {
	if c.reading.Strict {
		return at
	}
	c.tags.Damaged(attribute, spans, at.Error)
	return nil
}

// Unknown counts a record of a kind that the format does not define. It is left out.
func (c *Collector) Unknown(at *schema.SyntaxError) {
	c.reading.Ledger.Add(schema.UnknownRecord, at.Error)
}

// TimeOverflow counts a span whose times do not fit 64 bits of nanoseconds. It is left out.
func (c *Collector) TimeOverflow(at *schema.SyntaxError) {
	c.reading.Ledger.Add(schema.UnsupportedTime, at.Error)
}

// countLoss counts a loss at a span.
func (c *Collector) countLoss(r schema.Reason, s *Span) {
	c.losses.Add(r, func() string { return c.names[s.file] + ": " + s.String() })
}

// Undefined counts a name that the trace does not define.
func (c *Collector) Undefined(at *schema.SyntaxError) {
	c.reading.Ledger.Add(schema.UndefinedToken, at.Error)
}
