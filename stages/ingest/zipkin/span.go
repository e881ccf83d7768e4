package zipkin

import (
	"errors"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// reader reads the traces of one file: spans in lists, or in lists of lists, as the API gives them out. The functions that read
// members are made once and not for every span.
// It is made once a file and belongs to one goroutine.
type reader struct {
	*spans.Collector
	json *jsontext.Reader
	at   func(error) *schema.SyntaxError

	span, endpoint, annotation, tag, binary func(name []byte) error
	value, eachAnnotation, eachBinary       func() error

	spanInHand
	into *address // of the endpoint in hand
	note          // the annotation in hand
	key  []byte   // of the tag in hand
	text []byte   // its value, in version 1
}

// spanInHand is what is known of the span in hand. Times are in microseconds, as the trace has them.
// It is a value that is overwritten for the next span, so that reading allocates nothing per span.
type spanInHand struct {
	spans.Span
	start, duration int64    // or spans.Unknown
	shared          bool     // the server's half of a span whose id the client made
	noted           [2]int64 // times of the first and the last annotation, or spans.Unknown
	local           address
	set             schema.AttributeSet
	halves          [2]half // of version 1: by its annotations
}

// address is an endpoint: codes of the service and of the address.
type address struct {
	service, instance uint32
	version6          bool // the address is of IPv6
}

// A fault names what was expected; the place is that of the value in hand.
var (
	errValue = errors.New("expected a span or an array of spans")
	errTimes = errors.New("expected times that fit 64 bits of nanoseconds")
)

// parse reads a file.
// Spans are handed to the collector in the order of the file. The error is that of the file, or of the first fault of
// a strict reading; faults are counted otherwise.
func parse(c *spans.Collector, in io.Reader, file string) error {
	j := jsontext.New(in, file)
	r := &reader{Collector: c, json: j, at: j.At}
	r.span, r.endpoint, r.annotation, r.tag = r.spanMember, r.endpointMember, r.annotationMember, r.tagMember
	r.value = r.takeValue
	r.eachAnnotation, r.binary, r.eachBinary = r.takeAnnotation, r.binaryMember, r.takeBinary
	return spans.EachText(c, j, r.value)
}

// takeValue takes a span, or an array of values.
// Anything else is skipped and counted as a bad record: a list may hold what a proxy put there.
func (r *reader) takeValue() error {
	switch r.json.Kind() {
	case jsontext.Array:
		return r.json.Array(r.value)
	case jsontext.Object:
	default:
		if err := r.json.Skip(); err != nil {
			return err
		}
		return r.Bad(r.at(errValue))
	}
	r.spanInHand = spanInHand{start: spans.Unknown, duration: spans.Unknown, noted: noTimes, halves: [2]half{{times: noTimes}, {times: noTimes}}}
	if err := r.json.Object(r.span); err != nil {
		return err
	}
	return r.close()
}

// spanMember reads a member of a span.
// Members that are not named here, such as the address of the other end, are left and skipped by the reader of JSON.
func (r *reader) spanMember(name []byte) error {
	h := &r.spanInHand
	switch string(name) {
	case "traceId":
		h.Trace = r.TraceID(spans.Text(r.json))
	case "id":
		h.ID = spans.ParseID(spans.Text(r.json))
	case "parentId":
		h.Parent = spans.ParseID(spans.Text(r.json))
	case "kind":
		h.Kind = spans.ParseKind(spans.Text(r.json))
	case "name":
		h.Name = r.Code(spans.Text(r.json))
	case "timestamp":
		return r.number(&h.start)
	case "duration":
		return r.number(&h.duration)
	case "shared":
		if r.json.Kind() == jsontext.Bool {
			h.shared, _ = r.json.Bool()
		}
	case "localEndpoint":
		r.into = &h.local
		return spans.Record(r.json, r.endpoint)
	case "annotations":
		return spans.Set(r.json, r.eachAnnotation)
	case "binaryAnnotations":
		return spans.Set(r.json, r.eachBinary)
	case "tags":
		return spans.Record(r.json, r.tag)
	}
	return nil
}

// tagMember reads a tag of a span. One called error says that it ended with an error, and its value why.
func (r *reader) tagMember(name []byte) error {
	isError := string(name) == "error"
	if !isError && !r.Wants(name) {
		return nil
	}
	r.key = append(r.key[:0], name...) // which reading the value overwrites
	value := spans.ValueText(r.json)
	r.Failed = r.Failed || isError && string(value) != "false"
	if r.Wants(r.key) && len(value) > 0 {
		r.set = r.Tag(r.set, r.key, value, r.at)
	}
	return nil
}

// number takes an integer, which may be written as a string.
// Without an integer the target keeps its value, which says that the time is not known.
func (r *reader) number(to *int64) error {
	v, ok, err := r.Integer(r.json)
	if ok {
		*to = v
	}
	return err
}

// endpointMember reads a member of the endpoint in hand. Its address tells instances of a service apart, IPv4 before IPv6.
// The port is left out: clients get a new one for every connection.
func (r *reader) endpointMember(name []byte) error {
	a := r.into
	switch string(name) {
	case "serviceName":
		a.service = r.Code(spans.Text(r.json))
	case "ipv4":
		a.instance, a.version6 = r.Code(spans.Text(r.json)), false
	case "ipv6":
		if a.instance == 0 || a.version6 {
			a.instance, a.version6 = r.Code(spans.Text(r.json)), true
		}
	}
	return nil
}

// close hands the span on.
// The members of a span come in any order, so what follows from several of them is decided here.
func (r *reader) close() error {
	h := &r.spanInHand
	h.Service, h.Instance = h.local.service, h.local.instance
	if h.Kind == spans.Unspecified && !h.shared && (h.halves[0].seen() || h.halves[1].seen()) {
		return r.closeHalves()
	}
	return r.hand()
}

// hand hands a span on that is of one service.
func (r *reader) hand() error {
	h := &r.spanInHand
	if h.shared && h.Kind == spans.Unspecified {
		h.Kind = spans.Server
	}
	if !h.times() {
		r.TimeOverflow(r.at(errTimes))
		return nil
	}
	r.Attributed(&h.Span, h.set)
	return r.Add(h.Span, r.at)
}

// times finds start and end in nanoseconds, and reports whether they fit. A span that does not say when it starts or how long
// it takes is as long as its annotations show.
// Unknown times are no fault here: the collector's other records of the span may have them, and otherwise it counts
// the span as one without duration.
func (h *spanInHand) times() bool {
	h.StartNs, h.EndNs = spans.Unknown, spans.Unknown
	if h.start == 0 || h.start == spans.Unknown {
		h.start = h.noted[0]
	}
	if h.start == spans.Unknown {
		return true
	}
	if h.duration == spans.Unknown && h.noted[1] > h.start {
		h.duration = h.noted[1] - h.start
	}
	start, fits := spans.Micros(h.start)
	h.StartNs = start
	if !fits || h.duration == spans.Unknown {
		return fits
	}
	duration, first := spans.Micros(h.duration)
	end, second := spans.Sum(start, duration)
	h.EndNs = end
	return first && second
}
