package tmsct

import "github.com/tracelake/tracelake/schema"

// document holds the statements of a text, in their order.
type document struct {
	executors, components, functions, hosts names // by identifier
	interfaces, operations                  names // an operation is known as interface.operation

	events       []event                  // in the order of the text
	arcs         []arc                    // of the events, those of one event together
	dependencies []dependency             // in the order of their first mention
	byName       schema.Numbering[string] // dependencies
	properties   []property               // of the events, those of one event together

	settings [types]settings // of the dependencies of a type
	chart    settings        // settings of the whole chart
	notes    []property      // of the chart: properties and analyses
}

// span is a part of one of the document's lists.
type span struct{ from, to int32 }

// event is an event of the text.
type event struct {
	timeNs                        int64       // schema.NoValue: as soon as possible
	defaults                                  // of the segment before it
	executor, component, function int32       // component is -1 where the executor is the component
	line, col                     uint32      // from 0 and from 1
	arcs, properties              span        // parts of the lists of these
	kind                          schema.Kind // enter or exit
}

// arc is a dependency that an event sends or receives.
type arc struct {
	dependency int32 // position in document.dependencies
	sent       bool  // by the event, else received
}

// dependency is a message or another relation between the event that sends it and the one that receives it.
type dependency struct {
	name             string     // as the text has it
	defaults                    // its own
	typ                         // inferred where the text gives none
	source, target   int32      // events; -1 where the text has none
	request, message string     // names it refers to, or ""
	properties       []property // of its own
}

// typ is the type of a dependency.
type typ uint8

const (
	inferred         typ = iota // no type given: the prefix of its name decides
	message                     // sent and received
	request                     // a message that a reply answers
	reply                       // a message that answers a request
	domainDependency            // another dependency than a message
	lifelineSegment             // a lifeline's own way from an event to the next
	messageControl              // a message that controls another one
	types            int = iota // how many there are
)

// typeWords are the types as the language has them.
var typeWords = [types]string{"", "message", "request", "reply", "domain-dependency", "lifeline-segment", "message-control"}

// typeOf is the type of a word, inferred where it is none.
func typeOf(text string) typ {
	for t := message; int(t) < types; t++ {
		if typeWords[t] == text {
			return t
		}
	}
	return inferred
}

// defaults are a bound and whether something is scheduled, where they are given.
type defaults struct {
	boundNs   int64  // schema.NoValue where it is not given
	scheduled choice // see choice
}

// choice is true, false or not given.
type choice uint8

const (
	open choice = iota // not given
	yes                // given as true
	no                 // given as false
)

// or are the defaults, and others where they give nothing.
func (d defaults) or(next defaults) defaults {
	// The two are inherited one by one: a bound may be given here and its schedule further up.
	if d.boundNs == schema.NoValue {
		d.boundNs = next.boundNs
	}
	if d.scheduled == open {
		d.scheduled = next.scheduled
	}
	return d
}

// unset are the defaults that give nothing.
var unset = defaults{boundNs: schema.NoValue}

// settings are those of a type of dependencies, or of the chart.
type settings struct {
	defaults
	prefix string // of names of dependencies, for those of a type
	given  bool   // the text has them
}

// newDocument returns a document without statements.
func newDocument() *document {
	d := new(document)
	for i := range d.settings {
		d.settings[i].defaults = unset
	}
	d.chart.defaults = unset
	return d
}

// dependencyOf is the position of the dependency of a name.
func (d *document) dependencyOf(name string) int32 {
	i, isNew := d.byName.Add(name)
	if isNew {
		d.dependencies = append(d.dependencies, dependency{name: name, defaults: unset, source: -1, target: -1})
	}
	return int32(i)
}
