package compare

import "github.com/tracelake/tracelake/schema"

// transitionColumns are columns of the table transitions. Rows of any number of runs have codes of the same dictionary, so that
// a name is in memory once.
type transitionColumns struct {
	names *schema.Dictionary

	fragment, component, function, peer []schema.Code
	transition, source, target, count   []int64
	kind, direction                     []uint8
}

// Columns implements schema.Columns.
func (t *transitionColumns) Columns() []schema.Column {
	return []schema.Column{
		schema.Strings("fragment", &t.fragment, t.names), schema.Ints("transition", &t.transition),
		schema.Strings("component", &t.component, t.names), schema.Ints("source", &t.source), schema.Ints("target", &t.target),
		schema.Strings("function", &t.function, t.names), schema.Enum("kind", &t.kind, schema.KindWords),
		schema.Enum("direction", &t.direction, schema.DirectionWords).OrNull(), schema.Strings("peer", &t.peer, t.names).OrNull(),
		schema.Ints("count", &t.count),
	}
}

// row returns a transition without its count.
func (t *transitionColumns) row(i int) schema.Transition {
	return schema.Transition{
		Fragment: t.names.Name(t.fragment[i]), Transition: t.transition[i], Component: t.names.Name(t.component[i]),
		Source: t.source[i], Target: t.target[i], Function: t.names.Name(t.function[i]), Kind: schema.KindWords[t.kind[i]],
		Direction: schema.DirectionWords[t.direction[i]], Peer: t.names.Name(t.peer[i]),
	}
}

// summaryColumns are columns of the table summaries.
type summaryColumns struct {
	names *schema.Dictionary

	level                                                []uint8 // positions in summaryLevels
	component, fragment, metric, function, peer          []schema.Code
	transition, arrivalNs, count, number, totalNs, maxNs []int64
	quantiles                                            [len(quantileColumns)][]float64
}

// summaryLevels are the levels of summaries.
var summaryLevels = []string{schema.LevelTransition, schema.LevelMetric, schema.LevelMessage, schema.LevelFunction, schema.LevelLifetime}

// Positions in summaryLevels.
const (
	ofTransition = iota
	ofMetric
	ofMessage
	ofFunction
	ofLifetime
)

// quantileColumns name the quantiles in the order of verdicts.Quantiles.
var quantileColumns = [...]string{
	"q10_ns", "q20_ns", "q30_ns", "q40_ns", "q50_ns", "q60_ns", "q70_ns", "q80_ns", "q90_ns", "q95_ns", "q99_ns",
}

// Columns implements schema.Columns.
func (s *summaryColumns) Columns() []schema.Column {
	all := []schema.Column{
		schema.Enum("level", &s.level, summaryLevels), schema.Strings("component", &s.component, s.names),
		schema.Strings("fragment", &s.fragment, s.names).OrNull(), schema.Ints("transition", &s.transition).OrNull(),
		schema.Strings("metric", &s.metric, s.names).OrNull(), schema.Strings("function", &s.function, s.names).OrNull(),
		schema.Strings("peer", &s.peer, s.names).OrNull(), schema.Ints("arrival_ns", &s.arrivalNs),
		schema.Ints("count", &s.count), schema.Ints("n", &s.number), schema.Ints("total_ns", &s.totalNs), schema.Ints("max_ns", &s.maxNs).OrNull(),
	}
	for i, name := range quantileColumns {
		all = append(all, schema.Floats(name, &s.quantiles[i]))
	}
	return all
}
