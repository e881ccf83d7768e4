package samplechanges

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Rank sorts changes by how much they matter and numbers them: what is detected first, then by the time gained
// or lost in the step itself, then by the change of the total. Parts of critical paths say where changes arrive,
// so all of them stand after all else, in the same order among themselves.
func Rank(changes []*schema.Change) {
	all := make([]ranked, len(changes))
	for i, c := range changes {
		all[i] = ranked{c, ofPath(c), notable(c), size(c.ImpactNs), size(c.AbsNs), i}
	}
	slices.SortFunc(all, ranked.compare)
	for i := range all {
		changes[i] = all[i].change
		changes[i].Rank = int64(i + 1)
	}
}

// ranked is a change with the numbers that it is ranked by: they decide nearly always, and lie side by side.
type ranked struct {
	change       *schema.Change
	path, mark   int   // see ofPath and notable
	impact, size int64 // without their signs
	at           int   // where it stood before
}

func (a ranked) compare(b ranked) int {
	switch {
	case a.path != b.path:
		return cmp.Compare(a.path, b.path)
	case a.mark != b.mark:
		return cmp.Compare(b.mark, a.mark)
	case a.impact != b.impact:
		return cmp.Compare(b.impact, a.impact)
	case a.size != b.size:
		return cmp.Compare(b.size, a.size)
	}
	c, d := a.change, b.change
	return cmp.Or(
		cmp.Compare(c.Component, d.Component), cmp.Compare(c.Fragment, d.Fragment), cmp.Compare(c.Level, d.Level),
		cmp.Compare(c.Subject, d.Subject), cmp.Compare(a.at, b.at),
	)
}

// ofPath is 1 for a part of critical paths, else 0.
func ofPath(c *schema.Change) int {
	if c.Level == schema.LevelCriticalPath {
		return 1
	}
	return 0
}

// notable is 2 for what changed by itself, 1 for other changes, 0 for no change.
func notable(c *schema.Change) int {
	switch {
	case !Notable(c.Verdict):
		return 0
	case c.RootCause == OwnTime:
		return 2
	}
	return 1
}

// Notable reports whether a verdict is on a change.
func Notable(verdict string) bool {
	return verdict != schema.Unchanged && verdict != schema.Undetermined
}

func size(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
