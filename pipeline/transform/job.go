// Package transform makes a run of a run by transformations (package stages/checks/transformation), one after another: it reads a
// run as a trace of claims and events, has it changed in memory, and ingests the result as it would a file of TRACE4CPS. In memory is the
// trace, about 300 bytes a claim and an event.
package transform

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/transformation"
	"github.com/tracelake/tracelake/stages/ingest/etf"
)

// Job is a run to transform.
type Job struct {
	Lake    *lake.Lake             // has the run, and gets the new one
	Run     string                 // its name
	As      string                 // the new run
	Steps   []*spec.Transformation // what is done, one after the other
	Shared  bool                   // an end may be that of several claims
	Replace bool                   // a run of that name may be there
	Labels  map[string]string      // of the new run
	Jobs    int                    // cores
	Memory  int64                  // bytes that the run may take; a larger one is refused before it is read
}

// Result is what became of the run.
type Result struct {
	Made      []transformation.Made // by each step
	Unspelled int                   // dependencies that have no form in the format of TRACE4CPS
	Run       *schema.Run           // the new one, as ingest describes it
}

// bytesAnEvent is about what an event takes in memory.
const bytesAnEvent = 300

// Transform makes the run.
func (j *Job) Transform(ctx context.Context) (*Result, error) {
	m, err := j.Lake.Table("events", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	if need := m.Rows() * bytesAnEvent; j.Memory > 0 && need > 2*j.Memory {
		return nil, fmt.Errorf("run %s: %d events take about %d MiB to transform: raise --memory", j.Run, m.Rows(), need>>20)
	}
	t, err := read(ctx, j.Lake, j.Run)
	if err != nil {
		return nil, err
	}
	out := new(Result)
	for _, step := range j.Steps {
		next, made, err := transformation.Apply(t, step, j.Shared)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", j.Run, err)
		}
		t, out.Made = next, append(out.Made, made)
	}
	if len(t.Claims)+len(t.Events) == 0 {
		return nil, fmt.Errorf("run %s: no claim and no event is left of it: nothing is made", j.Run)
	}
	return out, j.ingest(ctx, t, out)
}

// ingest writes the trace to a file and ingests that.
func (j *Job) ingest(ctx context.Context, t *transformation.Trace, out *Result) error {
	folder, err := process.Folder("transform")
	if err != nil {
		return err
	}
	defer process.RemoveFolder(folder)
	path := filepath.Join(folder, j.As+".etf")
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out.Unspelled, err = t.WriteETF(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	// The place is the run that it was made of: the temporary folder would make the manifest another one each time.
	out.Run, _, err = ingest.Run(ctx, ingest.Job{
		Lake: j.Lake, Run: j.As, Paths: []string{path}, Place: filepath.Join(j.Run, j.As+".etf"), Incomplete: "complete", Untraced: "ignore", Replace: j.Replace, Labels: j.Labels, Jobs: max(j.Jobs, 1),
		Memory: max(j.Memory, leastMemory), Detect: func(string, []byte) (schema.Format, error) { return etf.Format(), nil },
	})
	return err
}

// leastMemory is what the reader gets at least.
const leastMemory = 16 << 20
