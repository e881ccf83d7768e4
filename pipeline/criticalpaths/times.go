package criticalpaths

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// timesOf returns the times of events in their order. It reads only row groups that may contain one of
// them. An event that the run does not have is ErrNothing.
func (j *Job) timesOf(ctx context.Context, seqs []int64) ([]int64, error) {
	// 1. Sort what is asked for, so that each event is a binary search, and skip row groups without any.
	search := &eventTimes{wanted: slices.Clone(seqs)}
	slices.Sort(search.wanted)
	search.wanted = slices.Compact(search.wanted)
	search.ns = slices.Repeat([]int64{schema.NoValue}, len(search.wanted))
	if err := search.searchFile(ctx, j.Lake, j.Run); err != nil {
		return nil, err
	}
	// 2. Return the times in the order of the question, which may repeat an event.
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
// It is filled while the table is scanned; an event that is not met stays without a time.
type eventTimes struct {
	wanted []int64 // sequence numbers, ascending
	ns     []int64 // by position in wanted; NoValue: not found yet
}

// searchFile reads one file, skipping row groups by their statistics.
func (t *eventTimes) searchFile(ctx context.Context, l *lake.Lake, run string) error {
	events := schema.NewEvents()
	// A row group without statistics is read.
	o := lake.ScanOptions{Columns: []string{"seq", "time_ns"}, Skip: func(s lake.Stats) bool {
		lo, hi, known := s.Ints("seq")
		return known && !t.hasWanted(lo, hi)
	}}
	return l.ScanTable(ctx, "events", run, events, o, func() error {
		for i, seq := range events.Seq {
			if at, is := slices.BinarySearch(t.wanted, seq); is {
				t.ns[at] = events.TimeNs[i]
			}
		}
		return nil
	})
}

// hasWanted reports whether an event from lo to hi is wanted.
// O(log n) in what is asked for.
func (t *eventTimes) hasWanted(lo, hi int64) bool {
	at, _ := slices.BinarySearch(t.wanted, lo)
	return at < len(t.wanted) && t.wanted[at] <= hi
}

// StartNs returns the time of the first event of the run, in ns of trace time; 0 if the run has no row.
func (j *Job) StartNs() (int64, error) {
	rows, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Run))
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return rows[0].StartNs, nil
}

// EarlyReceipts returns how many messages of the run were received before they were sent, by clocks that are apart.
func (j *Job) EarlyReceipts() (count int64, err error) {
	rows, err := lake.Read[schema.Loss](j.Lake, "losses", lake.Run(j.Run))
	for _, loss := range rows {
		if loss.Reason == schema.ReceivedBeforeSent.Name || loss.Reason == schema.NegativeLatency.Name {
			count += loss.Count
		}
	}
	return count, err
}
