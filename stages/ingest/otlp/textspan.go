package otlp

import (
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

func (t *text) takeSpan() error {
	t.current = spans.Span{StartNs: spans.Unknown, EndNs: spans.Unknown}
	if err := spans.Record(t.json, t.span); err != nil {
		return err
	}
	return t.add(t.current, t.at)
}

func (t *text) spanMember(name []byte) error {
	s := &t.current
	switch string(name) {
	case "traceId", "trace_id":
		s.Trace = spans.ParseTraceID(spans.Text(t.json))
	case "spanId", "span_id":
		s.ID = spans.ParseID(spans.Text(t.json))
	case "parentSpanId", "parent_span_id":
		s.Parent = spans.ParseID(spans.Text(t.json))
	case "name":
		s.Name = t.Code(spans.Text(t.json))
	case "kind":
		return t.kind(s)
	case "startTimeUnixNano", "start_time_unix_nano":
		return t.instant(&s.StartNs)
	case "endTimeUnixNano", "end_time_unix_nano":
		return t.instant(&s.EndNs)
	}
	return nil
}

// kind takes a kind, as a number or as a word.
func (t *text) kind(s *spans.Span) error {
	if t.json.Kind() == jsontext.String {
		s.Kind = spans.ParseKind(spans.Text(t.json))
		return nil
	}
	n, _, err := t.Integer(t.json)
	s.Kind = spans.NumberedKind(uint64(n))
	return err
}

// instant takes a time; 0 is none.
func (t *text) instant(ns *int64) error {
	v, ok, err := t.Integer(t.json)
	if ok && v != 0 {
		*ns = v
	}
	return err
}
