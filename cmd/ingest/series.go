package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// series is a source that is recorded into one run after the other. The one at hand belongs to whoever follows; those that ended are
// made runs of meanwhile, one after the other. It implements live.Rolls.
type series struct {
	f      *flags
	ctx    context.Context
	lake   *lake.Lake
	name   string
	begun  begun
	job    ingest.Job
	source live.Source

	run     string // the one at hand
	r       *live.Recording
	show    *live.Decoder
	release func()
	since   time.Time
	last    int // the greatest number so far

	mu      sync.Mutex
	ended   []string // recordings of which no run is made yet
	sealing string   // the first of them while a run is made of it
	atHand  string   // the run, for whoever drops others
	leaves  string   // the one before, until it stands among those that ended
	woken   chan struct{}
	over    bool
	failed  int // recordings of which no run could be made

	space space
}

// followSeries records a trace into one run after the other until it ends.
func (f *flags) followSeries(ctx context.Context, l *lake.Lake, j *ingest.Job, trace string) error {
	isFile, b := f.begins(trace)
	b.Flags = append(slices.Clone(b.Flags), "--label="+schema.LabelSeries+"="+j.Run)
	s := &series{f: f, ctx: context.WithoutCancel(ctx), lake: l, name: j.Run, begun: b, job: *j, woken: make(chan struct{}, 1)}
	goesOn, err := s.standing(isFile)
	if err != nil {
		return err
	}
	if err := s.open(cmp.Or(goesOn, live.RunOfSeries(s.name, s.last+1)), nil); err != nil {
		return err
	}
	network, address := sentTo(trace)
	var where string
	if s.source, where, err = f.source(trace, network, address, s.r, j); err != nil {
		return errors.Join(err, s.close(false))
	}
	defer s.source.Close()
	f.tellBegin(s.name, where, fmt.Sprintf(" %s; every %v one is made, beginning with %s", s.run, texttab.Flag(f.roll), s.run))
	memory.Unmap()
	sealing := new(workers.Group)
	sealing.Go(s.seal)
	err = f.record(ctx, s.source, recorded{s.run, s.run, s.r, s.show}, s)
	s.source.Close()
	err = errors.Join(err, s.close(err == nil))
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.wake()
	if fault := sealing.Wait(); err == nil {
		err = fault
	}
	if err == nil && s.failed > 0 {
		err = fmt.Errorf("of %s of series %s no run could be made; they stay, for ingest seal", texttab.Plural(int64(s.failed), "recording"), s.name)
	}
	return err
}

// standing looks at what a recorder of the series left behind. A file goes on with the last recording; of the others runs are made. One that
// was not begun wholly has nothing that the one before lacks.
func (s *series) standing(isFile bool) (goesOn string, err error) {
	left, err := live.Unfinished(s.lake)
	if err != nil {
		return "", err
	}
	names, err := runs.Names(s.lake)
	if err != nil {
		return "", err
	}
	recorded, last := live.InSeries(s.name, left)
	_, s.last = live.InSeries(s.name, names)
	s.last = max(s.last, last)
	for _, run := range recorded {
		b, err := readBegun(s.lake, run)
		if errors.Is(err, fs.ErrNotExist) {
			if err := live.Discard(s.lake, run); err != nil {
				return "", err
			}
			continue
		}
		if err != nil {
			return "", err
		}
		if goesOn = ""; isFile && b.Place == s.begun.Place {
			goesOn, s.begun.Preamble = run, b.Preamble
		}
		s.ended = append(s.ended, run)
	}
	if goesOn != "" {
		s.ended = s.ended[:len(s.ended)-1]
	}
	return goesOn, nil
}

// open begins to record a run, or goes on.
func (s *series) open(run string, preamble []byte) (err error) {
	if s.release, err = s.f.leaseNow(s.ctx, s.lake, run); err != nil {
		return err
	}
	s.run, s.since, s.job.Run = run, time.Now(), run
	_, n, _ := live.SeriesOf(run)
	s.last = max(s.last, n)
	before := s.r
	if s.r, err = live.Open(s.lake, run, s.begun.Name); err != nil {
		s.release()
		return err
	}
	if s.r.Length() > 0 {
		s.r.Preamble = s.begun.Preamble
		s.f.Logger(s.f.stderr).Info(fmt.Sprintf("run %s: goes on with a recording of %s", run, megabytes(s.r.Length())))
	} else {
		err = s.begin(before, preamble)
	}
	if err == nil {
		s.show, err = s.f.show(s.r, &s.job, s.begun.Name)
	}
	if err != nil {
		s.release()
		return errors.Join(err, s.r.Close())
	}
	s.mu.Lock()
	s.atHand = run
	s.mu.Unlock()
	s.space.stale.Store(true)
	return nil
}

// begin begins a recording. That it was begun is noted last: until then the one before is the last one.
func (s *series) begin(before *live.Recording, preamble []byte) error {
	s.r.Preamble, s.begun.Preamble = int64(len(preamble)), int64(len(preamble))
	if len(preamble) > 0 {
		if err := s.r.Append(preamble, time.Now()); err != nil {
			return err
		}
	}
	if file, is := s.source.(*live.File); is {
		if err := file.GoesOn(before, s.r); err != nil {
			return err
		}
	}
	if err := s.r.Sync(); err != nil {
		return err
	}
	return noteBegun(s.lake, s.run, s.begun)
}

