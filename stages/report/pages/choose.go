package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
)

// Fragments lists the fragments whose automata a reader will ask for, by their names in the baseline: those of the findings in the order of
// their numbers, then those that carry them on to the root, then all others that changed, by rank.
func Fragments(changes []schema.Change, findings []schema.Finding) []string {
	c := &chooser{known: make(map[string]bool), seen: make(map[string]bool)}
	for i := range changes {
		if r := &changes[i]; r.Level == schema.LevelFragment && r.Verdict != schema.Appeared {
			c.known[r.Fragment] = true
		}
	}
	byEffect := slices.Clone(findings)
	slices.SortStableFunc(byEffect, func(a, b schema.Finding) int { return cmp.Compare(truth(a.Minor), truth(b.Minor)) })
	for i := range byEffect {
		f := &byEffect[i]
		c.add(f.Fragment)
		for k := range changes {
			if r := &changes[k]; f.Fragment == "" && r.Level == schema.LevelTransition && r.Component == f.Component && r.Function == f.Function && isChange(r) {
				c.add(r.Fragment)
			}
		}
	}
	for i := range byEffect {
		// A chain of callers names functions; of each, the fragments that changed follow.
		for _, function := range strings.Split(byEffect[i].InheritedAt, " < ") {
			for k := range changes {
				if r := &changes[k]; r.Level == schema.LevelFragment && r.Component+"."+r.Function == function && isChange(r) {
					c.add(r.Fragment)
				}
			}
		}
	}
	for _, level := range []string{schema.LevelFragment, schema.LevelTransition} {
		for i := range changes {
			if r := &changes[i]; r.Level == level && isChange(r) {
				c.add(r.Fragment)
			}
		}
	}
	return c.chosen
}

// chooser collects fragments, each once.
type chooser struct {
	known, seen map[string]bool
	chosen      []string
}

func (c *chooser) add(fragment string) {
	if c.known[fragment] && !c.seen[fragment] {
		c.seen[fragment] = true
		c.chosen = append(c.chosen, fragment)
	}
}

// isChange reports whether a verdict says that something changed.
func isChange(r *schema.Change) bool {
	return samplechanges.Notable(r.Verdict) && r.Verdict != schema.NotAsked
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
