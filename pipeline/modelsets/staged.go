package modelsets

import (
	"cmp"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
)

// modelsTable is what the tasks of the buckets hand to the last one. It is staged and never committed.
const modelsTable = "bucket_models"

// stagedModel is an automaton in columns, with the model sets that have it for an entity. Labels are codes of the alphabet of all
// runs, which every process finds by itself.
type stagedModel struct {
	Component string   `parquet:"component,dict"`
	Entity    string   `parquet:"entity,dict"`
	Sets      []int32  `parquet:"sets"` // positions in Spec.Sets
	Accepting []bool   `parquet:"accepting"`
	Initial   []int32  `parquet:"initial"`
	First     []uint32 `parquet:"first"` // as in language.Automaton
	Label     []uint32 `parquet:"label"`
	Target    []int32  `parquet:"target"`
}

func newStagedModel(n entityName, sets []int32, a *language.Automaton) stagedModel {
	return stagedModel{n.component, n.entity, sets, a.Accepting, a.Initial, a.First, a.Label, a.Target}
}

// stagedSets puts the models of all tasks together, by model set. Entities come in the order of their names, so that tables depend
// neither on the buckets nor on maps.
func (s *Spec) stagedSets(t *pipeline.Task) ([]levels.ModelSet, error) {
	rows, err := pipeline.StagedRows[stagedModel](t, modelsTable)
	if err != nil {
		return nil, err
	}
	// The different models of one entity come from one task, in the order of their sets.
	err = sortUntil(t.Context(), rows, func(x, y stagedModel) int {
		return cmp.Or(entityName{x.Component, x.Entity}.compare(entityName{y.Component, y.Entity}), cmp.Compare(x.Sets[0], y.Sets[0]))
	})
	if err != nil {
		return nil, err
	}
	sets := make([]levels.ModelSet, len(s.Sets))
	for i, set := range s.Sets {
		sets[i].Name = set.Name
	}
	for _, r := range rows {
		a := &language.Automaton{Accepting: r.Accepting, Initial: r.Initial, First: r.First, Label: r.Label, Target: r.Target}
		for _, i := range r.Sets {
			sets[i].Entities = append(sets[i].Entities, levels.Entity{Component: r.Component, Name: r.Entity, Automaton: a})
		}
	}
	return sets, nil
}
