package jaeger

import (
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// reader reads the traces of one file. Jaeger writes spans in several forms: the answer of its API (an object with data, a list
// of traces), one trace, a list of hits of Elasticsearch, and single spans. All are objects whose members tell the form, so
// one function reads them all. The functions that read members are made once and not for every span.
// Nothing is kept of one document when the next begins but the memory of its slices.
type reader struct {
	*spans.Collector                                 // takes the spans
	json             *jsontext.Reader                // of the file
	at               func(error) *schema.SyntaxError // an error at the place that was read last

	// Functions that read a member by its name, and functions that read an element of a list.
	document, process, processes, span, reference, tag, bag func(name []byte) error
	eachDocument, eachSpan, eachReference, eachTag          func() error

	trace                     // the object in hand with spans
	spanInHand                // and the span of it
	tagInHand                 // and the tag of that
	current    spans.Resource // of the process in hand
	depth      int            // of documents
}

// trace is the object in hand that has spans and processes. Spans name processes by identifiers that hold within it.
// Processes may stand before or behind the spans, so spans wait until the object ends: one trace is held in memory, as
// package spans holds it later too.
type trace struct {
	id      spans.TraceID             // of its spans; zero where the object names none
	listed  map[uint32]spans.Resource // by the id of the process
	waiting []waiting                 // spans whose processes are not known yet
	known   bool                      // it has something that is of Jaeger
	whole   bool                      // it has a list of spans, which may be empty
}

// waiting is a span before its process is known.
type waiting struct {
	spans.Span
	process uint32 // its id, 0 where it has none
}

// newReader returns the reader of a file, with its functions.
// A method value is an allocation each time it is made, hence once here and not at every span.
func newReader(c *spans.Collector, j *jsontext.Reader) *reader {
	r := &reader{Collector: c, json: j, at: j.At}
	r.listed = make(map[uint32]spans.Resource)
	r.document, r.process, r.processes = r.documentMember, r.processMember, r.processesMember
	r.span, r.reference, r.tag, r.bag = r.spanMember, r.referenceMember, r.tagMember, r.bagMember
	r.eachDocument, r.eachSpan = r.takeDocument, r.takeSpan
	r.eachReference, r.eachTag = r.takeReference, r.takeTag
	return r
}

// read takes all values of the file.
// A value that has nothing of Jaeger is counted, so that a file of another format does not pass for an empty trace.
func (r *reader) read() error {
	err := spans.EachText(r.Collector, r.json, func() error {
		r.known = false
		if err := r.takeDocument(); err != nil || r.known {
			return err
		}
		return r.Bad(r.at(errForm))
	})
	if err != nil {
		return err
	}
	return r.finish() // what a torn file had so far
}

var (
	errForm    = errors.New("expected a form of Jaeger that is read: data, spans with processes, or a span")
	errNoSpans = errors.New("expected the spans of the trace")
	errTimes   = errors.New("expected times that fit 64 bits of nanoseconds")
)

// maxDepth is how deep documents may lie in documents: hits in hits, and each with its _source.
const maxDepth = 4

// takeDocument takes an object of any form.
// The same object may be a trace with spans, a span, or an envelope around either, so a span is opened before its
// members are read; it is closed as one only if it turns out to have a span's id.
func (r *reader) takeDocument() error {
	if r.json.Kind() != jsontext.Object || r.depth == maxDepth {
		return r.json.Skip()
	}
	r.depth++
	defer func() { r.depth-- }()
	r.openSpan()
	if err := r.json.Object(r.document); err != nil {
		return err
	}
	switch {
	case r.ID != 0: // the object is a span
		r.known = true
		if err := r.closeSpan(); err != nil {
			return err
		}
	case r.trace.id != (spans.TraceID{}) && !r.trace.whole:
		if err := r.Bad(r.at(errNoSpans)); err != nil {
			return err
		}
	}
	r.openSpan()
	return r.finish()
}

// documentMember reads a member of a document. What is of no form is a member of a span.
// An envelope's members recurse into takeDocument, which bounds the depth.
func (r *reader) documentMember(name []byte) error {
	switch string(name) {
	case "data", "hits":
		r.known = true
		if r.json.Kind() == jsontext.Array {
			return r.json.Array(r.eachDocument)
		}
		return r.takeDocument()
	case "_source":
		return r.takeDocument()
	case "traceID":
		r.trace.id = r.TraceID(spans.Text(r.json))
		r.Trace = r.trace.id
		return nil
	case "spans":
		r.known, r.trace.whole = true, true
		return spans.Set(r.json, r.eachSpan)
	case "processes":
		return spans.Record(r.json, r.processes)
	}
	return r.spanMember(name)
}

// finish hands on the spans of a trace, and forgets it.
// A span of an unlisted process is kept under the process's id, since its calls are known all the same. The map is
// cleared and used again, as most traces list the same few processes.
func (r *reader) finish() error {
	for i := range r.waiting {
		w := &r.waiting[i]
		if w.process != 0 {
			p, listed := r.listed[w.process]
			if !listed {
				r.Undefined(r.at(errors.New("expected the process of every span to be listed")))
				p = spans.Resource{Service: w.process}
			}
			w.Service, w.Instance, w.Clock = p.Service, p.Instance, p.Clock
		}
		if err := r.Add(w.Span, r.at); err != nil {
			return err
		}
	}
	clear(r.listed)
	r.trace = trace{listed: r.listed, waiting: r.waiting[:0], known: r.known}
	return nil
}

// processesMember reads a process, whose identifier is the name of the member.
// Identifiers such as p1 hold in one trace alone; in the next the same one may be another service.
func (r *reader) processesMember(name []byte) error {
	id := r.Code(name)
	r.current = spans.Resource{}
	if err := spans.Record(r.json, r.process); err != nil {
		return err
	}
	r.listed[id] = r.current
	return nil
}

// processMember reads a member of a process: its service, and the tags that tell instances apart.
func (r *reader) processMember(name []byte) error {
	switch string(name) {
	case "serviceName":
		r.current.Service = r.Code(spans.Text(r.json))
	case "tags":
		r.ofProcess = true
		err := spans.Set(r.json, r.eachTag)
		r.ofProcess = false
		return err
	}
	return nil
}
