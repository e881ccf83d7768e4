package criticalpaths

import (
	"encoding/json"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// LooseCallbacks returns how many callbacks of the run were inferred and hold nothing back: a lifeline that waits for one is then taken
// to execute until it starts. It is 0 where the constraints were made with callbacks that hold (constraints.Options.Callbacks).
func (j *Job) LooseCallbacks() (n int64, err error) {
	have, err := j.Lake.Inventory(lake.Run(j.Run))
	if err != nil {
		return 0, err
	}
	for _, m := range have.Tables {
		if m.Table == "constraints" {
			var o constraints.Options
			if err := json.Unmarshal([]byte(m.Options), &o); err != nil || o.Callbacks {
				return 0, err
			}
		}
		for _, l := range m.Losses {
			if l.Reason == schema.InferredCallback.Name {
				n += l.Count
			}
		}
	}
	return n, nil
}
