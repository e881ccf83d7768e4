package serve

import (
	"fmt"
	"reflect"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// How often the rows of a comparison are in memory, at most, while something is made of them.
const (
	timesVerdict = 1
	timesReport  = 3 // rows, what is chosen of them, and their text
)

// roomFor refuses what is made of all rows of a comparison where these do not fit into the memory that tasks may take. Their number is known before any is read,
// and once they are read the server would end for all who look.
func (s *site) roomFor(v *lake.Inventory, name string, times int64) error {
	var rows, bytes int64
	for table, size := range map[string]uintptr{
		"changes": reflect.TypeFor[schema.Change]().Size(), "estimates": reflect.TypeFor[schema.Estimate]().Size(),
		"contributions": reflect.TypeFor[schema.Contribution]().Size(), "findings": reflect.TypeFor[schema.Finding]().Size(),
	} {
		if m := v.Table(table); m != nil {
			rows, bytes = rows+m.Rows(), bytes+m.Rows()*int64(size)
		}
	}
	if times*bytes <= s.memory {
		return nil
	}
	return &memory.ExceededError{What: fmt.Sprintf("the %s rows of comparison %s", texttab.Count(rows), name), Budget: int64(s.globals.Memory), Needs: 2 * times * bytes}
}
