package table

import "github.com/tracelake/tracelake/schema"

// kindOf reads whether an execution starts or finishes.
func kindOf(s []byte) (schema.Kind, bool) {
	var buffer [8]byte
	switch string(lower(s, &buffer)) {
	case "start", "enter", "entry", "begin", ">":
		return schema.Enter, true
	case "finish", "exit", "leave", "end", "<":
		return schema.Exit, true
	}
	return 0, false
}

// directionOf reads whether a message is sent or received.
func directionOf(s []byte) (schema.Direction, bool) {
	var buffer [8]byte
	switch string(lower(s, &buffer)) {
	case "send", "sent", "!":
		return schema.Send, true
	case "receive", "received", "recv", "?":
		return schema.Receive, true
	}
	return 0, false
}

// lower is a word in lower case, or nothing when it is longer than any we know.
func lower(s []byte, buffer *[8]byte) []byte {
	if len(s) > len(buffer) {
		return nil
	}
	// ASCII alone: the words have no other letters, and this is asked once a row.
	for i, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buffer[i] = c
	}
	return buffer[:len(s)]
}
