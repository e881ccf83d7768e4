package ingest

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// Derived is a run that is made from other runs of the lake, and not from a trace.
type Derived struct {
	Format string         // stands in the table runs
	Source string         // likewise
	Hash   string         // likewise, in the place of that of a trace: of the runs and of how they are put together
	Events int64          // of all these runs: sets the number of buckets
	Reader schema.Reader  // yields the events of the new run in the order of time
	Ledger *schema.Ledger // of the reader
}

// RunTables are the tables that every ingest makes. The description of the run stands first: with it stand the losses.
func RunTables() []string { return []string{"runs", "events", "messages", "arrivals", "annotations"} }

// Derive weaves a run that is made from others, and returns the files of RunTables in a staging area and what was lost. It is
// the work of a task: whoever planned the task commits the tables. Of the job it takes the labels, Incomplete, Untraced, Jobs and Progress.
func Derive(ctx context.Context, j Job, d Derived, staging *lake.Staging) (map[string][]lake.File, []schema.Loss, error) {
	in := newIntake(ctx, &j)
	in.derived, in.staging = &d, staging
	in.format = schema.Format{Name: d.Format}
	in.bytes = d.Events * eventBytes
	in.sources = []wellformed.Source{{}}
	in.archive = &archive{reader: d.Reader, ledger: d.Ledger}
	files, _, err := in.writeTables(ctx)
	if err != nil {
		return nil, nil, err
	}
	return files, in.ledger.Losses(StageName), nil
}

// sourceText names the trace for the table runs, or the runs that the run is made from.
func (in *intake) sourceText() string {
	if in.derived != nil {
		return in.derived.Source
	}
	return in.source()
}
