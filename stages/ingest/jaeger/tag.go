package jaeger

import "github.com/tracelake/tracelake/stages/ingest/spans"

// tagInHand is the tag in hand.
type tagInHand struct {
	key, value []byte
	wanted     bool // its name makes a difference
	named      bool
	ofProcess  bool // it is one of a process, not of a span
}

// kindTag is the tag of the kind of a span.
const kindTag = "span.kind"

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

func (r *reader) tagMember(name []byte) error {
	h := &r.tagInHand
	switch string(name) {
	case "key":
		key := spans.Text(r.json)
		if h.named, h.wanted = true, h.wants(key); h.wanted {
			h.key = append(h.key[:0], key...)
		}
	case "value", "vStr":
		if h.wanted || !h.named {
			h.value = append(h.value[:0], spans.Text(r.json)...)
		}
	}
	return nil
}

// wants says whether a tag makes a difference.
func (h *tagInHand) wants(key []byte) bool {
	if h.ofProcess {
		return spans.Wants(key)
	}
	return string(key) == kindTag
}

// bagMember takes a tag of an object of tags. Elasticsearch has no points in names: Jaeger puts @ in their place.
func (r *reader) bagMember(name []byte) error {
	if s := string(name); s == kindTag || s == "span@kind" {
		r.Kind = spans.ParseKind(spans.Text(r.json))
	}
	return nil
}

// note takes a tag that makes a difference.
func (r *reader) note() {
	if r.ofProcess {
		r.current.Note(r.Collector, r.key, r.value)
	} else if string(r.key) == kindTag {
		r.Kind = spans.ParseKind(r.value)
	}
}
