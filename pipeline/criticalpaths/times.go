package criticalpaths

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// timesOf finds the times of events, which are those of the answer in the same order. It reads only row groups that may
// have one of them. An event that the run does not have is ErrNothing.
func (j *Job) timesOf(ctx context.Context, seqs []int64) ([]int64, error) {
	m, err := j.Lake.Manifest("events", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("the lake has no run %s", j.Run)
	}
	search := &eventTimes{wanted: slices.Clone(seqs)}
	slices.Sort(search.wanted)
	search.wanted = slices.Compact(search.wanted)
	search.ns = slices.Repeat([]int64{schema.NoValue}, len(search.wanted))
	for _, f := range m.Files {
		if err := search.in(ctx, j.Lake.Path(f)); err != nil {
			return nil, err
		}
	}
	times := make([]int64, len(seqs))
	for i, seq := range seqs {
		at, _ := slices.BinarySearch(search.wanted, seq)
		if times[i] = search.ns[at]; times[i] == schema.NoValue {
			return nil, fmt.Errorf("event %d: %w", seq, ErrNothing)
		}
	}
	return times, nil
}

// eventTimes is a search for the times of events.
type eventTimes struct {
	wanted []int64 // sequence numbers, ascending
	ns     []int64 // by position in wanted; NoValue: not found yet
}

func (t *eventTimes) in(ctx context.Context, path string) error {
	events := schema.NewEvents()
	r, err := parquet.Open(path, events, "seq", "time_ns")
	if err != nil {
		return err
	}
	defer r.Close()
	r.Skip(func(s parquet.Stats) bool {
		lo, hi, known := s.Ints("seq")
		return known && !t.wants(lo, hi)
	})
	for {
		more, err := r.Next()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !more {
			return err
		}
		for i, seq := range events.Seq {
			if at, is := slices.BinarySearch(t.wanted, seq); is {
				t.ns[at] = events.TimeNs[i]
			}
		}
	}
}

// wants reports whether an event from lo to hi is wanted.
func (t *eventTimes) wants(lo, hi int64) bool {
	at, _ := slices.BinarySearch(t.wanted, lo)
	return at < len(t.wanted) && t.wanted[at] <= hi
}
