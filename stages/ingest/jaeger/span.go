package jaeger

import (
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// spanInHand is what is known of the span in hand.
type spanInHand struct {
	spans.Span
	spanID     uint64
	durationNs int64
	process    uint32
	late       bool // its times do not fit
	references []reference
}

// reference is what a span is tied to.
type reference struct {
	trace   spans.TraceID
	id      uint64
	follows bool
}

func (r *reader) openSpan() {
	r.spanInHand = spanInHand{
		Span: spans.Span{StartNs: spans.Unknown, EndNs: spans.Unknown}, durationNs: spans.Unknown, references: r.references[:0],
	}
}

func (r *reader) takeSpan() error {
	r.openSpan()
	if err := spans.Record(r.json, r.span); err != nil {
		return err
	}
	err := r.closeSpan()
	r.openSpan() // nothing of it is left for the object around it
	return err
}

// closeSpan keeps the span until its trace ends.
func (r *reader) closeSpan() error {
	h := &r.spanInHand
	h.ID = h.spanID
	if h.Trace == (spans.TraceID{}) {
		h.Trace = r.trace.id
	}
	h.refer()
	if h.StartNs != spans.Unknown && h.durationNs != spans.Unknown {
		end, fits := spans.Sum(h.StartNs, h.durationNs)
		h.EndNs, h.late = end, h.late || !fits
	}
	switch {
	case h.late:
		r.Late(r.at(errTimes))
	case !h.Identified():
		return r.Add(h.Span, r.at)
	default:
		r.waiting = append(r.waiting, waiting{h.Span, h.process})
	}
	return nil
}

// refer finds the parent among the references.
func (h *spanInHand) refer() {
	found := false
	for _, to := range h.references {
		if outside := to.trace != (spans.TraceID{}) && to.trace != h.Trace; !outside && (!found || h.Follows && !to.follows) {
			h.Parent, h.Follows, found = to.id, to.follows, true
		}
	}
}

func (r *reader) spanMember(name []byte) error {
	h := &r.spanInHand
	switch string(name) {
	case "traceID", "traceId":
		h.Trace = spans.ParseTraceID(spans.Text(r.json))
	case "spanID", "spanId":
		h.spanID = spans.ParseID(spans.Text(r.json))
	case "parentSpanID", "parentSpanId":
		h.Parent = spans.ParseID(spans.Text(r.json))
	case "operationName":
		h.Name = r.Code(spans.Text(r.json))
	case "references":
		return spans.Set(r.json, r.eachReference)
	case "startTime":
		return r.start()
	case "duration":
		return r.duration()
	case "tags":
		return spans.Set(r.json, r.eachTag)
	case "tag":
		return spans.Record(r.json, r.bag)
	case "processID", "processId":
		h.process = r.Code(spans.Text(r.json))
	case "process":
		r.current = spans.Resource{}
		err := spans.Record(r.json, r.process)
		h.Service, h.Instance = r.current.Service, r.current.Instance
		return err
	}
	return nil
}

func (r *reader) takeReference() error {
	r.references = append(r.references, reference{})
	return spans.Record(r.json, r.reference)
}

func (r *reader) referenceMember(name []byte) error {
	to := &r.references[len(r.references)-1]
	switch string(name) {
	case "traceID", "traceId":
		to.trace = spans.ParseTraceID(spans.Text(r.json))
	case "spanID", "spanId":
		to.id = spans.ParseID(spans.Text(r.json))
	case "refType":
		if r.json.Kind() == jsontext.Number {
			n, _, err := r.Integer(r.json)
			to.follows = n == 1
			return err
		}
		to.follows = string(spans.Text(r.json)) == "FOLLOWS_FROM"
	}
	return nil
}
