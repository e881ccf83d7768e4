package table

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// eventKey is the key of the row, which it adds when it is new.
func (p *parser) eventKey() (uint32, fault) {
	// The row's names are looked up as one text in a map: indexing by string(bytes) allocates nothing, so only a row
	// whose names are new costs memory. Names are checked then and never again.
	k, ok := kindOf(p.columnText(kind))
	if !ok {
		return 0, fault{p.columnBegin(kind), "'start' or 'finish'"}
	}
	// No column holds a line end, so it separates them.
	p.key = append(p.key[:0], k)
	for _, c := range [...]column{component, function, thread, executionType} {
		p.key = append(append(p.key, p.columnText(c)...), '\n')
	}
	if key, ok := p.keyOf[string(p.key)]; ok {
		return key, fault{}
	}
	if f := p.checkNames(); !f.ok() {
		return 0, f
	}
	e := schema.EventKey{
		Component:     string(p.columnText(component)),
		Function:      string(p.columnText(function)),
		Kind:          k,
		ExecutionType: string(p.columnText(executionType)),
	}
	// Threads belong to components, so a thread of the same name elsewhere is another lifeline.
	e.Lifeline = e.Component
	if t := p.columnText(thread); len(t) > 0 {
		e.Lifeline += "/" + string(t)
	}
	key := uint32(len(p.keys))
	p.keys = append(p.keys, e)
	p.keyOf[string(p.key)] = key
	return key, fault{}
}

// checkNames returns the first fault of the names of a row whose key is new.
func (p *parser) checkNames() fault {
	for _, c := range [...]column{component, function, thread, executionType} {
		if f := checkName(p.columnText(c), p.columnBegin(c)); !f.ok() {
			return f
		}
	}
	if len(p.columnText(component)) == 0 {
		return fault{p.columnBegin(component), "a component"}
	}
	if len(p.columnText(function)) == 0 {
		return fault{p.columnBegin(function), "a function"}
	}
	return fault{}
}

// messageMark is the mark and the number of the row's message; a new mark is added.
func (p *parser) messageMark() (uint32, int64, fault) {
	id, word, label := p.columnText(identifier), p.columnText(direction), p.columnText(message)
	// No message: three empty columns. Any of them alone is a fault, since an end of a message needs its identifier.
	if len(id)+len(word)+len(label) == 0 {
		return schema.NoMark, schema.NoValue, fault{}
	}
	if len(id) == 0 {
		return 0, 0, fault{p.columnBegin(identifier), "an identifier of the message"}
	}
	d, ok := directionOf(word)
	if !ok {
		return 0, 0, fault{p.columnBegin(direction), "'send' or 'receive'"}
	}
	series, number := textfield.SplitIdentifier(id)
	// Direction, series and label as one text. A line end separates the last two, since neither can hold one.
	p.mark = append(append(append(append(p.mark[:0], d), series...), '\n'), label...)
	if mark, ok := p.markOf[string(p.mark)]; ok {
		return mark, number, fault{}
	}
	// New marks are checked once; digits of the number need no check.
	if f := checkName(series, p.columnBegin(identifier)); !f.ok() {
		return 0, 0, f
	}
	if f := checkName(label, p.columnBegin(message)); !f.ok() {
		return 0, 0, f
	}
	return p.addMark(d, series, label), number, fault{}
}

// addMark adds the mark that p.mark holds as text. A message without a label is labelled by its series.
func (p *parser) addMark(d schema.Direction, series, label []byte) uint32 {
	// The strings are copies, made once a mark.
	m := schema.MessageMark{Direction: d, Series: string(series), Label: string(label)}
	if len(label) == 0 {
		m.Label = m.Series
	}
	mark := uint32(len(p.marks))
	p.marks = append(p.marks, m)
	p.markOf[string(p.mark)] = mark
	return mark
}

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
