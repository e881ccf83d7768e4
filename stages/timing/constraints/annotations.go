package constraints

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// class is the kind of dependency that PPS knows a message as.
type class uint8

const (
	message class = iota
	request
	reply
	control // says when a receiver may go on, in place of the message that it controls
	domain  // an order that the domain asks for
)

var classes = map[string]class{"message": message, "request": request, "reply": reply, "message-control": control, "domain-dependency": domain}

// identifier is a message as the event knows it that sends it.
type identifier struct {
	sendSeq, number int64 // number: NoValue where there is none
	series          string
}

// name is the identifier as the trace has it.
func (id *identifier) name() string {
	if id.number == schema.NoValue {
		return id.series
	}
	return id.series + strconv.FormatInt(id.number, 10)
}

// declared is what a trace says of a message.
type declared struct {
	boundNs  int64 // NoValue: nothing
	class    class
	controls string // of a control: the name of its message
}

// notes are the annotations of a run that matter for bounds.
type notes struct {
	segments   map[int64]int64 // by target: the bound
	messages   map[identifier]declared
	classes    map[string]class // of messages by name
	controlled map[string]bool  // likewise: a message-control stands for the message
	bounds     bool             // the trace declares any
	defaultNs  int64            // of the analysis that it asks for, or NoValue
}

// readNotes sorts the annotations of a run.
func readNotes(rows []schema.Annotation) *notes {
	n := &notes{
		segments: make(map[int64]int64), messages: make(map[identifier]declared), classes: make(map[string]class),
		controlled: make(map[string]bool), defaultNs: schema.NoValue,
	}
	for _, a := range rows {
		switch {
		case a.About == schema.AboutTrace && a.Name == schema.NoteDefault:
			n.defaultNs = number(a.Value)
		case a.Seq == nil: // of no event
		case a.About == schema.AboutSegment && a.Name == schema.NoteBound:
			n.segments[*a.Seq] = number(a.Value)
			n.bounds = true
		case a.About == schema.AboutMessage:
			n.addMessage(a)
		}
	}
	return n
}

func (n *notes) addMessage(a schema.Annotation) {
	id := identifier{*a.Seq, schema.NoValue, a.Series}
	if a.Number != nil {
		id.number = *a.Number
	}
	d, known := n.messages[id]
	if !known {
		d.boundNs = schema.NoValue
	}
	switch a.Name {
	case schema.NoteBound:
		d.boundNs = number(a.Value)
		n.bounds = true
	case schema.NoteType:
		d.class = classes[a.Value]
		n.classes[id.name()] = d.class
	case schema.NoteControls:
		d.controls = a.Value
		n.controlled[a.Value] = true
	}
	n.messages[id] = d
}

// number reads an integer that ingest wrote.
func number(text string) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return schema.NoValue
	}
	return v
}
