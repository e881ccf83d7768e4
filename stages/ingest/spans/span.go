package spans

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// Kind says which part a span has in a call from one service to another.
type Kind uint8

// The kinds, numbered as in OTLP.
const (
	Unspecified Kind = iota
	Internal         // a call within a service
	Server           // answers a Client, which waits
	Client           // calls a Server
	Producer         // triggers a Consumer, and does not wait
	Consumer         // is triggered by a Producer
)

// Unknown stands for a time that the trace does not give.
const Unknown = schema.NoValue

// TraceID is 16 bytes as two numbers, the first bytes in High.
type TraceID struct{ High, Low uint64 } // big-endian

// appendText appends the digits of an id, 16 or 32 hexadecimal ones. Those of a decimal number of more than 16 digits stand as they are.
func (t TraceID) appendText(to []byte) []byte {
	switch {
	case t.High>>32 != 0:
		to = fmt.Appendf(to, "%016x", t.High)
	case t.High != 0:
		to = fmt.Appendf(to, "%x", t.High)
	}
	return fmt.Appendf(to, "%016x", t.Low)
}

// Span is one record of a call. It holds no pointers, so that a Sorter takes it. Service, Instance and Name are codes
// of the collector; the empty text has a code too.
type Span struct {
	Trace                   TraceID // to which the span belongs
	ID, Parent              uint64  // 0 where there is none
	StartNs, EndNs          int64   // ns since the epoch, or Unknown
	Service, Instance, Name uint32  // codes of the collector
	Clock                   uint32  // code of what the span's clock belongs to; the empty text: its instance, or else its service
	file                    uint32  // code of the name of its file, for the ledger
	Kind                    Kind    // its role in a call between services
	Follows                 bool    // its parent did not wait for it
	Failed                  bool    // it says that it ended with an error
}

// calls reports whether a span of this kind is the near side of a message, and answers whether it is the far side.
func (k Kind) calls() bool   { return k == Client || k == Producer }
func (k Kind) answers() bool { return k == Server || k == Consumer }

// compareTraces brings the spans of a trace together.
func compareTraces(a, b *Span) int {
	if a.Trace.High != b.Trace.High {
		return cmp.Compare(a.Trace.High, b.Trace.High)
	}
	return cmp.Compare(a.Trace.Low, b.Trace.Low)
}

// compareSpans orders the spans of a trace: those of an id together, and of those the ones that may be the same. Attributes are no part of it, so that
// who asks for them gets the same calls.
func (c *Collector) compareSpans(a, b *Span) int {
	if order := cmp.Or(
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Service, b.Service), cmp.Compare(a.Instance, b.Instance),
		cmp.Compare(a.StartNs, b.StartNs), cmp.Compare(b.EndNs, a.EndNs)); order != 0 {
		return order
	}
	nameA, _ := c.plainName(a.Name)
	nameB, _ := c.plainName(b.Name)
	return cmp.Or(cmp.Compare(cmp.Or(nameA, c.noName), cmp.Or(nameB, c.noName)), cmp.Compare(a.Parent, b.Parent))
}

// local reports whether two spans are of one instance of a service.
func local(a, b *Span) bool { return a.Service == b.Service && a.Instance == b.Instance }

// Identified reports whether a span has a trace and an id.
func (s *Span) Identified() bool { return s.Trace != (TraceID{}) && s.ID != 0 }

// String names a span as its format does.
func (s *Span) String() string {
	return fmt.Sprintf("trace %016x%016x span %016x", s.Trace.High, s.Trace.Low, s.ID)
}

// ParseKind reads the kind of a span as a word, in any case, with or without OTLP's prefix SPAN_KIND_, or as SkyWalking's
// words entry, exit and local. Other words are Unspecified.
func ParseKind(word []byte) Kind {
	const longest = len(prefix) + len("internal")
	var lower [longest]byte
	if len(word) > longest {
		return Unspecified
	}
	for i, c := range word {
		if lower[i] = c; 'A' <= c && c <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	switch string(bytes.TrimPrefix(lower[:len(word)], []byte(prefix))) {
	case "internal", "local":
		return Internal
	case "server", "entry":
		return Server
	case "client", "exit":
		return Client
	case "producer":
		return Producer
	case "consumer":
		return Consumer
	}
	return Unspecified
}

const prefix = "span_kind_"

// ParseStatus reports whether the status of a span, as a word or a number in any of the usual codes, is that of an error: OpenTelemetry's
// 2, the codes of gRPC but OK and CANCELLED, and those of HTTP from 500.
func ParseStatus(text []byte) (failed bool) {
	const longest = len("status_code_error")
	if len(text) == 0 || len(text) > longest {
		return false
	}
	if n, err := strconv.ParseFloat(string(text), 64); err == nil {
		return n >= 2 && n <= 16 || n >= 500 && n <= 599
	}
	switch string(bytes.ToLower(text)) {
	case "error", "status_code_error", "err", "failed", "failure", "true":
		return true
	}
	return false
}

// NumberedKind returns the kind that OTLP numbers so; other numbers are Unspecified.
func NumberedKind(n uint64) Kind {
	if n > uint64(Consumer) {
		return Unspecified
	}
	return Kind(n)
}

// Resource is what a trace says of the place where its spans were made.
type Resource struct {
	Service, Instance uint32 // codes of the collector
	Clock             uint32 // likewise: of the host
	rank, clockRank   int    // of the attributes that Instance and Clock are from, see instanceWords and clockWords
}

// instanceWords are the attributes that tell one instance of a service from another, the best last.
var instanceWords = [...]string{"ip", "hostname", "host.name", "k8s.pod.name", "service.instance.id"}

// clockWords are the attributes that tell one clock from another, the best last: those of machines, since what runs on one
// machine shares its clock. A pod often has a host name of its own.
var clockWords = [...]string{"ip", "hostname", "host.name", "k8s.node.name", "host.id"}

// Wants reports whether an attribute of this name makes a difference to a resource.
func Wants(attribute []byte) bool {
	return string(attribute) == "service.name" || rankOf(instanceWords[:], attribute) > 0 || rankOf(clockWords[:], attribute) > 0
}

// Note takes an attribute of a resource. The best attribute that names an instance holds, whatever their order.
func (r *Resource) Note(c *Collector, attribute, value []byte) {
	if string(attribute) == "service.name" {
		r.Service = c.Code(value)
		return
	}
	if rank := rankOf(instanceWords[:], attribute); rank > r.rank && len(value) > 0 {
		r.Instance, r.rank = c.Code(value), rank
	}
	if rank := rankOf(clockWords[:], attribute); rank > r.clockRank && len(value) > 0 {
		r.Clock, r.clockRank = c.Code(value), rank
	}
}

// rankOf returns the position of an attribute in words from 1, or 0.
func rankOf(words []string, attribute []byte) int {
	for i, word := range words {
		if word == string(attribute) {
			return i + 1
		}
	}
	return 0
}
