package pipeline_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestWritingEnds interrupts a task that writes rows without end: it stops within a few thousand rows, and leaves no table.
func TestWritingEnds(t *testing.T) {
	l := toyLake(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	written := int64(0)
	endless := pipeline.Stage{
		Name: "endless", Version: 1, Reads: []string{"given"}, Writes: []string{"endless"}, BytesPerRow: 1, Whole: true,
		Run: func(task *pipeline.Task) error {
			return pipeline.WriteEach(task, "endless", func(yield func(number) bool) {
				for yield(number{written}) {
					if written++; written == 5000 {
						cancel()
					}
					if written == 100_000 { // it would not end
						return
					}
				}
			})
		},
	}
	_, err := engine(l, endless).Run(ctx, []lake.Partition{run})
	expect.Equal(t, errors.Is(err, context.Canceled), true, "an interrupted task returns %v", err)
	expect.Equal(t, written < 10_000, true, "rows that were written: %d", written)
	expect.Equal(t, exists(t, l, "endless"), false, "a table of an interrupted task")
}
