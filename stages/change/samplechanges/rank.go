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
	slices.SortStableFunc(changes, func(a, b *schema.Change) int {
		// Numbers decide nearly always, and names take longer to compare.
		if by := cmp.Or(
			cmp.Compare(ofPath(a), ofPath(b)), cmp.Compare(notable(b), notable(a)),
			cmp.Compare(size(b.ImpactNs), size(a.ImpactNs)), cmp.Compare(size(b.AbsNs), size(a.AbsNs)),
		); by != 0 {
			return by
		}
		return cmp.Or(
			cmp.Compare(a.Component, b.Component), cmp.Compare(a.Fragment, b.Fragment), cmp.Compare(a.Level, b.Level),
			cmp.Compare(a.Subject, b.Subject),
		)
	})
	for i := range changes {
		changes[i].Rank = int64(i + 1)
	}
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
