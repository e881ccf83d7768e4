package modelsets

import (
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// survey is what every task knows of all runs before it reads the models of its bucket: a word for each component and each
// label, however many runs have them.
type survey struct {
	Spec
	runs     []string                   // of all sets, sorted, each once
	alphabet map[matching.Symbol]uint32 // codes ascend with the symbols, so that they depend on nothing but these
	bucket   []map[string]int           // by run and component: where the run keeps its models
	home     map[string]int             // by component: the task that makes its models, the bucket of the first run that has it
}

// surveyed is the survey that the tasks of one process have in common.
func surveyed(t *pipeline.Task) (*survey, error) {
	return pipeline.Shared(t, func(t *pipeline.Task) (*survey, error) {
		s := &survey{alphabet: make(map[matching.Symbol]uint32), home: make(map[string]int)}
		if err := t.Options(&s.Spec); err != nil {
			return nil, err
		}
		s.runs = s.allRuns()
		found, err := pipeline.Each(t.Context(), t.Jobs(), len(s.runs), func(ctx context.Context, i int) (*visit, error) {
			return visitRun(ctx, t, s.runs[i])
		})
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			s.bucket = append(s.bucket, v.bucket)
			for component, bucket := range v.bucket {
				if _, placed := s.home[component]; !placed {
					s.home[component] = bucket
				}
			}
			for symbol := range v.symbols {
				if t.Context().Err() != nil {
					return nil, t.Context().Err()
				}
				s.alphabet[symbol] = 0
			}
		}
		symbols := slices.Collect(maps.Keys(s.alphabet))
		if err := sortUntil(t.Context(), symbols, matching.Symbol.Compare); err != nil {
			return nil, err
		}
		for i, symbol := range symbols {
			if t.Context().Err() != nil {
				return nil, t.Context().Err()
			}
			s.alphabet[symbol] = uint32(i) // instead of 0, which only marked it as known
		}
		return s, nil
	})
}

// sortUntil sorts different elements. When ctx has ended it takes all for equal, so that it returns at once, with the error of ctx.
func sortUntil[T any](ctx context.Context, all []T, compare func(x, y T) int) error {
	slices.SortFunc(all, func(x, y T) int {
		if ctx.Err() != nil {
			return 0
		}
		return compare(x, y)
	})
	return ctx.Err()
}

// visit is what a survey takes from one run.
type visit struct {
	bucket  map[string]int           // of components
	symbols map[matching.Symbol]bool // of transitions
}

// visitRun reads where a run keeps its components, and the labels of its transitions.
func visitRun(ctx context.Context, t *pipeline.Task, run string) (*visit, error) {
	v := &visit{bucket: make(map[string]int), symbols: make(map[matching.Symbol]bool)}
	for _, f := range t.Input(run, "fragments").Files {
		rows, err := lake.ReadFile[schema.Fragment](ctx, t.Lake(), f)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			v.bucket[rows[i].Component] = f.Bucket
		}
	}
	c := newLabels()
	return v, t.Lake().Scan(ctx, t.Input(run, "transitions").Files, c, lake.ScanOptions{}, func() error {
		return c.addTo(ctx, v.symbols)
	})
}

// labels are the columns of the table transitions that make a symbol.
type labels struct {
	names           *schema.Dictionary
	function, peer  []schema.Code
	kind, direction []uint8
	seen            map[label]bool
}

// label is a symbol in the codes of the columns: most rows have one that another row had before, and cost no string.
type label struct {
	function, peer  schema.Code
	kind, direction uint8
}

func newLabels() *labels { return &labels{names: new(schema.Dictionary), seen: make(map[label]bool)} }

// Columns implements schema.Columns.
func (c *labels) Columns() []schema.Column {
	return []schema.Column{
		schema.Strings("function", &c.function, c.names), schema.Enum("kind", &c.kind, schema.KindWords),
		schema.Enum("direction", &c.direction, schema.DirectionWords).OrNull(), schema.Strings("peer", &c.peer, c.names).OrNull(),
	}
}

// addTo adds the symbols of a row group, which may have a different one in each row.
func (c *labels) addTo(ctx context.Context, symbols map[matching.Symbol]bool) error {
	for i := range c.function {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l := label{c.function[i], c.peer[i], c.kind[i], c.direction[i]}
		if c.seen[l] {
			continue
		}
		c.seen[l] = true
		symbols[matching.Symbol{
			Function: c.names.Name(l.function), Kind: schema.KindWords[l.kind], Direction: schema.DirectionWords[l.direction], Peer: c.names.Name(l.peer),
		}] = true
	}
	return nil
}