// Due implements live.Rolls. A recording that alone takes a quarter of what the series may is ended early.
func (s *series) Due(length int64, now time.Time) bool {
	return now.Sub(s.since) >= s.f.roll || s.f.keep > 0 && length+s.show.Shown() >= int64(s.f.keep)/4
}

// Stays implements live.Rolls.
func (s *series) Stays(format string) {
	of, bound := "the format "+format, ""
	if format == "" {
		of = "a format that is not known"
	}
	if s.f.keep > 0 {
		bound = ", and --keep does not bound it"
	}
	s.f.Logger(s.f.stderr).Info(fmt.Sprintf("run %s: a trace of %s can be read only when it is whole, so that --roll makes no further runs of it%s; "+
		"it becomes a run when it ends, as by Ctrl-C: record the next trace then", s.run, of, bound))
}

// Next implements live.Rolls.
func (s *series) Next(preamble []byte) (*live.Recording, *live.Decoder, error) {
	before, show, release, ended := s.r, s.show, s.release, s.run
	open := show.Open()
	s.mu.Lock()
	s.leaves = ended
	s.mu.Unlock()
	s.room(int64(len(preamble)))
	if err := before.Sync(); err != nil {
		return before, show, err
	}
	err := s.open(live.RunOfSeries(s.name, s.last+1), preamble)
	if err != nil {
		s.r, s.show, s.release, s.run = before, show, release, ended
		return before, show, err
	}
	err = errors.Join(show.Close(), before.Close())
	release()
	words := ""
	if open > 0 {
		words = ", with " + texttab.Plural(open, "open call") + ", which both count as losses"
	}
	s.f.Logger(s.f.stderr).Info(fmt.Sprintf("run %s: ends after %s, and %s goes on%s", ended, megabytes(before.Length()), s.run, words))
	s.mu.Lock()
	s.ended, s.leaves = append(s.ended, ended), ""
	s.mu.Unlock()
	s.wake()
	return s.r, s.show, err
}

// close ends the run at hand. A run is made of it if anything came, and if it is to be.
func (s *series) close(seal bool) error {
	err := s.r.Close()
	if s.show != nil {
		err = errors.Join(err, s.show.Close())
	}
	defer s.release()
	if s.r.Length() == s.r.Preamble {
		return errors.Join(err, live.Discard(s.lake, s.run))
	}
	if seal {
		s.mu.Lock()
		s.ended = append(s.ended, s.run)
		s.mu.Unlock()
	}
	return err
}

// wake has runs made.
func (s *series) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// sealingMemory is what making a run may take while the next one is recorded. The run is the same whatever that is.
const sealingMemory = 256 << 20

// sealingGarbage is how much garbage there may be meanwhile, in percent of what is in use: rows of all buckets, which stay, and little else.
const sealingGarbage = 25

// wholeBytes is how long a recording may be of which a run is made in one pass. That takes less CPU than slices do; what they save is
// the time until a longer one is read again, where the recorder was killed.
const wholeBytes = 4 << 30

// seal makes runs of the recordings that ended, until the series ends, and drops the oldest where they are too large.
func (s *series) seal() error {
	log := s.f.Logger(s.f.stderr)
	beside := *s.f // the recording goes on meanwhile, and must not wait
	beside.Memory, beside.Jobs, beside.whole = min(beside.Memory, sealingMemory), 1, true
	for {
		s.mu.Lock()
		run := ""
		if len(s.ended) > 0 {
			run = s.ended[0]
		}
		s.sealing = run
		over := s.over
		s.mu.Unlock()
		s.bound()
		if run != "" {
			s.space.stale.Store(true)
			before := debug.SetGCPercent(sealingGarbage)
			if err := beside.sealOne(s.ctx, s.lake, run); err != nil {
				log.Error(err.Error())
				s.failed++
			}
			debug.SetGCPercent(before)
			debug.FreeOSMemory() // it is needed again when the next recording ends
			memory.Unmap()
			s.mu.Lock()
			s.ended, s.sealing = s.ended[1:], ""
			s.mu.Unlock()
			s.bound()
		}
		if run == "" && over {
			return nil
		}
		if run == "" {
			select {
			case <-s.woken:
			case <-time.After(time.Second):
			}
		}
	}
}

var _ live.Rolls = (*series)(nil)

// checkSeries refuses flags that fit no series.
func (f *flags) checkSeries() error {
	switch {
	case f.roll < 0 || f.roll > 0 && f.roll < time.Second:
		return console.Usagef("--roll %v: a second at least", texttab.Flag(f.roll))
	case f.keep > 0 && f.roll == 0:
		return console.Usagef("--keep drops the oldest runs of a series, which --roll makes")
	case f.roll > 0 && f.replace:
		return console.Usagef("--roll and --replace: the runs of a series have numbers of their own")
	case f.roll > 0 && !f.follow:
		return console.Usagef("--roll is for traces that --follow records")
	}
	return nil
}
