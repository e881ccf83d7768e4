package jaeger

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// spanInHand is what is known of the span in hand.
// Its references are resolved when it is closed, because they may stand before the id of its own trace.
type spanInHand struct {
	spans.Span
	durationNs int64               // or spans.Unknown
	process    uint32              // code of the identifier of its process, 0 where it has none
	late       bool                // its times do not fit
	set        schema.AttributeSet // its tags, as far as they are kept
	references []reference         // in the order of the file
	parent     int                 // position of the one that is the parent, or -1
}

// reference is a span that the span in hand refers to: its parent, or what it follows from.
type reference struct {
	trace   spans.TraceID // zero: that of the span itself
	id      uint64        // of the span that is referred to
	follows bool          // the span follows from it and is no child of it
}

// openSpan forgets the span before.
// Only the memory of the references is used again.
func (r *reader) openSpan() {
	r.spanInHand = spanInHand{
		Span: spans.Span{StartNs: spans.Unknown, EndNs: spans.Unknown}, durationNs: spans.Unknown, references: r.references[:0],
	}
}

// takeSpan takes an element of a list of spans.
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
// The end is computed here, as duration may stand before the start. A span whose times do not fit 64 bits of
// nanoseconds is left out with a count; one without ids goes to the collector at once, which counts it where it
// stands.
func (r *reader) closeSpan() error {
	h := &r.spanInHand
	h.Trace = cmp.Or(h.Trace, r.trace.id)
	h.refer()
	if h.StartNs != spans.Unknown && h.durationNs != spans.Unknown {
		end, fits := spans.Sum(h.StartNs, h.durationNs)
		h.EndNs, h.late = end, h.late || !fits
	}
	switch {
	case h.late:
		r.TimeOverflow(r.at(errTimes))
	case !h.Identified():
		return r.Add(h.Span, r.at)
	default:
		r.Attributed(&h.Span, h.set)
		r.waiting = append(r.waiting, waiting{h.Span, h.process})
		return r.addLinks()
	}
	return nil
}

// refer finds the parent among the references: the first of its own trace that is a child's, else the first that it follows
// from. References to other traces are no parents.
// Jaeger writes the parent as one reference among several, of which those to other traces are links.
func (h *spanInHand) refer() {
	h.parent = -1
	// A child's parent is better than what the span follows from; of equals the first counts.
	for i, to := range h.references {
		if outside := to.trace != (spans.TraceID{}) && to.trace != h.Trace; !outside && (h.parent < 0 || h.Follows && !to.follows) {
			h.Parent, h.Follows, h.parent = to.id, to.follows, i
		}
	}
}

// addLinks passes on the references that are no parents: each is a link.
func (r *reader) addLinks() error {
	h := &r.spanInHand
	// The parent may be listed twice, and is no link then either.
	for i, to := range h.references {
		if i == h.parent || to.id == h.Parent && to.trace == h.Trace {
			continue
		}
		if err := r.AddLink(cmp.Or(to.trace, h.Trace), to.id, &h.Span, r.at); err != nil {
			return err
		}
	}
	return nil
}

// spanMember reads a member of a span, in the spellings of the API and of Elasticsearch.
// Storage writes the process into every span, where the API names one of a list.
func (r *reader) spanMember(name []byte) error {
	h := &r.spanInHand
	switch string(name) {
	case "traceID", "traceId":
		h.Trace = r.TraceID(spans.Text(r.json))
	case "spanID", "spanId":
		h.ID = spans.ParseID(spans.Text(r.json))
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
		h.Service, h.Instance, h.Clock = r.current.Service, r.current.Instance, r.current.Clock
		return err
	}
	return nil
}

// takeReference takes an element of references. It is appended first, so that its members have a place to go to.
func (r *reader) takeReference() error {
	r.references = append(r.references, reference{})
	return spans.Record(r.json, r.reference)
}

// referenceMember reads a member of a reference. The type is a word, or 0 and 1 in protobuf's JSON.
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

// tagInHand is the tag in hand.
type tagInHand struct {
	key, value []byte // as they stand in the text
	wanted     bool   // its name makes a difference
	named      bool   // its key was read, so that the value is known to matter or not
	ofProcess  bool   // it is one of a process, not of a span
}

// Tags of spans that make a difference: the kind, and whether the span ended with an error, by OpenTracing and by OpenTelemetry.
const (
	kindTag   = "span.kind"
	errorTag  = "error"
	statusTag = "otel.status_code"
)

