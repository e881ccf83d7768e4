package pipeline

import (
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
)

// Chart opens the constraints of the run to walk over them, window by window up or down in time, whatever bucket they lie
// in. The caller closes it. Its memory is a window and the row groups that overlap it.
func (t *Task) Chart(want chartwindow.Want) (*chartwindow.Chart, error) {
	return chartwindow.Open(t.engine.Lake, t.own("constraints"), want, t.Jobs())
}

// Finished opens the executions of the run to find them by the event at which they finish. The caller closes it.
func (t *Task) Finished(names *schema.Names, wanted ...string) (*chartwindow.Finished, error) {
	return chartwindow.OpenFinished(t.engine.Lake, t.own("executions"), names, wanted...)
}

// Advance reports rows that were gone through by other means than Scan.
func (t *Task) Advance(rows int64) { t.engine.Progress.Advance(rows) }
