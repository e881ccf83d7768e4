package criticalpaths

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// StartNs returns the time of the first event of the run, in ns.
func (j *Job) StartNs() (int64, error) {
	rows, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Run))
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return rows[0].StartNs, nil
}