// takeTag takes an element of a list of tags. Spans have some ten tags of which one to three matter, so the value of any other
// is not even copied.
func (r *reader) takeTag() error {
	h := &r.tagInHand
	h.key, h.value, h.wanted, h.named = h.key[:0], h.value[:0], false, false
	if err := spans.Record(r.json, r.tag); err != nil {
		return err
	}
	if h.wanted {
		r.note()
	}
	return nil
}

// tagMember reads a member of a tag. A value that stands before its key is kept until the key shows whether it matters. Of two keys the first
// one holds, whatever is asked for.
func (r *reader) tagMember(name []byte) error {
	h := &r.tagInHand
	switch string(name) {
	case "key":
		if h.named {
			return nil
		}
		key := spans.Text(r.json)
		if h.named, h.wanted = true, h.wants(key) || !h.ofProcess && r.Wants(key); h.wanted {
			h.key = append(h.key[:0], key...)
		}
	case "value", "vStr", "vBool", "vInt64", "vFloat64":
		if h.wanted || !h.named {
			h.value = append(h.value[:0], spans.ValueText(r.json)...)
		}
	}
	return nil
}

// wants reports whether a tag makes a difference.
// It must stay cheap, as it is asked for every tag of a trace.
func (h *tagInHand) wants(key []byte) bool {
	if h.ofProcess {
		return spans.Wants(key)
	}
	return string(key) == kindTag || string(key) == errorTag || string(key) == statusTag
}

// bagMember takes a tag of an object of tags. Elasticsearch has no points in names: Jaeger puts @ in their place.
// Only those of spans are looked for, as tags of processes are never written so.
func (r *reader) bagMember(name []byte) error {
	h := &r.tagInHand
	h.key = append(h.key[:0], name...)
	for i, c := range h.key {
		if c == '@' {
			h.key[i] = '.'
		}
	}
	if h.ofProcess = false; h.wants(h.key) || r.Wants(h.key) {
		h.value = append(h.value[:0], spans.ValueText(r.json)...)
		r.note()
	}
	return nil
}

// note takes a tag that makes a difference.
// The key of a tag that makes no difference was not copied.
func (r *reader) note() {
	if r.ofProcess {
		r.current.Note(r.Collector, r.key, r.value)
		return
	}
	switch string(r.key) {
	case kindTag:
		r.Kind = spans.ParseKind(r.value)
	case errorTag, statusTag:
		r.Failed = spans.ParseStatus(r.value) || r.Failed
	}
	if r.Wants(r.key) && len(r.value) > 0 {
		r.set = r.Tag(r.set, r.key, r.value, r.at)
	}
}

// start takes the start of a span: microseconds, or an instant of RFC 3339.
// The year of an instant may lie outside of what 64 bits of nanoseconds hold (1678 to 2262), where UnixNano is
// undefined, so the seconds are compared first.
func (r *reader) start() error {
	h := &r.spanInHand
	if r.json.Kind() != jsontext.String {
		return r.micros(&h.StartNs)
	}
	text := string(spans.Text(r.json))
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return r.Bad(r.at(err))
	}
	if s := at.Unix(); s <= math.MinInt64/int64(time.Second) || s >= math.MaxInt64/int64(time.Second) {
		h.late = true
		return nil
	}
	h.StartNs = at.UnixNano()
	return nil
}

// duration takes the duration of a span: microseconds, or a text with its unit.
// Texts are those of the mapping of protobuf's Duration to JSON, which Go's own durations include.
func (r *reader) duration() error {
	h := &r.spanInHand
	if r.json.Kind() != jsontext.String {
		return r.micros(&h.durationNs)
	}
	d, err := time.ParseDuration(strings.TrimSpace(string(spans.Text(r.json))))
	if err != nil {
		return r.Bad(r.at(err))
	}
	h.durationNs = int64(d)
	return nil
}

// micros takes a number of microseconds as nanoseconds.
// A time that does not fit marks the whole span, and closeSpan counts it once.
func (r *reader) micros(ns *int64) error {
	us, ok, err := r.Integer(r.json)
	if !ok {
		return err
	}
	v, fits := spans.Micros(us)
	if fits {
		*ns = v
	}
	r.late = r.late || !fits
	return nil
}
