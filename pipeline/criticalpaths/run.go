package criticalpaths

import (
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// StartNs is the time of the first event of the run.
func (j *Job) StartNs() (int64, error) {
	m, err := j.Lake.Manifest("runs", lake.Run(j.Run))
	if err != nil {
		return 0, err
	}
	if m == nil {
		return 0, fmt.Errorf("the lake has no run %s", j.Run)
	}
	for _, f := range m.Files {
		rows, err := parquet.ReadRows[schema.Run](j.Lake.Path(f))
		if err != nil {
			return 0, err
		}
		if len(rows) > 0 {
			return rows[0].StartNs, nil
		}
	}
	return 0, nil
}
