package tmsct

import "strings"

// element is a component, function, host, executor, interface or operation, declared or only used.
type element struct {
	id, description string // description is "" where the text gives none
	defaults
	executionType string // of a function
	implements    string // of a function: the operation as the text names it
	host          int32  // of an executor: its host, or -1
	component     int32  // of an executor: the component that it is, or -1
	declared      bool   // not only used
	untraced      bool   // of an executor or a host
}

// names are the elements of one kind by their identifiers.
type names struct {
	list []element        // in the order of first mention
	byID map[string]int32 // position in list
}

// of is the position of the element of an identifier, which is added when it is new.
func (n *names) of(id string) int32 {
	i, known := n.byID[id]
	if !known {
		if n.byID == nil {
			n.byID = make(map[string]int32)
		}
		id = strings.Clone(id) // the text need not stay
		i = n.add(element{id: id})
		n.byID[id] = i
	}
	return i
}

// add adds an element that gives no defaults, and returns its position.
func (n *names) add(e element) int32 {
	e.defaults, e.host, e.component = unset, -1, -1
	n.list = append(n.list, e)
	return int32(len(n.list) - 1)
}

// describe adds the element of an identifier, unless it is known, with what it is called.
func (n *names) describe(id, description string) {
	if _, known := n.byID[id]; !known {
		n.list[n.of(id)].description = strings.Clone(description)
	}
}

// declares reports whether an identifier is declared.
func (n *names) declares(id string) bool {
	i, known := n.byID[id]
	return known && n.list[i].declared
}

// displayNames are the names by which the elements are called: their descriptions as far as no two are called
// alike, else their identifiers.
func (n *names) displayNames() []string {
	// How many elements have each identifier and each description.
	ids, descriptions := make(map[string]int), make(map[string]int)
	for i := range n.list {
		ids[n.list[i].id]++
		descriptions[n.list[i].description]++
	}
	shown := make([]string, len(n.list))
	for i := range n.list {
		e := &n.list[i]
		// A description that is also an identifier would make two elements one.
		others := ids[e.description]
		if e.id == e.description {
			others--
		}
		if shown[i] = e.id; e.description != "" && descriptions[e.description] == 1 && others == 0 {
			shown[i] = strings.Clone(e.description)
		}
	}
	return shown
}

// executorComponent is the component that an executor is.
func (d *document) executorComponent(executor int32) int32 {
	e := &d.executors.list[executor]
	if e.component < 0 {
		e.component = d.components.add(element{id: e.id, description: e.description})
	}
	return e.component
}
