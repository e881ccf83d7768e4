package compare

import (
	"context"
	"hash/maphash"

	"github.com/tracelake/tracelake/schema"
)

// portion is a part of a group that is compared at a time: fragments that follow each other by name, and the metrics of
// components whose first fragment is among them. What is known of all runs for one portion fits into memory, whatever the number
// of runs.
type portion struct {
	group      *group
	others     share // of what belongs to no fragment: messages, and functions as a whole
	fragments  []string
	has        map[string]bool // the same
	components map[string]bool // whose own metrics belong to it
}

// share is a part of messages and functions: those whose hash gives turn when it is divided by parts. The zero value has none.
type share struct{ turn, parts uint64 }

// shareSeed is of the hashes of this process. What a portion has does not change what is found.
var shareSeed = maphash.MakeSeed()

// has reports whether a function, or the messages with which it is called, belong to the share.
func (s share) has(component, function string) bool {
	return s.parts == 1 || s.parts > 1 && maphash.Comparable(shareSeed, functionKey{component, function})%s.parts == s.turn
}

// hasMetric reports whether a metric belongs to the portion.
func (p *portion) hasMetric(k metricKey) bool {
	if k.fragment == "" {
		return p.components[k.component]
	}
	return p.has[k.fragment] && p.group.components[k.component]
}

// What a portion holds of every run, in bytes: for a subject its summary, for a fragment those of its metrics, for an event the
// samples of both.
const (
	summaryBytes  = 140
	fragmentBytes = 600
	eventBytes    = 16
)

// mostBytes bounds a portion where there is more memory: to take the tables in a few passes more costs little. A task takes as
// much again for what it makes of a portion.
const mostBytes = 48 << 20

// portions divides the fragments of a group, each of which goes into memory as a whole. The last portions have what belongs to no
// fragment: where all summaries of the buckets are few it is one that has fragments as well, so that one is enough for small runs.
func (j *comparison) portions(g *group) (all []*portion) {
	limit := j.portionBytes()
	placed := make(map[string]bool)
	var p *portion
	size := int64(0)
	for _, name := range g.fragments {
		of := j.bytesOf(name)
		if p == nil || size+of > limit {
			p = &portion{group: g, has: make(map[string]bool), components: make(map[string]bool)}
			all, size = append(all, p), 0
		}
		size += of
		p.fragments, p.has[name] = append(p.fragments, name), true
		for _, m := range j.models {
			if f := m.fragments[name]; f != nil && !placed[f.Component] {
				placed[f.Component], p.components[f.Component] = true, true
			}
		}
	}
	rest, parts := p, uint64(1)
	if p == nil || !j.isSmall(g) {
		rest, parts = &portion{group: g, components: make(map[string]bool)}, uint64(1+j.summaryRows(g)*summaryBytes/limit)
		all = append(all, rest)
	}
	rest.others = share{0, parts}
	for turn := uint64(1); turn < parts; turn++ {
		all = append(all, &portion{group: g, others: share{turn, parts}})
	}
	for component := range g.components { // whose fragments moved away
		if !placed[component] {
			rest.components[component] = true
		}
	}
	return all
}

// portionBytes is how much a portion may take: two tasks, which hold as much again for what they make of a portion, and what is
// known of all runs fit into the memory. Below leastBytes each table would be read again for nearly every fragment, which
// costs more than the memory that it saves.
func (j *comparison) portionBytes() int64 { return max(min(j.memory/8, mostBytes), leastBytes) }

// leastBytes is what a portion takes however little memory there is.
const leastBytes = 16 << 20

// isSmall reports whether all summaries of a group take less than half of what a portion may: then they are read once, and the
// portions divide the samples only.
func (j *comparison) isSmall(g *group) bool {
	return j.summaryRows(g)*summaryBytes <= j.portionBytes()/2
}

// summaryRows counts the summaries in the buckets of a group, in all runs.
func (j *comparison) summaryRows(g *group) (rows int64) {
	for _, m := range j.models {
		for _, f := range m.tables["summaries"].InBuckets(m.buckets(g)...) {
			rows += f.Rows
		}
	}
	return rows
}

// whole is the group as one portion.
func (g *group) whole() *portion {
	p := &portion{group: g, others: share{0, 1}, fragments: g.fragments, has: make(map[string]bool), components: g.components}
	for _, name := range g.fragments {
		p.has[name] = true
	}
	return p
}

// bytesOf estimates what a fragment of all runs takes in memory.
func (j *comparison) bytesOf(fragment string) (n int64) {
	for _, m := range j.models {
		if f := m.fragments[fragment]; f != nil {
			n += fragmentBytes + f.Transitions*summaryBytes
			switch {
			case j.summariesOnly:
			case j.ByRuns:
				n += f.Events * eventBytes
			default: // which looks at two times of every event
				n += f.Events * eventBytes * 3 / 2
			}
		}
	}
	return n
}

// excerpt is what a comparison knows of a run for a portion.
type excerpt struct {
	automata map[string]automaton // by fragment
	*summarised
	samples *sampled // nil: the samples themselves are not wanted
}

// reader reads excerpts for one group. Its columns serve all runs and portions in turn.
type reader struct {
	*comparison
	transitions *transitionColumns
	summaries   *summaryColumns
	samples     *schema.Samples
	metrics     *schema.Metrics
	kept        []excerpt                  // of a group whose summaries are small: for all of its portions
	contents    map[string][][]schema.Code // by file of many rows and row group: what it holds, once it was read
	held        schema.Dictionary          // of contents: the files of all runs hold much the same
}

func (j *comparison) newReader() *reader {
	names := new(schema.Dictionary)
	return &reader{
		comparison: j, transitions: &transitionColumns{names: names}, summaries: &summaryColumns{names: names},
		samples: schema.NewSamples(new(schema.Names)), metrics: schema.NewMetrics(new(schema.Names)),
		contents: make(map[string][][]schema.Code),
	}
}

// read reads the excerpt of every run. Samples are those of the sides; of older runs only summaries are looked at.
func (r *reader) read(ctx context.Context, p *portion) (all []excerpt, err error) {
	switch {
	case !r.isSmall(p.group):
		all, err = r.readKnown(ctx, p)
	case r.kept == nil:
		r.kept, err = r.readKnown(ctx, p.group.whole())
		fallthrough
	default:
		all = r.kept
	}
	if err != nil || r.summariesOnly || len(p.fragments)+len(p.components) == 0 {
		return all, err
	}
	for i, m := range r.models[:len(r.Base)+len(r.Cand)] {
		if all[i].samples, err = r.gather(ctx, m, p, &all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readKnown reads the automata and summaries of every run for a portion.
func (r *reader) readKnown(ctx context.Context, p *portion) ([]excerpt, error) {
	all, known, numbered := make([]excerpt, len(r.models)), make(shapes), newNumbers()
	wanted := func(m *model) func(string) bool { return func(own string) bool { return p.has[m.known(own)] } }
	for i, m := range r.models {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		e := &all[i]
		if len(p.fragments) > 0 {
			files := m.tables["transitions"].InBuckets(m.buckets(p.group)...)
			if e.automata, err = r.readAutomata(ctx, m, files, r.transitions, wanted(m), known); err != nil {
				return nil, err
			}
		}
		if e.summarised, err = r.readSummaries(ctx, m, p, r.summaries, e.automata, numbered); err != nil {
			return nil, err
		}
	}
	return all, nil
}
