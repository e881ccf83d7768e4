package constraints

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// messageClass is the kind of dependency that PPS distinguishes among messages.
type messageClass uint8

const (
	message messageClass = iota // the zero value, for messages without a type
	request                     // asks for a reply
	reply                       // answers a request
	control                     // says when a receiver may continue, in place of the message that it controls
	domain                      // an order that the domain requires
	coupled                     // no message: a coupling of another kind
)

// classes are the kinds by the words of the .tmsct format.
var classes = map[string]messageClass{"message": message, "request": request, "reply": reply, "message-control": control, "domain-dependency": domain}

// messageIdentifier identifies a message by its sending event.
type messageIdentifier struct {
	sendSeq, number int64 // number: NoValue where there is none
	series          string
}

// nameOf returns the identifier as the trace writes it.
func (id *messageIdentifier) nameOf() string {
	if id.number == schema.NoValue {
		return id.series
	}
	return id.series + strconv.FormatInt(id.number, 10)
}

// declaration is what a trace says about a message.
type declaration struct {
	boundNs  int64 // schema.NoValue: nothing
	class    messageClass
	controls string // name of the controlled message
}

// notes are the annotations of a run that matter for bounds.
type notes struct {
	segments   map[int64]int64 // by target seq: the bound of the lifeline segment, ns
	messages   map[messageIdentifier]declaration
	classes    map[string]messageClass // of messages, by name
	controlled map[string]bool         // by name: whether a message-control stands for the message
	bounds     bool                    // whether the trace declares any bound
	defaultNs  int64                   // default of the analysis that the trace asks for, or schema.NoValue
}

// readNotes sorts the annotations of a run.
func readNotes(rows []schema.Annotation) *notes {
	n := &notes{
		segments: make(map[int64]int64), messages: make(map[messageIdentifier]declaration), classes: make(map[string]messageClass),
		controlled: make(map[string]bool), defaultNs: schema.NoValue,
	}
	// Annotations of other kinds, such as those of functions, mean nothing for bounds.
	for _, a := range rows {
		switch {
		case a.About == schema.AboutTrace && a.Name == schema.NoteDefault:
			n.defaultNs = parseNumber(a.Value)
		case a.Seq == nil: // of no event
		case a.About == schema.AboutSegment && a.Name == schema.NoteBound:
			n.segments[*a.Seq] = parseNumber(a.Value)
			n.bounds = true
		case a.About == schema.AboutMessage:
			n.addMessage(a)
		}
	}
	return n
}

// addMessage records one property of a message.
func (n *notes) addMessage(a schema.Annotation) {
	id := messageIdentifier{*a.Seq, schema.NoValue, a.Series}
	if a.Number != nil {
		id.number = *a.Number
	}
	d, known := n.messages[id]
	if !known {
		d.boundNs = schema.NoValue
	}
	switch a.Name {
	case schema.NoteBound:
		d.boundNs = parseNumber(a.Value)
		n.bounds = true
	case schema.NoteType:
		d.class = classes[a.Value]
		n.classes[id.nameOf()] = d.class
	case schema.NoteControls:
		d.controls = a.Value
		n.controlled[a.Value] = true
	}
	n.messages[id] = d
}

// parseNumber reads an integer that ingest wrote.
func parseNumber(text string) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return schema.NoValue
	}
	return v
}
