package cpuprofile

import (
	"bytes"
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// Words of ReadingOptions.Component.
const (
	byScript  = "script"
	byProcess = "process"
)

// Format describes profiles of V8.
func Format() schema.Format {
	return schema.Format{
		Name:    "cpuprofile",
		Doc:     "V8 CPU profiles of node --cpu-prof and Chrome, JSON",
		Remarks: "samples as executions of the type sampled, with the times of samples",
		Components: []schema.ComponentWord{
			{Word: byProcess, Doc: "one for all functions, so that their own time is what the samples say; the default"},
			{Word: byScript, Doc: "the script of the function; native where there is none"},
		},
		Endings:   []string{".cpuprofile"},
		IsFile:    Detect,
		NewReader: func(r *schema.Reading) schema.Reader { return &reader{reading: r} },
	}
}

// errFound ends the reading of the head; the object need not be read to its end.
var errFound = errors.New("found")

// Detect reports whether a file that begins so is a profile: an object whose nodes have call frames. The head may be cut off
// anywhere, so errors of the reader are of no interest.
func Detect(head []byte) (found bool) {
	text := jsontext.New(bytes.NewReader(head), "")
	text.Object(func(name []byte) error {
		if string(name) != "nodes" || text.Kind() != jsontext.Array {
			return nil
		}
		// The first node decides: all of them have a call frame.
		text.Array(func() error {
			if text.Kind() == jsontext.Object {
				text.Object(func(name []byte) error {
					found = found || string(name) == "callFrame" && text.Kind() == jsontext.Object
					return nil
				})
			}
			return errFound
		})
		return errFound
	})
	return found
}
