package runs

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
)

// automatonKey names the automaton of a fragment in a run with the times of a normalisation.
type automatonKey struct{ run, fragment, norm string }

// Keep reads the automata of some fragments in all runs, each table once, so that Fragment and Times of these need not read again. It keeps
// as many from the first on as have samples that fit into memory, in bytes, at least one, and returns how many; what was kept before is
// forgotten.
func (all *Compared) Keep(ctx context.Context, fragments, norms []string, memory int64) (n int, err error) {
	all.kept = make(map[automatonKey]*samples.TimedAutomaton)
	if len(fragments) == 0 {
		return 0, nil
	}
	moved := make(map[string]string)
	for i := range all.changes {
		if r := &all.changes[i]; r.CandFragment != "" {
			moved[r.Fragment] = r.CandFragment
		}
	}
	readers := make([]automataReader, 0, len(all.options.Base)+len(all.options.Cand))
	for i, run := range slices.Concat(all.options.Base, all.options.Cand) {
		r := automataReader{lake: all.lake, run: run, norms: norms, names: make([]string, len(fragments))}
		for k, name := range fragments {
			r.names[k] = name
			if i >= len(all.options.Base) {
				r.names[k] = cmp.Or(moved[name], name)
			}
		}
		if err := r.find(); err != nil {
			return 0, err
		}
		readers = append(readers, r)
	}
	bytes := int64(0)
	for n = range fragments {
		for i := range readers {
			bytes += readers[i].bytesOf(n)
		}
		if n > 0 && bytes > memory {
			break
		}
		if n == len(fragments)-1 {
			n++
			break
		}
	}
	for i := range readers {
		if err := readers[i].read(ctx, n, all.kept); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// automataReader reads the automata of several fragments of a run.
type automataReader struct {
	lake  *lake.Lake
	run   string
	names []string // of the fragments
	norms []string
	found map[string]foundFragment // by name; a run may lack some
}

// foundFragment is a row of the table fragments, with its bucket.
type foundFragment struct {
	schema.Fragment
	bucket int
}

// find looks for the fragments in the table of them.
func (r *automataReader) find() error {
	wanted := make(map[string]bool, len(r.names))
	for _, name := range r.names {
		wanted[name] = true
	}
	r.found = make(map[string]foundFragment)
	return lake.ReadBuckets(r.lake, "fragments", lake.Run(r.run), func(bucket int, rows []schema.Fragment) {
		for i := range rows {
			if wanted[rows[i].Fragment] {
				r.found[rows[i].Fragment] = foundFragment{rows[i], bucket}
			}
		}
	})
}

// bytesOf is how much memory the samples of a fragment take, by its position: their times, and the numbers of their occurrences.
func (r *automataReader) bytesOf(i int) int64 {
	return 8 * r.found[r.names[i]].Events * int64(2*len(r.norms))
}

// read reads the first of the fragments into kept.
func (r *automataReader) read(ctx context.Context, first int, kept map[automatonKey]*samples.TimedAutomaton) error {
	// (1) The automata without their samples. Those of all normalisations share states and transitions.
	automata := make(map[string][]*samples.TimedAutomaton) // by fragment, then by normalisation
	var buckets []int
	for _, name := range r.names[:first] {
		f, has := r.found[name]
		if !has || automata[name] != nil {
			continue
		}
		for _, norm := range r.norms {
			t := &samples.TimedAutomaton{Occurrences: f.Occurrences}
			automata[name] = append(automata[name], t)
			kept[automatonKey{r.run, name, norm}] = t
		}
		if !slices.Contains(buckets, f.bucket) {
			buckets = append(buckets, f.bucket)
		}
	}
	p := lake.Run(r.run)
	err := cmp.Or(lake.ReadEach(r.lake, "states", p, func(s *schema.State) {
		for _, t := range automata[s.Fragment] {
			t.States = append(t.States, *s)
		}
	}), lake.ReadEach(r.lake, "transitions", p, func(s *schema.Transition) {
		for _, t := range automata[s.Fragment] {
			t.Transitions = append(t.Transitions, *s)
		}
	}))
	if err != nil {
		return err
	}
	for _, of := range automata {
		for _, t := range of {
			slices.SortFunc(t.Transitions, func(x, y schema.Transition) int { return cmp.Compare(x.Transition, y.Transition) })
			t.SamplesNs = make([][]int64, len(t.Transitions))
		}
	}
	// (2) Their samples, from each bucket once.
	return r.readSamples(ctx, buckets, automata)
}

// readSamples fills in the samples, as readSamples of one fragment does.
func (r *automataReader) readSamples(ctx context.Context, buckets []int, automata map[string][]*samples.TimedAutomaton) error {
	m, err := r.lake.Table("samples", lake.Run(r.run))
	if err != nil {
		return err
	}
	occurrences := make(map[*samples.TimedAutomaton][][]int64)
	for _, of := range automata {
		for _, t := range of {
			occurrences[t] = make([][]int64, len(t.Transitions))
		}
	}
	for _, bucket := range buckets {
		rows := schema.NewSamples(new(schema.Names))
		columns, values := []string{"fragment", "transition", "occurrence"}, make([]*[]int64, len(r.norms))
		for i, norm := range r.norms {
			var name string
			name, values[i] = normalised(rows, norm)
			columns = append(columns, name)
		}
		err := r.lake.Scan(ctx, m.InBuckets(bucket), rows, lake.ScanOptions{Columns: columns}, func() error {
			wanted := make([][]*samples.TimedAutomaton, rows.Names.Fragments.Len()) // by code
			for name, of := range automata {
				if code, known := rows.Names.Fragments.Lookup(name); known {
					wanted[code] = of
				}
			}
			for i, code := range rows.Fragment {
				if code == schema.NoCode {
					continue
				}
				for k, t := range wanted[code] {
					if ns := (*values[k])[i]; ns != schema.NoValue {
						n := rows.Transition[i]
						t.SamplesNs[n], occurrences[t][n] = append(t.SamplesNs[n], ns), append(occurrences[t][n], rows.Occurrence[i])
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for t, of := range occurrences {
		for n := range t.SamplesNs {
			t.SamplesNs[n] = inOrder(t.SamplesNs[n], of[n])
		}
	}
	return nil
}
