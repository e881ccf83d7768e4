package spans

import "bytes"

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

// NumberedKind is the kind of a number of OTLP.
func NumberedKind(n uint64) Kind {
	if n > uint64(Consumer) {
		return Unspecified
	}
	return Kind(n)
}
