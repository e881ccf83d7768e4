package sampled

import (
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// Profile is what V8 writes of a profile, or of a part of one: nodes of the tree of callers, and samples of those that run.
type Profile struct {
	*jsontext.Reader // of the text
	// Bad takes what is not of the format; its error ends the reading.
	Bad func(schema.Reason, *schema.SyntaxError) error

	Nodes            []Node  // of the tree, in the order of the text
	Samples          []int64 // identifiers of nodes
	Deltas           []int64 // us between a sample and the one before it
	StartUs, EndUs   int64   // us of the profiler's clock
	HasNodes         bool    // the profile has a list of nodes
	HasStart, HasEnd bool    // startTime and endTime were read
	Ticks            int64   // nodes with ticks by line, which are not read
}

// Node is a function with the function that called it, as a profile names both.
type Node struct {
	Frame
	ID       int64   // of the profile, by which samples name it
	Parents  []int64 // one at most, in a good profile
	Children []int64 // what it calls, where nodes list callees
}

// Clear forgets everything, so that the next part can be read.
func (p *Profile) Clear() {
	*p = Profile{Reader: p.Reader, Bad: p.Bad, Nodes: p.Nodes[:0], Samples: p.Samples[:0], Deltas: p.Deltas[:0]}
}

// Member takes a member of a profile; others are left.
func (p *Profile) Member(name []byte) error {
	// Members stand in any order, and each kind of profile has some of them.
	switch string(name) {
	case "cpuProfile": // of a part, in a trace
		if p.Kind() == jsontext.Object {
			return p.Object(p.Member)
		}
	case "nodes":
		p.HasNodes = p.Kind() == jsontext.Array
		return p.each(p.node)
	case "samples":
		return p.each(func() error { return p.number(func(v int64) { p.Samples = append(p.Samples, v) }) })
	case "timeDeltas":
		return p.each(func() error { return p.number(func(v int64) { p.Deltas = append(p.Deltas, v) }) })
	case "startTime", "endTime":
		return p.number(func(v int64) { p.SetTime(name, v) })
	}
	return nil
}

// SetTime sets startTime or endTime.
func (p *Profile) SetTime(name []byte, us int64) {
	if string(name) == "startTime" {
		p.StartUs, p.HasStart = us, true
	} else {
		p.EndUs, p.HasEnd = us, true
	}
}

// each takes the elements of a list; a value of another kind is left.
func (p *Profile) each(element func() error) error {
	if p.Kind() != jsontext.Array {
		return nil
	}
	return p.Array(element)
}

// number takes a whole number. Another value is a fault.
// A bad number is counted and its member is left; the profile goes on.
func (p *Profile) number(take func(v int64)) error {
	if p.Kind() != jsontext.Number {
		return p.Bad(schema.BadRecord, p.At(errors.New("expected a number")))
	}
	v, err := p.Int()
	if err != nil && p.Err() == nil {
		return p.Bad(schema.BadRecord, p.At(errors.New("expected a whole number")))
	}
	take(v)
	return p.Err()
}

// node takes a node.
func (p *Profile) node() error {
	if p.Kind() != jsontext.Object {
		return p.Bad(schema.BadRecord, p.At(errors.New("expected a node, an object")))
	}
	n, has := Node{}, false
	if err := p.Object(func(name []byte) error {
		switch string(name) {
		case "id":
			return p.number(func(v int64) { n.ID, has = v, true })
		case "children":
			return p.each(func() error { return p.number(func(v int64) { n.Children = append(n.Children, v) }) })
		case "parent":
			return p.number(func(v int64) { n.Parents = append(n.Parents, v) })
		case "callFrame":
			return p.frame(&n.Frame)
		case "positionTicks":
			p.Ticks++
		}
		return nil
	}); err != nil {
		return err
	}
	if !has {
		return p.Bad(schema.BadRecord, p.At(errors.New("expected an id in a node")))
	}
	p.Nodes = append(p.Nodes, n)
	return nil
}

// frame takes the function of a node.
func (p *Profile) frame(f *Frame) error {
	if p.Kind() != jsontext.Object {
		return nil
	}
	return p.Object(func(name []byte) error {
		var of *string
		switch string(name) {
		case "functionName":
			of = &f.Function
		case "url":
			of = &f.URL
		case "lineNumber":
			return p.number(func(v int64) { f.Line = v })
		}
		if of == nil || p.Kind() != jsontext.String {
			return nil
		}
		s, err := p.String()
		*of = string(s)
		return err
	})
}
