package main

import (
	"encoding/binary"
	"fmt"
)

// collected calls visit for the spans of a service in a batch of requests, as collectors export them.
// The spans are valid during the call; their memory holds the next batch afterwards.
func collected(events int, visit func(service string, spans []span)) {
	// Spans are held by service until the batch is complete, since an exporter knows only its own.
	held := make([][]span, len(services))
	flush := func() {
		for i, spans := range held {
			if len(spans) > 0 {
				visit(services[i], spans)
				// A client and its server stand side by side: the position halved is the service.
			}
			held[i] = spans[:0]
		}
	}
	requests(events, func(r int, spans []span) {
		for i, s := range spans {
			held[i/2] = append(held[i/2], s)
		}
		if r%batch == batch-1 {
			flush()
		}
	})
	flush()
}

// makeOTLPText writes a line for each batch of a service.
// It is the form of the collector's file exporter: one object a line. Integers of 64 bits are strings in it.
func makeOTLPText(f *folder, events int) {
	out := f.create("traces.json")
	collected(events, func(service string, spans []span) {
		out.say(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"%s"}},`, service)
		out.say(`{"key":"service.instance.id","value":{"stringValue":"%s-1"}}]},"scopeSpans":[{"scope":{"name":"library"},"spans":[`, service)
		for i, s := range spans {
			if i > 0 {
				out.say(",")
			}
			out.say(`{"traceId":"%016x%016x","spanId":"%016x",`, s.trace, s.trace, s.id)
			if s.parent != 0 {
				out.say(`"parentSpanId":"%016x",`, s.parent)
			}
			out.say(`"flags":257,"name":"POST /%s","kind":%d,"startTimeUnixNano":"%d","endTimeUnixNano":"%d",`, s.calls(), s.number(), s.startNs, s.endNs)
			out.say(`"attributes":[{"key":"http.request.method","value":{"stringValue":"POST"}},{"key":"http.route","value":{"stringValue":"/%s"}},`, s.calls())
			out.say(`{"key":"http.response.status_code","value":{"intValue":"200"}}],"status":{}}`)
		}
		out.say("]}]}]}\n")
	})
}

// number is that of OTLP's kinds.
// 2 is a server and 3 a client.
// Numbers of the enumeration SpanKind.
func (s span) number() int {
	if s.server {
		return 2
	}
	return 3
}

// message is a message of protobuf under way.
// Its methods append a field and return the result; a message within a message is made first, as its length stands
// before it.
type message []byte

const (
	varint  = 0
	fixed64 = 1
	counted = 2
)

// bytes adds a field of bytes, text or a message, behind its length.
func (m message) bytes(field int, body ...byte) message {
	m = binary.AppendUvarint(m, uint64(field<<3|counted))
	m = binary.AppendUvarint(m, uint64(len(body)))
	return append(m, body...)
}

// text adds a field of formatted text.
func (m message) text(field int, format string, values ...any) message {
	return m.bytes(field, fmt.Appendf(nil, format, values...)...)
}

// number adds a field of a number with as few bytes as it needs.
func (m message) number(field int, n uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field<<3|varint)), n)
}

// fixed adds a field of eight bytes, as times are.
func (m message) fixed(field int, n uint64) message {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(m, uint64(field<<3|fixed64)), n)
}

// attribute adds a KeyValue whose value is a text.
func (m message) attribute(field int, key, value string) message {
	return m.bytes(field, message(nil).text(1, "%s", key).bytes(2, message(nil).text(1, "%s", value)...)...)
}

// makeOTLPBinary writes a message for each batch of a service.
// The messages stand one after the other without a length, which protobuf takes for one message.
func makeOTLPBinary(f *folder, events int) {
	out := f.create("traces.pb")
	// Trace identifiers have 16 bytes: the number twice.
	id := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	collected(events, func(service string, spans []span) {
		resource := message(nil).attribute(1, "service.name", service).attribute(1, "service.instance.id", service+"-1")
		scope := message(nil).bytes(1, message(nil).text(1, "library")...)
		// Fields by their numbers in opentelemetry/proto/trace/v1: 1 trace, 2 span, 4 parent, 5 name, 6 kind, 7 and 8 times, 9 attributes.
		for _, s := range spans {
			m := message(nil).bytes(1, append(id(s.trace), id(s.trace)...)...).bytes(2, id(s.id)...)
			if s.parent != 0 {
				m = m.bytes(4, id(s.parent)...)
			}
			m = m.text(5, "POST /%s", s.calls()).number(6, uint64(s.number())).fixed(7, uint64(s.startNs)).fixed(8, uint64(s.endNs))
			m = m.attribute(9, "http.request.method", "POST").attribute(9, "http.route", "/"+s.calls())
			scope = scope.bytes(2, m...)
		}
		// A resource with the spans of its scope; each group is one message of TracesData.
		group := message(nil).bytes(1, resource...).bytes(2, scope...)
		out.Write(message(nil).bytes(1, group...))
	})
}
