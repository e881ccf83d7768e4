package runs

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Summaries are the tables that a reduced run keeps: its description, its losses, and what a history reads.
var Summaries = []string{"runs", "losses", "fragments", "states", "transitions", "summaries", "compositions"}

// Reduced reports whether only the summaries of a run are left. A run that was never analyzed is whole, as is one that the lake lacks.
func Reduced(l *lake.Lake, run string) (bool, error) {
	have, err := l.Inventory(lake.Run(run))
	return err == nil && have.Table("events") == nil && have.Table("summaries") != nil, err
}

// Whole returns those of some runs that are not reduced.
func Whole(l *lake.Lake, names []string) (whole []string, err error) {
	for _, name := range names {
		reduced, err := Reduced(l, name)
		if err != nil {
			return nil, err
		}
		if !reduced {
			whole = append(whole, name)
		}
	}
	return whole, nil
}

// Reduce drops all tables of a run but its summaries, at one instant for readers. Of a run without summaries nothing would be left that a
// history reads, so that this is a *lake.NotAnalyzedError.
func Reduce(ctx context.Context, l *lake.Lake, run string) error {
	have, err := l.Inventory(lake.Run(run))
	if err != nil {
		return err
	}
	if _, err := l.Table("summaries", lake.Run(run)); err != nil {
		return err
	}
	var tables []string
	for _, m := range have.Tables {
		if !slices.Contains(Summaries, m.Table) {
			tables = append(tables, m.Table)
		}
	}
	return l.DropTables(ctx, lake.Run(run), tables...)
}

// ReducedError is the error of an analysis of a run of which only the summaries are left.
type ReducedError struct{ Run string }

// Error implements error.
func (e ReducedError) Error() string {
	return fmt.Sprintf("of run %s only the summaries are left, as analyze drop --keep-summaries leaves them: ingest its trace again", e.Run)
}
