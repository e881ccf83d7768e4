package compare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// model is what a comparison knows of a run before it reads samples: the automata and the summaries, a few hundred
// bytes for every step of a run. Fragments that moved stand in it under their names in the baseline.
type model struct {
	run         string
	fragments   map[string]*schema.Fragment
	transitions map[string][]schema.Transition // by fragment, by number
	bucket      map[string]int                 // of components
	waits       map[callee]bool                // functions in which a component only waits
	moved       map[string]counterpart         // by name in the baseline: fragments that have another one in this run
	called      map[string]string              // by name in this run: their names in the baseline
	samples     *lake.Manifest
	metrics     *lake.Manifest
	summaries   *summarised
}

// readModel reads the automata of a run. They are few beside its samples.
func readModel(l *lake.Lake, run string) (*model, error) {
	m := &model{
		run: run, fragments: make(map[string]*schema.Fragment), bucket: make(map[string]int),
		transitions: make(map[string][]schema.Transition), moved: make(map[string]counterpart), called: make(map[string]string),
	}
	err := lake.ReadBuckets(l, "fragments", lake.Run(run), func(bucket int, rows []schema.Fragment) {
		for i := range rows {
			m.fragments[rows[i].Fragment] = &rows[i]
			m.bucket[rows[i].Component] = bucket
		}
	})
	if err != nil {
		return nil, err
	}
	err = lake.ReadBuckets(l, "transitions", lake.Run(run), func(_ int, rows []schema.Transition) {
		for _, t := range rows {
			m.transitions[t.Fragment] = append(m.transitions[t.Fragment], t)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, list := range m.transitions {
		slices.SortFunc(list, func(a, b schema.Transition) int { return cmp.Compare(a.Transition, b.Transition) })
	}
	m.waits = waits(m.transitions)
	if m.samples, err = l.Manifest("samples", lake.Run(run)); err != nil {
		return nil, err
	}
	m.metrics, err = l.Manifest("metrics", lake.Run(run))
	return m, err
}

// group is a set of components that are compared together, in one task.
type group struct {
	bucket     int // of the first run that has them
	components map[string]bool
	fragments  []string // sorted
}

// groupsOf puts the components of one bucket of the first run together. A component that the first run
// lacks joins the bucket where the first run that has it keeps it.
func groupsOf(models []*model) []*group {
	groups := make(map[int]*group)
	placed := make(map[string]bool)
	for _, m := range models {
		for component, bucket := range m.bucket {
			if placed[component] {
				continue
			}
			placed[component] = true
			if groups[bucket] == nil {
				groups[bucket] = &group{bucket: bucket, components: make(map[string]bool)}
			}
			groups[bucket].components[component] = true
		}
	}
	out := make([]*group, 0, len(groups))
	for _, bucket := range slices.Sorted(maps.Keys(groups)) {
		g := groups[bucket]
		names := make(map[string]bool)
		for _, m := range models {
			for name, f := range m.fragments {
				if g.components[f.Component] {
					names[name] = true
				}
			}
		}
		g.fragments = slices.Sorted(maps.Keys(names))
		out = append(out, g)
	}
	return out
}

// buckets are the buckets of a run that hold components of a group, and fragments that moved away from them, sorted.
func (m *model) buckets(g *group) []int {
	var out []int
	for component := range g.components {
		if bucket, has := m.bucket[component]; has {
			out = append(out, bucket)
		}
	}
	for name, h := range m.moved {
		if g.components[m.fragments[name].Component] {
			out = append(out, h.bucket)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
