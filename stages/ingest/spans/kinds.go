package spans

import "strings"

// ParseKind reads the kind of a span as a word, in any case, with or without OTLP's prefix SPAN_KIND_. Other words are
// Unspecified.
func ParseKind(word []byte) Kind {
	const longest = len(prefix) + len("internal")
	if len(word) > longest {
		return Unspecified
	}
	switch strings.TrimPrefix(strings.ToLower(string(word)), prefix) {
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

// NumberedKind is the kind of a number of OTLP.
func NumberedKind(n uint64) Kind {
	if n > uint64(Consumer) {
		return Unspecified
	}
	return Kind(n)
}
