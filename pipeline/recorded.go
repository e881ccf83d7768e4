package pipeline

import (
	"context"
	"errors"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Recorded does n tasks of a job whose work does not follow from tables, such as an ingest: tasks first to first+n-1 of a
// staging area, at most jobs at a time. A task that is recorded as done, by this process or by one that was killed, is not
// done again; one that do finishes, writing to an attempt of its own, is recorded. It returns the records in the order of the tasks.
func Recorded(
	ctx context.Context, staging *lake.Staging, jobs, first, n int, do func(ctx context.Context, i int, to *lake.Staging) (*lake.Done, error),
) ([]*lake.Done, error) {
	return Each(ctx, jobs, n, func(ctx context.Context, i int) (*lake.Done, error) {
		done, err := staging.Done(first + i)
		if err != nil || done != nil {
			return done, err
		}
		attempt := staging.Attempt()
		if done, err = do(ctx, i, attempt); err != nil {
			return nil, errors.Join(err, attempt.Abandon())
		}
		if err := attempt.MarkDone(first+i, *done); err != nil {
			return nil, err
		}
		return staging.Done(first + i) // of the attempt that won
	})
}
