package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
)

// space is what a series takes of the disk, which --keep bounds. The oldest runs go before what comes is written. A run that is being made may
// come to take as much as its recording, which stays meanwhile: so much is kept free. As a recording ends at a quarter of what the
// series may take, the one at hand, one of which a run is made, and that run have room.
//
// Whoever records looks at the disk once a second, and whenever what was written since might be too much. Views beside recordings and the
// lists of their blocks are of what was written, and not known before.
type space struct {
	mu sync.Mutex // of looks: one drops runs at a time

	// Of the recorder alone.
	total   int64     // that the series took at the last look
	written int64     // that the recording at hand had then
	at      time.Time // of it

	stale atomic.Bool // another recording is at hand, or a run is about to be made: the last look does not count

	sizes map[string]sizeOf // of runs, under mu
}

// sizeOf is the size of a run as long as nothing is stored to it.
type sizeOf struct {
	of    *lake.Inventory
	bytes int64
}

const (
	// lookEvery is how long a look counts.
	lookEvery = time.Second

	// marginShare of what a series may take is free before a block is written, for the view of the block and all that is small.
	marginShare = 64

	// leastRun is about what a run takes however short its recording is, as it has some hundred files.
	leastRun = 512 << 10
)

// room sees that n bytes of the trace have room before they are written.
func (s *series) room(n int64) {
	if s.f.keep == 0 {
		return
	}
	keep, written := int64(s.f.keep), s.r.Length()+s.show.Shown()
	need := 2*n + keep/marginShare
	if !s.space.stale.Swap(false) && time.Since(s.space.at) < lookEvery && s.space.total+written-s.space.written+need <= keep {
		return
	}
	s.space.total, s.space.written, s.space.at = s.dropFor(need), written, time.Now()
}

// bound drops runs ahead of what will be written, so that the recorder seldom has to wait for it.
func (s *series) bound() {
	if s.f.keep > 0 {
		s.dropFor(2 * int64(s.f.keep) / marginShare)
	}
}

// dropFor drops the oldest runs of the series until so many bytes have room, but neither the one at hand nor one that is being made. It returns
// how much the series takes then. A recording of which no run could be made counts as a run, and what cannot be dropped is told.
func (s *series) dropFor(need int64) (total int64) {
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	total, err := s.dropOldest(int64(s.f.keep) - need)
	if err != nil {
		s.f.Logger(s.f.stderr).Error(err.Error())
	}
	return total
}

// dropOldest is dropFor without its lock.
func (s *series) dropOldest(most int64) (total int64, err error) {
	s.mu.Lock()
	sealing := s.sealing
	stay := []string{s.atHand, s.leaves, sealing}
	s.mu.Unlock()
	names, err := runs.Names(s.lake)
	if err != nil {
		return 0, err
	}
	left, err := live.Unfinished(s.lake)
	if err != nil {
		return 0, err
	}
	all, _ := live.InSeries(s.name, append(names, left...))
	all = slices.Compact(all) // a run whose recording is not taken away yet
	sizes := make([]int64, len(all))
	for i, run := range all {
		if sizes[i], err = s.size(run, slices.Contains(names, run), run == sealing); err != nil {
			return total, err
		}
		total += sizes[i]
	}
	for i, run := range all {
		if total <= most {
			break
		}
		if slices.Contains(stay, run) || sizes[i] == 0 {
			continue
		}
		if err := s.drop(run, slices.Contains(names, run)); err != nil {
			return total, err
		}
		s.f.Logger(s.f.stderr).Info(fmt.Sprintf("run %s: dropped, as the series %s would take more than %v", run, s.name, s.f.keep))
		total -= sizes[i]
	}
	return total, nil
}

// size is how much of the disk a run takes, with its recording, or will take when it is made. A run of that name that is none of the series takes
// nothing, and stays.
func (s *series) size(run string, stored, sealing bool) (n int64, err error) {
	if n = live.Size(s.lake, run); sealing {
		return n + max(n+leastRun, live.RunSize(s.lake, run)), nil
	}
	if !stored {
		return n + live.RunSize(s.lake, run), nil
	}
	rows, err := runs.Described(s.lake, []string{run})
	if err != nil || rows[run].Labels[schema.LabelSeries] != s.name {
		return 0, err
	}
	of, err := s.lake.Inventory(lake.Run(run))
	if err != nil {
		return 0, err
	}
	known := s.space.sizes[run]
	if known.of != of {
		known = sizeOf{of, live.RunSize(s.lake, run)}
		if s.space.sizes == nil {
			s.space.sizes = make(map[string]sizeOf)
		}
		s.space.sizes[run] = known
	}
	return n + known.bytes, nil
}

// drop drops a run, or a recording of which none was made.
func (s *series) drop(run string, stored bool) error {
	s.mu.Lock()
	s.ended = slices.DeleteFunc(s.ended, func(waits string) bool { return waits == run })
	s.mu.Unlock()
	delete(s.space.sizes, run)
	if err := live.Discard(s.lake, run); err != nil || !stored {
		return err
	}
	err := s.lake.Drop(s.ctx, lake.Run(run))
	if err == nil && views.Exist(s.lake) {
		err = views.FollowOthers(s.ctx, s.lake)
	}
	return err
}
