package otf2

import (
	"fmt"
	"reflect"

	"github.com/tracelake/tracelake/schema"
)

// Types of global definitions.
const (
	defClock          = 5
	defParadigm       = 6
	defString         = 10
	defLocationGroup  = 13
	defLocation       = 14
	defRegion         = 15
	defGroup          = 18
	defMetricMember   = 19
	defMetricClass    = 20
	defMetricInstance = 21
	defComm           = 22
	defCallingContext = 34
)

// Types of groups.
const (
	groupCommLocations = 4 // members are locations, in the order of their ranks
	groupComm          = 5 // members are positions in the group before
	groupCommSelf      = 6 // the member is the location itself
)

// globalMembers is the flag of a group whose members are locations whatever its type.
const globalMembers = 1

// What definitions say, as far as it is used. Names, files and groups are identifiers of other definitions.
type (
	process  struct{ name uint64 } // a LOCATION_GROUP
	location struct{ name, events, group uint64 }
	region   struct{ name, canonical, file, paradigm uint64 }
	group    struct {
		members  []uint64
		kind     byte
		paradigm byte
		flags    uint64
	}
	comm   struct{ name, group uint64 }
	metric struct { // a METRIC_MEMBER
		name, unit uint64
		binary     bool // the base of the exponent is 2, and not 10
		exponent   int64
	}
	metricClass struct{ members []uint64 }
	context     struct{ region uint64 } // a CALLING_CONTEXT
)

// definitions are the global definitions. Names are references to strings, which may be defined later.
type definitions struct {
	clock     clock
	strings   map[uint64]string   // by identifier, as all below
	paradigms map[uint64]uint64   // name, by the number of a paradigm
	processes map[uint64]process  // LOCATION_GROUP
	locations map[uint64]location // threads and other streams of events
	regions   map[uint64]region   // functions
	groups    map[uint64]group    // of locations or ranks
	comms     map[uint64]comm     // communicators of MPI
	contexts  map[uint64]context  // CALLING_CONTEXT, of samples
	metrics   map[uint64]metric   // METRIC_MEMBER
	measured  map[uint64]metricClass
	instances map[uint64]uint64 // class of a METRIC_INSTANCE

	// ranks are the members of the last group of type groupCommLocations of each paradigm, apart from the other
	// groups since tracers give its number to others as well.
	ranks map[byte][]uint64

	order   []uint64                     // locations in the order of their definitions
	repeats func(what uint64, kind byte) // something was defined again in another way
}

// newDefinitions returns definitions that are empty.
func newDefinitions() *definitions {
	return &definitions{
		strings: map[uint64]string{}, paradigms: map[uint64]uint64{}, processes: map[uint64]process{},
		locations: map[uint64]location{}, regions: map[uint64]region{}, groups: map[uint64]group{},
		comms: map[uint64]comm{}, contexts: map[uint64]context{}, ranks: map[byte][]uint64{},
		metrics: map[uint64]metric{}, measured: map[uint64]metricClass{}, instances: map[uint64]uint64{},
	}
}

// readDefinitions reads the global definitions, which may stand in any order.
func (r *reader) readDefinitions(c *chunks) (*definitions, error) {
	d := newDefinitions()
	var at int64
	d.repeats = func(id uint64, kind byte) {
		r.reading.Ledger.Add(schema.DuplicateDef, func() string {
			return (&schema.SyntaxError{File: c.name, Offset: at, Err: fmt.Errorf("definition %d of type %d", id, kind)}).Error()
		})
	}
	err := r.records(c, func(kind byte) error {
		at = c.offset() - 1
		f, err := c.body()
		if err != nil {
			return err
		}
		// Definitions of other types are skipped by their length.
		if define := define[kind]; define != nil {
			define(d, &f)
		}
		if f.bad {
			return errFields
		}
		return nil
	})
	return d, err
}

// records passes on the records of a file of definitions. A defect is counted and costs the rest of its chunk.
func (r *reader) records(c *chunks, visit func(kind byte) error) error {
	for {
		kind, err := c.record()
		if err == nil && kind == endOfFile {
			return nil
		}
		if err == nil {
			err = visit(kind)
		}
		if err != nil {
			if err := r.countLost(c, err); err != nil {
				return err
			}
		}
	}
}

