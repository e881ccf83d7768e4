package otf1

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// naming gives processes and functions the names under which their events are known.
type naming struct {
	by        string            // what components are
	sources   map[uint64]string // files of functions, by token
	lifelines map[uint64]string // of defined processes, by token
	taken     map[string]bool   // lifelines
}

// process is a process while its events are read.
type process struct {
	component string                // of functions that have none of their own
	lifeline  string                // unique in the run
	undefined bool                  // the trace has no definition of it
	calls     []uint32              // positions of the functions of the open calls
	slots     []slot                // by position of the function
	begun     map[uint64]collective // operations that have not ended, by their number
	met       []collective          // those that ended in open calls
	idle      [2]uint32             // keys plus 1 of calls of lone messages, by direction; 0: none yet
}

// slot holds the keys and the open calls of a function in a process.
type slot struct {
	key  uint32 // of its enters, plus 1; that of its exits and messages follow. 0: none yet
	open int32  // calls
}

// function is a function that occurs.
type function struct {
	component string // "": that of the process
	name      string // "function N" where the trace gives none
	undefined bool   // the trace has no definition of it
}

// nameBy settles the names.
func (r *reader) nameBy(option string, d *definitions) (n naming) {
	n.by = d.chooseComponent(option)
	n.sources = d.sourceNames()
	n.lifelines, n.taken = make(map[uint64]string), make(map[string]bool)
	count := make(map[string]int)
	// How many processes have each name.
	for token := range d.processes {
		n.lifelines[token] = d.processName(token)
		count[n.lifelines[token]]++
	}
	// Names that several processes have are numbered in the order of their tokens, so that the order of a map never shows.
	tokens := make([]uint64, 0, len(n.lifelines))
	// Names of one process stay as they are, and no number may make another name equal to one of them.
	for token, name := range n.lifelines {
		if count[name] == 1 {
			n.taken[name] = true
		} else {
			tokens = append(tokens, token)
		}
	}
	slices.Sort(tokens)
	next := make(map[string]int)
	for _, token := range tokens {
		n.lifelines[token] = n.distinct(n.lifelines[token], next)
	}
	return n
}

// distinct puts the next number behind a name that several have.
func (n *naming) distinct(name string, next map[string]int) string {
	for {
		next[name]++
		numbered := fmt.Sprintf("%s/%d", name, next[name])
		if !n.taken[numbered] {
			n.taken[numbered] = true
			return numbered
		}
	}
}

// processName is the name of a process as it is defined.
func (d *definitions) processName(token uint64) string {
	if name := d.processes[token].name; name != "" {
		return name
	}
	return fmt.Sprintf("process %d", token)
}

// newProcess makes a process ready for its first event.
func (r *reader) newProcess(token uint64) *process {
	p := &process{}
	def, defined := r.processes[token]
	// A process that occurs but is not defined gets a name that no defined one has.
	if p.lifeline = r.lifelines[token]; p.lifeline == "" {
		p.undefined = !defined
		if p.lifeline = r.processName(token); r.taken[p.lifeline] {
			p.lifeline = r.distinct(p.lifeline, make(map[string]int))
		}
		r.taken[p.lifeline] = true
	}
	// A thread belongs to the component of its process: of its parents, the one that is no thread. Hops are bounded since a
	// damaged trace may have a circle of parents.
	p.component = p.lifeline
	for hops := 0; def.thread && hops < len(r.processes); hops++ {
		token = def.parent
		def = r.processes[token]
		if p.component = r.lifelines[token]; p.component == "" {
			p.component = r.processName(token)
		}
	}
	return p
}

// newFunction gives a function its name and component.
func (r *reader) newFunction(token uint64) function {
	def, defined := r.functions[token]
	f := function{name: def.name, undefined: !defined}
	f.name = cmp.Or(f.name, fmt.Sprintf("function %d", token))
	// Group and file by their tokens; undefined tokens have empty names.
	group := r.names[groups][def.group]
	file := r.sources[r.lines[def.scl]]
	switch {
	case !defined: // that of the process
	case group == tracerGroup:
		f.component = tracerGroup
	case r.by == byFile && file != "":
		f.component = file
	case r.by != byProcess && group != "":
		f.component = group
	case r.by != byProcess:
		f.component = fmt.Sprintf("group %d", def.group)
	}
	return f
}

// eventKey returns the key of a function in a process, for any kind of event.
func (p *process) eventKey(f *function) schema.EventKey {
	component := f.component
	component = cmp.Or(component, p.component)
	return schema.EventKey{Component: component, Lifeline: p.lifeline, Function: f.name}
}
