package runs

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Failures counts the executions of runs that ended with an error; runs without any are left out. It opens a file of those runs
// only whose traces say more than events.
func Failures(l *lake.Lake, names []string) (map[string]int64, error) {
	failed := make(map[string]int64)
	for _, name := range names {
		have, err := l.Inventory(lake.Run(name))
		if err != nil {
			return nil, err
		}
		if m := have.Table("annotations"); m == nil || m.Rows() == 0 {
			continue
		}
		notes, err := lake.Read[schema.Annotation](l, "annotations", lake.Run(name))
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			if n.About == schema.AboutEvent && n.Name == schema.NoteStatus && n.Value == schema.StatusError {
				failed[name]++
			}
		}
	}
	return failed, nil
}
