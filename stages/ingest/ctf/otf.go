package ctf

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// Converters write the records of OTF 2 as events of CTF, with the same names and numbers: GlobalDef_Region, Event_Enter. Names
// are strings that have numbers; a location is a thread in a group, which is a process or rank.

// otfMeanings are those of the records that say who entered what.
var otfMeanings = map[string]meaning{
	"GlobalDef_String":        {role: roleDefinition, object: otfString, fields: []fieldWanted{need(regObject, "self"), need(regPath, "stringValue")}},
	"GlobalDef_Region":        {role: roleDefinition, object: otfRegion, fields: []fieldWanted{need(regObject, "self"), need(regOwner, "name")}},
	"GlobalDef_LocationGroup": {role: roleDefinition, object: otfGroup, fields: []fieldWanted{need(regObject, "self"), need(regOwner, "name")}},
	"GlobalDef_Location":      {role: roleDefinition, object: otfLocation, fields: []fieldWanted{need(regObject, "self"), need(regOwner, "locationGroup")}},
	"Event_Enter":             {role: roleRegionEnter, fields: []fieldWanted{need(regParent, "locationID"), need(regObject, "region")}},
	"Event_Leave":             {role: roleRegionLeave, fields: []fieldWanted{need(regParent, "locationID"), need(regObject, "region")}},
}

const (
	otfString object = iota + rosWriter + 1
	otfRegion
	otfGroup
	otfLocation
)

// otfKey is a definition of a trace by its kind and number.
type otfKey struct {
	trace  int
	kind   object
	number uint64
}

// otf is what the records of OTF 2 have defined.
type otf struct {
	names     map[otfKey]string // of strings
	refers    map[otfKey]uint64 // of other definitions: the name, or the group
	regions   map[otfKey]uint64 // the executions that regions are
	locations map[otfKey]int32  // the threads that locations are
}

func newOTF() otf {
	return otf{make(map[otfKey]string), make(map[otfKey]uint64), make(map[otfKey]uint64), make(map[otfKey]int32)}
}

// define notes a definition.
func (r *reader) define(s *stream) {
	k := otfKey{s.trace.number, s.event.object, s.regs[regObject]}
	if k.kind == otfString {
		r.otf.names[k] = s.text(regPath)
	} else {
		r.otf.refers[k] = s.regs[regOwner]
	}
}

// nameOf returns the name of a definition, or its kind and number where it has none.
func (o *otf) nameOf(k otfKey, kind string) string {
	if at, known := o.refers[k]; known {
		if name := o.names[otfKey{k.trace, otfString, at}]; name != "" {
			return name
		}
	}
	return fmt.Sprintf("%s %d", kind, k.number)
}

// region is the execution that the event in hand enters or leaves, on the thread of its location.
func (r *reader) region(s *stream) processes.Call {
	at := otfKey{s.trace.number, otfLocation, s.regs[regParent]}
	thread, known := r.otf.locations[at]
	if !known {
		group := r.otf.nameOf(otfKey{at.trace, otfGroup, r.otf.refers[at]}, "group")
		key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.hostNumber, PID: processes.LonePID + r.otf.refers[at]}, TID: at.number}
		thread = r.names.ThreadNumber(key, func() string { return group })
		r.otf.locations[at] = thread
	}
	k := otfKey{at.trace, otfRegion, s.regs[regObject]}
	n, known := r.otf.regions[k]
	if !known {
		n = r.names.AddNamed(processes.Execution{Function: r.otf.nameOf(k, "region")})
		r.otf.regions[k] = n
	}
	return processes.Call{Address: n, Named: true, Thread: thread}
}
