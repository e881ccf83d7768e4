package compare

import (
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// model is what a comparison knows of a run whatever components are at hand: its fragments and where they lie, a few hundred
// bytes for each. Fragments that moved stand in it under their names in the baseline. Automata, summaries and samples are read
// for some fragments at a time (excerpt).
type model struct {
	run       string
	fragments map[string]*schema.Fragment
	initials  map[string]bool        // fragments that no message from another component starts
	bucket    map[string]int         // of components with fragments
	bare      map[string]int         // buckets of components without fragments, of which there are summaries all the same
	waits     map[callee]bool        // functions in which a component only waits
	calls     *calls                 // of other components; nil once it is known who receives them
	moved     map[string]counterpart // by name in the baseline: fragments that have another one in this run
	called    map[string]string      // by name in this run: their names in the baseline
	tables    map[string]*lake.Manifest

	references []int64 // of an own normalisation: the times of its events in ns, ascending
	summaries  struct {
		functions map[functionKey]verdicts.Run // read where all functions are compared
		lifetimes map[functionKey]verdicts.Run // by component and name
	}
}

// tablesRead are the tables of a run from which excerpts are read.
func (j *comparison) tablesRead() []string {
	if j.summariesOnly {
		return []string{"transitions", "summaries"}
	}
	return []string{"transitions", "summaries", "samples", "metrics"}
}

// readModel reads the fragments of a run, and from its transitions how they begin and who only waits.
func (j *comparison) readModel(ctx context.Context, run string) (*model, error) {
	m := &model{
		run: run, fragments: make(map[string]*schema.Fragment), initials: make(map[string]bool),
		bucket: make(map[string]int), bare: make(map[string]int), waits: make(map[callee]bool),
		moved: make(map[string]counterpart), called: make(map[string]string), tables: make(map[string]*lake.Manifest),
	}
	m.summaries.functions, m.summaries.lifetimes = make(map[functionKey]verdicts.Run), make(map[functionKey]verdicts.Run)
	err := lake.ReadBuckets(j.Lake, "fragments", lake.Run(run), func(bucket int, rows []schema.Fragment) {
		for i := range rows {
			f := j.shareNames(rows[i])
			m.fragments[f.Fragment] = f
			m.bucket[f.Component] = bucket
		}
	})
	if err != nil {
		return nil, err
	}
	for _, table := range j.tablesRead() {
		if m.tables[table], err = j.Lake.Table(table, lake.Run(run)); err != nil {
			return nil, err
		}
	}
	if err := j.readBeginnings(ctx, m); err != nil {
		return nil, err
	}
	return m, j.readBare(ctx, m)
}

// shareNames returns a fragment whose names are those of other runs: the names of all runs are in memory once.
func (j *comparison) shareNames(f schema.Fragment) *schema.Fragment {
	for _, name := range []*string{&f.Fragment, &f.Component, &f.Function, &f.Peer} {
		*name = j.names.Name(j.names.Code(*name))
	}
	return &f
}

// readBeginnings goes through the transitions of a run once, for what is known of it beforehand: which fragments are initial,
// which is decided by the transition of the smallest number, and in which functions components only wait.
func (j *comparison) readBeginnings(ctx context.Context, m *model) error {
	rows := &transitionColumns{names: &j.names}
	first := make(map[schema.Code]int64) // by fragment: the smallest number so far
	w := newWaiting()
	m.calls = newCalls()
	columns := []string{"fragment", "transition", "component", "function", "kind", "direction", "peer"}
	err := j.Lake.Scan(ctx, m.tables["transitions"].Files, rows, lake.ScanOptions{Columns: columns}, func() error {
		for i, f := range rows.fragment {
			if n, known := first[f]; !known || rows.transition[i] < n {
				first[f] = rows.transition[i]
				m.initials[j.names.Name(f)] = rows.direction[i] != schema.Receive
			}
			w.add(callee{j.names.Name(rows.component[i]), j.names.Name(rows.function[i])}, rows.kind[i], rows.direction[i])
			m.calls.add(&j.names, rows, i)
		}
		return nil
	})
	m.waits = w.only()
	return err
}

// readBare finds the components that have summaries and no fragments.
func (j *comparison) readBare(ctx context.Context, m *model) error {
	rows := &summaryColumns{names: &j.names}
	for _, file := range m.tables["summaries"].Files {
		err := j.Lake.Scan(ctx, []lake.File{file}, rows, lake.ScanOptions{Columns: []string{"component"}}, func() error {
			last := schema.NoCode
			for _, c := range rows.component {
				if c == last {
					continue
				}
				last = c
				if name := j.names.Name(c); !has(m.bucket, name) {
					m.bare[name] = file.Bucket
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a map has a key.
func has[K comparable, V any](m map[K]V, k K) bool {
	_, has := m[k]
	return has
}

// initial reports whether a fragment begins without a message from another component: a root, an end in itself.
func (m *model) initial(fragment string) bool { return m.initials[fragment] }

// roots counts the root executions of a run that no message starts: the ends in themselves, by which costs are
// divided.
func (m *model) roots() float64 {
	sum := int64(0)
	for name, f := range m.fragments {
		if m.initial(name) {
			sum += f.Occurrences
		}
	}
	return float64(sum)
}

// group is a set of components that are compared together, in one task.
type group struct {
	bucket     int // of the first run that has them
	components map[string]bool
	bare       map[string]bool // components without fragments in any run
	fragments  []string        // sorted
}

// groupsOf puts the components of one bucket of the first run together. A component that the first run
// lacks joins the bucket where the first run that has it keeps it.
func groupsOf(models []*model) []*group {
	groups := make(map[int]*group)
	placed := make(map[string]int)
	at := func(bucket int) *group {
		if groups[bucket] == nil {
			groups[bucket] = &group{bucket: bucket, components: make(map[string]bool), bare: make(map[string]bool)}
		}
		return groups[bucket]
	}
	for _, m := range models {
		for component, bucket := range m.bucket {
			if !has(placed, component) {
				placed[component] = bucket
				at(bucket).components[component] = true
			}
		}
	}
	for _, m := range models {
		for component, bucket := range m.bare {
			if !has(placed, component) {
				placed[component] = bucket
				at(bucket).bare[component] = true
			}
		}
	}
	fragments := make(map[string]bool)
	for _, m := range models {
		for name, f := range m.fragments {
			if !fragments[name] {
				fragments[name] = true
				g := groups[placed[f.Component]]
				g.fragments = append(g.fragments, name)
			}
		}
	}
	out := make([]*group, 0, len(groups))
	for _, bucket := range slices.Sorted(maps.Keys(groups)) {
		slices.Sort(groups[bucket].fragments)
		out = append(out, groups[bucket])
	}
	return out
}

// buckets are the buckets of a run that hold components of a group, and fragments that moved away from them, sorted.
func (m *model) buckets(g *group) []int {
	var out []int
	add := func(components map[string]bool, in map[string]int) {
		for component := range components {
			if bucket, has := in[component]; has {
				out = append(out, bucket)
			}
		}
	}
	add(g.components, m.bucket)
	add(g.components, m.bare)
	add(g.bare, m.bare)
	for name, h := range m.moved {
		if g.components[m.fragments[name].Component] {
			out = append(out, h.bucket)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
