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
	sendSeq, number int64
	series          string
}

// declared is what a trace says of a message.
type declared struct {
	boundNs    int64 // NoValue: nothing
	class      class
	controlled bool // a message-control stands for it
}

// notes are the annotations of a run that matter for bounds.
type notes struct {
	segments  map[int64]int64 // by target: the bound
	messages  map[identifier]declared
	bounds    bool  // the trace declares any
	defaultNs int64 // of the analysis that it asks for, or NoValue
}

// readNotes sorts the annotations of a run.
func readNotes(rows []schema.Annotation) *notes {
	n := &notes{segments: make(map[int64]int64), messages: make(map[identifier]declared), defaultNs: schema.NoValue}
	controlled := make(map[string]bool)
	for _, a := range rows {
		if a.Name == schema.NoteControls {
			controlled[a.Value] = true
		}
	}
	for _, a := range rows {
		switch a.About {
		case schema.AboutTrace:
			if a.Name == schema.NoteDefault {
				n.defaultNs = number(a.Value)
			}
		case schema.AboutSegment:
			if a.Name == schema.NoteBound {
				n.segments[*a.Seq] = number(a.Value)
				n.bounds = true
			}
		case schema.AboutMessage:
			n.addMessage(a, controlled)
		}
	}
	return n
}

func (n *notes) addMessage(a schema.Annotation, controlled map[string]bool) {
	id := identifier{*a.Seq, schema.NoValue, a.Series}
	name := a.Series
	if a.Number != nil {
		id.number = *a.Number
		name += strconv.FormatInt(id.number, 10)
	}
	d, known := n.messages[id]
	if !known {
		d.boundNs = schema.NoValue
	}
	d.controlled = controlled[name]
	switch a.Name {
	case schema.NoteBound:
		d.boundNs = number(a.Value)
		n.bounds = true
	case schema.NoteType:
		d.class = classes[a.Value]
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
