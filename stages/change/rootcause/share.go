package rootcause

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// total is the difference of the initial fragments that are shown to have changed, and what the findings contribute
// to it. It is 0 where none is shown.
//
// Initial fragments may run at the same time. Their costs are added up all the same, as those of the findings are:
// then both are parts of one account, in which a share is exact. Critical paths tell how much later the end is, but not
// how much of that a finding explains that is only partly on them.
func (f *finder) total() (ns float64, parts []part) {
	s := f.newSums()
	for _, n := range f.byName() {
		if n.initial() == 0 || !n.row.changed() {
			continue
		}
		switch n.row.Change.Verdict {
		case schema.ShapeChanged, schema.CountChanged:
			continue
		}
		ns += n.diffNs
		s.add(n.parts, 1)
	}
	return ns, s.take()
}

// shareOf is the share of the total that a finding explains; nil where that is not shown, or where no initial fragment
// waits for it.
func (f *finder) shareOf(c *cause, totalNs float64, initial []part, reached map[*node]*node) *float64 {
	n := f.nodeOf(c)
	if math.Abs(totalNs) <= f.FloorNs || n == nil {
		return nil
	}
	if _, is := reached[n]; !is {
		return nil
	}
	share := 0.0
	for _, p := range initial {
		if p.cause == c {
			share = p.ns / totalNs
		}
	}
	return &share
}
