package spans

import (
	"bytes"
	"cmp"
	"fmt"

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

// Span is one record of a call. It holds no pointers, so that a Sorter takes it. Service, Instance and Name are codes
// of the collector; the empty text has a code too.
type Span struct {
	Trace                   TraceID // to which the span belongs
	ID, Parent              uint64  // 0 where there is none
	StartNs, EndNs          int64   // ns since the epoch, or Unknown
	Service, Instance, Name uint32  // codes of the collector
	file                    uint32  // code of the name of its file, for the ledger
	Kind                    Kind    // its role in a call between services
	Follows                 bool    // its parent did not wait for it
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

// compareSpans orders the spans of a trace: those of an id together, and of those the ones that may be the same.
func compareSpans(a, b *Span) int {
	return cmp.Or(
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Service, b.Service), cmp.Compare(a.Instance, b.Instance),
		cmp.Compare(a.StartNs, b.StartNs), cmp.Compare(b.EndNs, a.EndNs), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Parent, b.Parent))
}

// local reports whether two spans are of one instance of a service.
func local(a, b *Span) bool { return a.Service == b.Service && a.Instance == b.Instance }

// Identified reports whether a span has a trace and an id.
func (s *Span) Identified() bool { return s.Trace != (TraceID{}) && s.ID != 0 }

// String names a span as its format does.
func (s *Span) String() string {
	return fmt.Sprintf("trace %016x%016x span %016x", s.Trace.High, s.Trace.Low, s.ID)
}

// ParseKind reads the kind of a span as a word, in any case, with or without OTLP's prefix SPAN_KIND_. Other words are
// Unspecified.
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
	case "internal":
		return Internal
	case "server":
		return Server
	case "client":
		return Client
	case "producer":
		return Producer
	case "consumer":
		return Consumer
	}
	return Unspecified
}

const prefix = "span_kind_"

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
	rank              int    // of the attribute that Instance is from, see instanceWords
}

// instanceWords are the attributes that tell one instance of a service from another, the best last.
var instanceWords = [...]string{"ip", "hostname", "host.name", "k8s.pod.name", "service.instance.id"}

// Wants reports whether an attribute of this name makes a difference to a resource.
func Wants(attribute []byte) bool {
	return string(attribute) == "service.name" || rankOf(attribute) > 0
}

// Note takes an attribute of a resource. The best attribute that names an instance holds, whatever their order.
func (r *Resource) Note(c *Collector, attribute, value []byte) {
	if string(attribute) == "service.name" {
		r.Service = c.Code(value)
	} else if rank := rankOf(attribute); rank > r.rank && len(value) > 0 {
		r.Instance, r.rank = c.Code(value), rank
	}
}

// rankOf returns the position of an attribute in instanceWords from 1, or 0.
func rankOf(attribute []byte) int {
	for i, word := range instanceWords {
		if word == string(attribute) {
			return i + 1
		}
	}
	return 0
}
