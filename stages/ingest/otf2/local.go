package otf2

import "sort"

// Types of local definitions.
const (
	defMapping = 5 // identifiers of the location for one kind of definition
	defOffset  = 6 // how far the location's clock is off at one time
)

// What a mapping table is of. Others are of no interest here.
const (
	mapLocations = 2
	mapRegions   = 3
	mapMetrics   = 5
	mapComms     = 6
	mapContexts  = 10
	mapKinds     = 16 // above the numbers of all kinds
)

// mapping gives local identifiers their global ones. What it does not have is global already.
type mapping struct {
	dense  []uint64          // by local identifier, for small ones
	sparse map[uint64]uint64 // by local identifier, for others
}

// global returns the global identifier of a local one, which is the same where the mapping has none.
func (m *mapping) global(id uint64) uint64 {
	if id < uint64(len(m.dense)) {
		return m.dense[id]
	}
	if g, ok := m.sparse[id]; ok {
		return g
	}
	return id
}

// local holds the local definitions of a location.
type local struct {
	maps    [mapKinds]mapping // by kind of definition
	samples []sample          // by time
}

// readLocal reads the local definitions of a location.
func (r *reader) readLocal(c *chunks) (*local, error) {
	l := new(local)
	err := r.records(c, func(kind byte) error {
		f, err := c.body()
		if err != nil {
			return err
		}
		// Others are passed over: body has read them.
		switch kind {
		case defMapping:
			l.mapping(&f)
		case defOffset: // a time and an offset, both in ticks
			if s := (sample{f.u64(), f.signed()}); !f.bad {
				l.samples = append(l.samples, s)
			}
		}
		if f.bad {
			return errFields
		}
		return nil
	})
	sort.SliceStable(l.samples, func(i, j int) bool { return l.samples[i].time < l.samples[j].time }) // a file need not have them by time
	return l, err
}

// mapping reads a table: its kind, its length, and either global identifiers in the order of the local ones or
// pairs of both.
func (l *local) mapping(f *fields) {
	kind, n, sparse := f.u8(), f.number(), f.u8() != 0
	var m mapping
	for ; n > 0 && !f.bad; n-- {
		switch {
		case !sparse:
			m.dense = append(m.dense, f.number())
		case m.sparse == nil:
			m.sparse = map[uint64]uint64{}
			fallthrough
		default:
			id := f.number()
			m.sparse[id] = f.number()
		}
	}
	if !f.bad && kind < mapKinds { // a later table of a kind replaces an earlier one
		l.maps[kind] = m
	}
}
