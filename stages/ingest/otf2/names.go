package otf2

import (
	"fmt"
)

// names says what the things of a trace are called.
type names struct {
	*definitions                              // by identifier
	component    string                       // one of the words of ReadingOptions.Component
	undefined    func(what string, id uint64) // counts a reference to what is not defined

	seats map[rankIn]uint32 // ranks of locations in the communicators whose sizes are known; see seat
	sizes map[uint64]uint32 // by communicator: how many ranks it has
}

// choose decides what components are: where the user does not, source files if the regions have different
// ones, else processes.
func (n *names) choose(option string) {
	if n.component = option; option != "" {
		return
	}
	n.component = byProcess
	one := ""
	for _, r := range n.regions {
		switch file := n.strings[r.file]; {
		// One file for all regions, or none, tells no parts of a program apart.
		case file == "" || file == one:
		case one == "":
			one = file
		default: // two files tell parts apart: no more need be looked at
			n.component = byFile
			return
		}
	}
}

// process is the name of the process of a location.
func (n *names) process(l location) string {
	p, ok := n.processes[l.group]
	if !ok {
		n.undefined("location group", l.group)
	}
	if name := n.strings[p.name]; ok && name != "" {
		return name
	}
	return fmt.Sprintf("process %d", int64(l.group)) // signed, so that an undefined group reads -1
}

// thread is the name of a location without that of its process.
func (n *names) thread(id uint64, l location) string {
	if name := n.strings[l.name]; name != "" {
		return name
	}
	return fmt.Sprintf("location %d", id)
}

// function is the name of a region and of its component, in a process.
func (n *names) function(id uint64, process string) (component, function string) {
	r, ok := n.regions[id]
	if !ok {
		n.undefined("region", id)
		r = region{undefined, undefined, undefined, undefined} // no string is called so: all names of it are empty
	}
	component = process
	switch n.component {
	case byFile:
		if file := n.strings[r.file]; file != "" {
			component = file
		}
	case byParadigm:
		if name := n.strings[n.paradigm(r.paradigm)]; name != "" {
			component = name
		} else if r.paradigm != undefined {
			component = fmt.Sprintf("paradigm %d", r.paradigm)
		}
	}
	// The name for people comes before the one for linkers.
	for _, name := range []uint64{r.name, r.canonical} {
		if function = n.strings[name]; function != "" {
			return component, function
		}
	}
	return component, fmt.Sprintf("region %d", int64(id))
}

// paradigm returns the string that names a paradigm, by its identifier.
func (n *names) paradigm(id uint64) uint64 {
	if name, ok := n.paradigms[id]; ok {
		return name
	}
	return undefined
}

// communicator is the name of a communicator.
func (n *names) communicator(id uint64) string {
	if c, ok := n.comms[id]; ok && n.strings[c.name] != "" {
		return n.strings[c.name]
	}
	return fmt.Sprintf("communicator %d", int64(id))
}
