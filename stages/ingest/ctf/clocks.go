package ctf

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/alignment"
)

// Each host has a clock. How far these are apart shows in what goes from one to another: segments of TCP, and messages of ROS 2.

// clocks are those of the traces of a run.
type clocks struct {
	schema.Clocks
	domains  schema.Numbering[string] // their names
	between  *alignment.Collector     // what the traces say about them; nil where all keep their times, and once it is solved
	solution *alignment.Solution      // nil until then
}

// assign says which clock a trace has.
func (c *clocks) assign(t *source) {
	name := c.owner(t)
	t.clock, t.aheadNs = c.domains.Number(name), c.AheadNs[name]
}

// prepare reports whether the clocks are to be compared.
func (c *clocks) prepare() bool {
	if c.Mode == "" || c.Mode == schema.ClocksKeep || len(c.domains.List) < 2 {
		return false
	}
	c.between = alignment.New()
	return true
}

// owner is the name of what has the clock of a trace: a host, or what the clock says of itself where the trace names no host.
func (c *clocks) owner(t *source) string {
	if c.Of == "file" {
		return path.Base(t.Path)
	}
	for _, clock := range t.plan.meta.clocks {
		if t.host == "" && clock.uuid != "" {
			return "clock " + clock.uuid
		}
	}
	return t.host
}

// solve finds out how far the clocks are apart.
func (c *clocks) solve() {
	c.solution = c.between.Solve(c.Mode == schema.ClocksAlign, func(domain uint32) string { return c.domains.List[domain] })
	c.between = nil
}

// correct returns the time of the reference at a time of a trace's clock.
func (c *clocks) correct(t *source, ns int64) int64 {
	ns -= t.aheadNs
	if c.solution != nil {
		ns = c.solution.Correct(t.clock, ns)
	}
	return ns
}

// Clocks implements schema.ClockReader.
func (r *reader) Clocks() (bounds []schema.ClockBound, said []string) {
	c := &r.clocks
	for _, name := range slices.Sorted(maps.Keys(c.AheadNs)) {
		if !slices.Contains(c.domains.List, name) {
			said = append(said, fmt.Sprintf("no clock is called %s: the clocks of this trace are %s", name, strings.Join(c.domains.List, ", ")))
		}
	}
	if c.solution != nil {
		bounds, said = c.solution.Bounds, append(said, c.solution.Said...)
	}
	return bounds, said
}

// identity is that of a segment, or the time of the source of a message of ROS 2.
type identity struct {
	segment
	sourceNs int64
}

// sighting is how often something left a host and arrived at one, with the last time.
type sighting struct {
	left, arrived    int
	from, to         uint32 // clocks
	leftNs, arriveNs int64
}

// see notes that something leaves or arrives. No more is kept than of messages of ROS 2.
func (v *scanned) see(s *stream, of *source, k identity) {
	if v.clocks.between == nil {
		return
	}
	g := v.sightings[k]
	if g == nil {
		if len(v.sightings) >= v.mostPublished() {
			return
		}
		g = new(sighting)
		v.sightings[k] = g
	}
	ns := s.ns - of.aheadNs
	if role := s.event.role; role == rolePacketOut || role == rolePublish {
		g.left, g.from, g.leftNs = g.left+1, of.clock, ns
	} else {
		g.arrived, g.to, g.arriveNs = g.arrived+1, of.clock, ns
	}
}

// compareClocks relates the clocks by all that left one host once and arrived at another one once: what is sent again has two
// departures for one arrival.
func (v *scanned) compareClocks() {
	var all []*sighting
	for _, g := range v.sightings {
		if g.left == 1 && g.arrived == 1 && g.from != g.to {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b *sighting) int {
		return cmp.Or(cmp.Compare(a.leftNs, b.leftNs), cmp.Compare(a.arriveNs, b.arriveNs), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	for _, g := range all {
		v.clocks.between.Before(g.from, g.leftNs, g.to, g.arriveNs)
	}
}