// define reads the attributes of a definition. Those that have no entry are of no interest here.
var define = [256]func(*definitions, *fields){
	defClock: func(d *definitions, f *fields) {
		c := clock{f.number(), f.number()}
		if !f.bad {
			d.clock = c
		}
	},
	defParadigm: func(d *definitions, f *fields) {
		id := uint64(f.u8())
		put(d, f, d.paradigms, defParadigm, id, f.id())
	},
	defString: func(d *definitions, f *fields) {
		id := f.id()
		put(d, f, d.strings, defString, id, f.text())
	},
	defLocationGroup: func(d *definitions, f *fields) {
		id := f.id()
		put(d, f, d.processes, defLocationGroup, id, process{f.id()})
	},
	defLocation: (*definitions).location,
	defRegion:   (*definitions).region,
	defGroup:    (*definitions).group,
	defComm: func(d *definitions, f *fields) {
		id := f.id()
		put(d, f, d.comms, defComm, id, comm{f.id(), f.id()})
	},
	defMetricMember: (*definitions).metric,
	defMetricClass: func(d *definitions, f *fields) {
		id := f.id()
		var members []uint64
		for n := f.u8(); n > 0 && !f.bad; n-- {
			members = append(members, f.id())
		}
		put(d, f, d.measured, defMetricClass, id, metricClass{members})
	},
	defMetricInstance: func(d *definitions, f *fields) {
		id := f.id()
		put(d, f, d.instances, defMetricInstance, id, f.id())
	},
	defCallingContext: func(d *definitions, f *fields) {
		id := f.id()
		put(d, f, d.contexts, defCallingContext, id, context{f.id()})
	},
}

// put enters a definition. The last one of an identifier holds.
func put[T any](d *definitions, f *fields, into map[uint64]T, kind byte, id uint64, v T) {
	if f.bad {
		return
	}
	if old, ok := into[id]; ok && !reflect.DeepEqual(old, v) {
		d.repeats(id, kind)
	}
	into[id] = v
}

// location reads a LOCATION: id, name, type, number of events, group.
func (d *definitions) location(f *fields) {
	id, name := f.number(), f.id()
	f.u8() // type
	// The order of definition is that of streams, which decides between events of one time.
	if _, ok := d.locations[id]; !ok && !f.bad {
		d.order = append(d.order, id)
	}
	put(d, f, d.locations, defLocation, id, location{name, f.number(), f.id()})
}

// region reads a REGION; version 1.0 ends before the canonical name.
func (d *definitions) region(f *fields) {
	id, v := f.id(), region{canonical: undefined, paradigm: undefined}
	v.name = f.id()
	f.id() // description
	f.u8() // type of version 1.0
	v.file = f.id()
	f.number() // begin and end line
	f.number()
	if f.more() {
		v.canonical = f.id()
		f.u8() // role
		v.paradigm = uint64(f.u8())
	}
	put(d, f, d.regions, defRegion, id, v)
}

// group reads a GROUP; version 1.0 ends behind the members.
func (d *definitions) group(f *fields) {
	id := f.id()
	f.id() // name
	f.u8() // type of version 1.0
	var v group
	// A count beyond the record is damage: it ends with the bytes, before it can take memory.
	for n := f.number(); n > 0 && !f.bad; n-- {
		v.members = append(v.members, f.number())
	}
	if f.more() {
		v.kind, v.paradigm, v.flags = f.u8(), f.u8(), f.number()
	}
	if !f.bad && v.kind == groupCommLocations {
		d.ranks[v.paradigm] = v.members
	}
	put(d, f, d.groups, defGroup, id, v)
}

// metric reads a METRIC_MEMBER: id, name, description, type, mode, type of values, base, exponent, unit.
func (d *definitions) metric(f *fields) {
	id, v := f.id(), metric{name: f.id()}
	f.id() // description
	f.u8() // type, mode, type of values
	f.u8()
	f.u8()
	v.binary = f.u8() == 0
	v.exponent, v.unit = f.signed(), f.id()
	put(d, f, d.metrics, defMetricMember, id, v)
}
