package chrome

import (
	"bytes"
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// Words of ReadingOptions.Component.
const (
	byProcess  = "process"
	byThread   = "thread"
	byCategory = "category"
)

// Format describes the JSON of Chrome's trace events.
func Format() schema.Format {
	return schema.Format{
		Name:    "chrome",
		Doc:     "Chrome trace events, as Perfetto and speedscope open, JSON",
		Remarks: "all phases, flows as messages, counters as signals, files cut short",
		Components: []schema.ComponentWord{
			{Word: byProcess, Doc: "the process; the default"},
			{Word: byThread, Doc: "the thread"},
			{Word: byCategory, Doc: "the category of the event"},
		},
		Endings:  []string{".json"},
		NameArgs: true, Attributes: true,
		IsFile:    Detect,
		NewReader: func(r *schema.Reading) schema.Reader { return &reader{reading: r, out: newOutput()} },
	}
}

// Detect reports whether a file that begins so is of this format: an object with an array traceEvents, or an array or a
// sequence of objects of which the first has a ph of one letter.
// The head may be cut off anywhere, so errors of the reader are of no interest. Lists of other formats, such as
// Zipkin's, have no ph.
func Detect(head []byte) bool {
	text := jsontext.New(bytes.NewReader(head), "")
	text.Lenient = true
	found := false
	switch text.Kind() {
	case jsontext.Object:
		found = hasPhase(text)
	case jsontext.Array:
		text.Array(func() error {
			found = hasPhase(text)
			return errFound
		})
	}
	return found
}

var errFound = errors.New("found")

// hasPhase reads an object and reports whether it has a ph of one letter, or a list traceEvents.
// The last ph of several holds, as for any member.
func hasPhase(text *jsontext.Reader) (found bool) {
	text.Object(func(name []byte) error { // whose error is that of a head cut short
		if string(name) == "traceEvents" && text.Kind() == jsontext.Array {
			found = true
			return errFound
		}
		if string(name) == "ph" && text.Kind() == jsontext.String {
			s, err := text.String()
			found = len(s) == 1
			return err
		}
		return nil
	})
	return found
}
