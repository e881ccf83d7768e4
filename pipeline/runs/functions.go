package runs

import (
	"encoding/json"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// ComparedFunctions are the verdicts of a comparison on functions.
type ComparedFunctions struct {
	Base, Cand []string                  // runs
	Changes    map[string]*schema.Change // by COMPONENT.FUNCTION, as the candidate names it: what was found of its own time
}

// Functions reads the verdicts of a comparison on functions. It is a NameError if the lake has no such comparison.
func Functions(l *lake.Lake, id string) (*ComparedFunctions, error) {
	if lake.CheckName(id) != nil {
		return nil, unknownComparison(l, id)
	}
	m, err := l.Manifest("changes", lake.Comparison(id))
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, unknownComparison(l, id)
	}
	var o comparisonOptions
	if err := json.Unmarshal([]byte(m.Options), &o); err != nil {
		return nil, fmt.Errorf("comparison %s: %w: compare again", id, err)
	}
	rows, err := lake.Read[schema.Change](l, "changes", lake.Comparison(id))
	if err != nil {
		return nil, err
	}
	c := &ComparedFunctions{Base: o.Base, Cand: o.Cand, Changes: make(map[string]*schema.Change)}
	for i := range rows {
		if r := &rows[i]; r.Level == schema.LevelFunction {
			c.Changes[r.Component+"."+r.Function] = r
		}
	}
	if len(c.Changes) == 0 {
		return nil, nameErrorf("comparison %s has no verdicts on functions: compare runs with runs", id)
	}
	return c, nil
}
