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
type reader struct {
	*spans.Collector
	json *jsontext.Reader
	at   func(error) *schema.SyntaxError

	span, endpoint, annotation func(name []byte) error
	value, eachAnnotation      func() error

	spanInHand
}

// spanInHand is what is known of the span in hand. Times are in microseconds, as the trace has them.
type spanInHand struct {
	spans.Span
	spanID          uint64
	start, duration int64    // or spans.Unknown
	shared          bool     // the server's half of a span whose id the client made
	noted           [2]int64 // times of the first and the last annotation, or spans.Unknown
	version6        bool     // the address is of IPv6
}

var (
	errValue = errors.New("expected a span or an array of spans")
	errTimes = errors.New("expected times that fit 64 bits of nanoseconds")
)

// parse reads a file.
func parse(c *spans.Collector, in io.Reader, file string) error {
	j := jsontext.New(in, file)
	r := &reader{Collector: c, json: j, at: j.At}
	r.span, r.endpoint, r.annotation = r.spanMember, r.endpointMember, r.annotationMember
	r.value = r.takeValue
	r.eachAnnotation = func() error { return spans.Record(j, r.annotation) }
	return spans.EachText(c, j, r.value)
}

// takeValue takes a span, or an array of values.
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
	r.spanInHand = spanInHand{start: spans.Unknown, duration: spans.Unknown, noted: [2]int64{spans.Unknown, spans.Unknown}}
	if err := r.json.Object(r.span); err != nil {
		return err
	}
	return r.close()
}

// spanMember reads a member of a span.
func (r *reader) spanMember(name []byte) error {
	h := &r.spanInHand
	switch string(name) {
	case "traceId":
		h.Trace = spans.ParseTraceID(spans.Text(r.json))
	case "id":
		h.spanID = spans.ParseID(spans.Text(r.json))
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
		return spans.Record(r.json, r.endpoint)
	case "annotations":
		return spans.Set(r.json, r.eachAnnotation)
	}
	return nil
}

// number takes an integer, which may be written as a string.
func (r *reader) number(to *int64) error {
	v, ok, err := r.Integer(r.json)
	if ok {
		*to = v
	}
	return err
}

// endpointMember reads a member of the local endpoint. Its address tells instances of a service apart, IPv4 before IPv6.
func (r *reader) endpointMember(name []byte) error {
	h := &r.spanInHand
	switch string(name) {
	case "serviceName":
		h.Service = r.Code(spans.Text(r.json))
	case "ipv4":
		h.Instance, h.version6 = r.Code(spans.Text(r.json)), false
	case "ipv6":
		if h.Instance == 0 || h.version6 {
			h.Instance, h.version6 = r.Code(spans.Text(r.json)), true
		}
	}
	return nil
}

// annotationMember reads a member of an annotation, of which only the time matters: see times.
func (r *reader) annotationMember(name []byte) error {
	if string(name) != "timestamp" {
		return nil
	}
	at := spans.Unknown
	if err := r.number(&at); err != nil || at == spans.Unknown {
		return err
	}
	if first := &r.noted[0]; *first == spans.Unknown || at < *first {
		*first = at
	}
	r.noted[1] = max(r.noted[1], at)
	return nil
}

// close hands the span on.
func (r *reader) close() error {
	h := &r.spanInHand
	h.ID = h.spanID
	if h.shared && h.Kind == spans.Unspecified {
		h.Kind = spans.Server
	}
	if !h.times() {
		r.TimeOverflow(r.at(errTimes))
		return nil
	}
	return r.Add(h.Span, r.at)
}

// times finds start and end in nanoseconds, and reports whether they fit. A span that does not say when it starts or how long
// it takes is as long as its annotations show.
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
