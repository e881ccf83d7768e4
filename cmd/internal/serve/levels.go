package serve

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/stages/report/levels"
)

// levels returns how the behaviour of model sets differs, as analyze levels prints it.
func (s *site) levels(r *http.Request) (any, error) {
	name := r.PathValue("name")
	v, err := s.partition("comparison", name)
	if err != nil {
		return nil, err
	}
	m := v.Table("variants")
	if m == nil {
		return nil, notFound(fmt.Sprintf("%s has no levels of behaviour: make them with analyze levels", name))
	}
	var spec modelsets.Spec
	if err := json.Unmarshal([]byte(m.Options), &spec); err != nil {
		return nil, fmt.Errorf("options of table variants: %w", err)
	}
	t, err := modelsets.Read(s.lake, name)
	if err != nil {
		return nil, err
	}
	report := &levels.Report{Comparison: name, Entities: string(spec.Of), Variants: t.Variants, Lattice: t.Lattice, Differences: t.Differences, Changes: t.Changes}
	for _, set := range spec.Sets {
		report.Sets = append(report.Sets, levels.Set(set))
	}
	return report.Page(), nil
}
