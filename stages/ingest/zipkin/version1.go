package zipkin

import (
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// half is the part of one service in a span of version 1: from what it sends to what it receives, or the reverse.
type half struct {
	address
	kind  spans.Kind
	times [2]int64 // in microseconds, of its start and its end, or spans.Unknown
}

// noTimes are times that are not known.
var noTimes = [2]int64{spans.Unknown, spans.Unknown}

// seen reports whether a span has this part.
func (h *half) seen() bool { return h.kind != spans.Unspecified }

// note is an annotation.
type note struct {
	address
	at   int64 // in microseconds, or spans.Unknown
	half int   // 0 of who asks, 1 of who answers, or noHalf
	kind spans.Kind
	end  int // 0 where it starts, 1 where it ends
}

// noHalf is the part of annotations that say only when something happened.
const noHalf = -1

// takeAnnotation takes an annotation. Annotations come in any order, so the minimum and the maximum of their times are kept.
func (r *reader) takeAnnotation() error {
	r.note = note{at: spans.Unknown, half: noHalf}
	if err := spans.Record(r.json, r.annotation); err != nil {
		return err
	}
	n := &r.note
	if n.at != spans.Unknown {
		if first := &r.noted[0]; *first == spans.Unknown || n.at < *first {
			*first = n.at
		}
		r.noted[1] = max(r.noted[1], n.at)
	}
	if n.half == noHalf {
		r.nameLocal(n.address)
		return nil
	}
	h := &r.halves[n.half]
	if h.kind, h.times[n.end] = n.kind, n.at; n.service != 0 {
		h.address = n.address
	}
	return nil
}

// nameLocal notes a service that a span of version 1 names beside its parts.
func (r *reader) nameLocal(a address) {
	if r.local.service == 0 {
		r.local = a
	}
}

// annotationMember reads a member of an annotation.
func (r *reader) annotationMember(name []byte) error {
	n := &r.note
	switch string(name) {
	case "timestamp":
		return r.number(&n.at)
	case "endpoint":
		r.into = &n.address
		return spans.Record(r.json, r.endpoint)
	case "value":
		switch string(spans.Text(r.json)) {
		case "cs":
			n.half, n.end, n.kind = 0, 0, spans.Client
		case "cr":
			n.half, n.end, n.kind = 0, 1, spans.Client
		case "sr":
			n.half, n.end, n.kind = 1, 0, spans.Server
		case "ss":
			n.half, n.end, n.kind = 1, 1, spans.Server
		case "ms":
			n.half, n.end, n.kind = 0, 0, spans.Producer
		case "mr":
			n.half, n.end, n.kind = 1, 0, spans.Consumer
		}
	}
	return nil
}

// takeBinary takes a binary annotation, which is a tag of version 1. Its members come in any order, so the value is copied.
func (r *reader) takeBinary() error {
	r.note = note{at: spans.Unknown, half: noHalf}
	r.key, r.text = r.key[:0], r.text[:0]
	if err := spans.Record(r.json, r.binary); err != nil {
		return err
	}
	switch string(r.key) {
	case "ca", "sa", "ma":
		return nil
	case "error":
		r.Failed = r.Failed || string(r.text) != "false"
	}
	r.nameLocal(r.note.address)
	if r.Wants(r.key) && len(r.text) > 0 {
		r.set = r.Tag(r.set, r.key, r.text, r.at)
	}
	return nil
}

// binaryMember reads a member of a binary annotation.
func (r *reader) binaryMember(name []byte) error {
	switch string(name) {
	case "key":
		r.key = append(r.key[:0], spans.Text(r.json)...)
	case "value":
		if k := r.json.Kind(); k == jsontext.String || k == jsontext.Number || k == jsontext.Bool {
			r.text = append(r.text[:0], spans.ValueText(r.json)...)
		}
	case "endpoint":
		r.into = &r.note.address
		return spans.Record(r.json, r.endpoint)
	}
	return nil
}

// closeHalves hands on the parts of a span of version 1. What the span says of itself is true of the one who asks, or of the only part.
func (r *reader) closeHalves() error {
	whole := r.spanInHand
	own := 0
	if !whole.halves[0].seen() {
		own = 1
	}
	for i := range whole.halves {
		part := &whole.halves[i]
		if !part.seen() {
			continue
		}
		h := &r.spanInHand
		*h = whole
		h.Kind, h.noted = part.kind, part.times
		if part.service != 0 {
			h.Service, h.Instance = part.service, part.instance
		}
		if i != own {
			h.start, h.duration, h.Failed = spans.Unknown, spans.Unknown, false
		}
		if err := r.hand(); err != nil {
			return err
		}
	}
	return nil
}
