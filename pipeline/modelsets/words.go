package modelsets

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// shownSteps is how many steps of a word are kept at either end: the end is where two behaviours part, and a fragment may repeat a call thousands of times.
const shownSteps = 50

// symbolsOf returns the steps of all models by their codes.
func symbolsOf(t *pipeline.Task) ([]matching.Symbol, error) {
	s, err := surveyed(t)
	if err != nil {
		return nil, err
	}
	symbols := make([]matching.Symbol, len(s.alphabet))
	for symbol, code := range s.alphabet {
		symbols[code] = symbol
	}
	return symbols, nil
}

// addWords gives an edge an example of what only one of its variants can do. An entity that is not there can do nothing: what the other one can do
// beyond that says nothing.
func addWords(edge *schema.LatticeEdge, d *levels.Diff, symbols []matching.Symbol) {
	if edge.Lower == 0 {
		return
	}
	if edge.Relation == schema.Unrelated {
		edge.LowerWord = example(d.Lower, d.Upper, symbols)
	}
	edge.UpperWord = example(d.Upper, d.Lower, symbols)
}

// example writes a shortest word that one automaton accepts and another does not, a step a line; nil where there is none.
func example(of, not *language.Automaton, symbols []matching.Symbol) *string {
	word, found := language.Witness(of, not)
	if !found {
		return nil
	}
	var lines []string
	for i, code := range word {
		if i < shownSteps || i >= len(word)-shownSteps {
			lines = append(lines, stepText(symbols[code]))
		} else if i == shownSteps {
			lines = append(lines, fmt.Sprintf("... %d more steps ...", len(word)-2*shownSteps))
		}
	}
	text := strings.Join(lines, "\n")
	return &text
}

// stepText writes a step, and with whom a component exchanges a message in it.
func stepText(s matching.Symbol) string {
	text := s.Kind + " " + s.Function
	switch s.Direction {
	case schema.DirectionWords[schema.Send]:
		return text + " to " + s.Peer
	case schema.DirectionWords[schema.Receive]:
		return text + " from " + s.Peer
	}
	return text
}
