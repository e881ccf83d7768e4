package jaeger

import (
	"math"
	"strings"
	"time"

	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// start takes the start of a span: microseconds, or an instant of RFC 3339.
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

// micros takes a number of microseconds.
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
