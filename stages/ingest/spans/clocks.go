package spans

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/alignment"
)

// clocks are those of the services of a trace: hosts, as a rule.
type clocks struct {
	schema.Clocks
	between  *alignment.Collector // what the spans say about them; nil where all keep their times, and once it is solved
	solution *alignment.Solution  // nil until then
	ahead    map[uint32]int64     // by code: what the user knows, ns
	met      map[uint32]bool      // of these
}

func newClocks(of schema.Clocks) clocks {
	c := clocks{Clocks: of}
	if of.Mode != schema.ClocksKeep && of.Mode != "" {
		c.between = alignment.New()
	}
	return c
}

// assignClock says what a span's clock belongs to, and takes off what the user knows of it.
func (c *Collector) assignClock(s *Span) {
	switch c.clocks.Of {
	case "file":
		s.Clock = c.file
	case "component":
		s.Clock = s.Service
	case "process":
		s.Clock = cmp.Or(s.Instance, s.Service)
	default:
		s.Clock = cmp.Or(s.Clock, s.Instance, s.Service)
	}
	if len(c.clocks.AheadNs) == 0 {
		return
	}
	if c.clocks.ahead == nil {
		c.clocks.ahead, c.clocks.met = make(map[uint32]int64), make(map[uint32]bool)
		for _, name := range slices.Sorted(maps.Keys(c.clocks.AheadNs)) {
			c.clocks.ahead[c.Code([]byte(name))] = c.clocks.AheadNs[name]
		}
	}
	by := c.clocks.ahead[s.Clock]
	c.clocks.met[s.Clock] = true
	s.move(func(ns int64) int64 { return ns - by })
}

// move changes the times that a span has.
func (s *Span) move(to func(ns int64) int64) {
	if s.StartNs != Unknown {
		s.StartNs = to(s.StartNs)
	}
	if s.EndNs != Unknown {
		s.EndNs = to(s.EndNs)
	}
}

// compareClocks notes what the spans of the trace say about clocks: a call starts after its caller has, wherever it runs, and
// ends before a caller that waits for it. A call that takes longer than its caller was not waited for. Where neither side
// says that it is a client or a server, it is not known who waits.
func (t *trace) compareClocks(between *alignment.Collector) {
	for i := range t.spans {
		p := t.parent[i]
		if t.omitted[i] {
			continue
		}
		s := &t.spans[i]
		if p == noSpan {
			between.Start(s.Clock)
			continue
		}
		caller := &t.spans[p]
		if caller.Clock == s.Clock {
			continue
		}
		between.Before(caller.Clock, caller.StartNs, s.Clock, s.StartNs)
		switch waited := caller.Kind != Producer && s.Kind != Consumer && !s.Follows; {
		case !waited || s.EndNs-s.StartNs > caller.EndNs-caller.StartNs:
		case caller.Kind == Client && s.Kind == Server:
			between.Before(s.Clock, s.EndNs, caller.Clock, caller.EndNs)
		default:
			between.Nest(s.Clock, s.EndNs, caller.Clock, caller.EndNs)
		}
	}
}

// solve finds out by how much clocks are apart, and reports whether the spans are to be gone through with corrected times.
func (c *Collector) solve() bool {
	if c.clocks.between == nil {
		return false
	}
	c.clocks.solution = c.clocks.between.Solve(c.clocks.Mode == schema.ClocksAlign, func(domain uint32) string { return c.names[domain] })
	c.clocks.between = nil
	return !c.clocks.solution.Still()
}

// result is what was found out, for ClockReader.
func (c *clocks) result(names []string) (bounds []schema.ClockBound, said []string) {
	for _, code := range slices.Sorted(maps.Keys(c.ahead)) {
		if !c.met[code] {
			said = append(said, fmt.Sprintf("no clock is called %s: the clocks of this trace are %s", names[code], c.listed(names)))
		}
	}
	if c.solution != nil {
		bounds, said = c.solution.Bounds, append(said, c.solution.Said...)
	}
	return bounds, said
}

// mostListed is how many names a sentence lists.
const mostListed = 8

// listed names the clocks of the trace.
func (c *clocks) listed(names []string) string {
	var all []string
	for code := range c.met {
		all = append(all, names[code])
	}
	slices.Sort(all)
	if len(all) > mostListed {
		all = append(all[:mostListed], "others")
	}
	return strings.Join(all, ", ")
}
