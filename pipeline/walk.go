package pipeline

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
)

// Context is cancelled when the task is to stop.
func (t *Task) Context() context.Context { return t.ctx }

// Chart opens the constraints of the run to walk over them.
func (t *Task) Chart(want chartwindow.Want) (*chartwindow.Chart, error) {
	return chartwindow.Open(t.engine.Lake, t.plan.inputs["constraints"], want, t.engine.Jobs)
}

// Finished opens the executions of the run to find them by the event at which they finish.
func (t *Task) Finished(names *schema.Names, wanted ...string) (*chartwindow.Finished, error) {
	return chartwindow.OpenFinished(t.engine.Lake, t.plan.inputs["executions"], names, wanted...)
}

// Advance tells how many rows were gone through by other means than Scan.
func (t *Task) Advance(rows int64) { t.engine.Progress.Advance(rows) }
