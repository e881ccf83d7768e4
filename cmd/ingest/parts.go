package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/workers"
	readers "github.com/tracelake/tracelake/stages/ingest"
)

// partOf is what the i-th of several traces of a run is called. What comes through a pipe has its number for a name.
func (f *flags) partOf(i int, trace string) part {
	if _, b := f.begins(trace); b.Place != "" {
		return part{b.Name, b.Place}
	}
	return part{Name: fmt.Sprintf("trace-%d", i+1)}
}

// followParts records several traces until all of them end, and makes one run of them: that of an ingest of these traces, in the order of the
// command line. Each is recorded by itself; pages show them together.
func (f *flags) followParts(ctx context.Context, l *lake.Lake, j *ingest.Job) error {
	var named []part
	for i, trace := range j.Paths {
		named = append(named, f.partOf(i, trace))
	}
	if have, err := readBegun(l, j.Run); err == nil && !slices.Equal(have.Parts, named) {
		return fmt.Errorf("run %s has a recording of other traces, or in another order: make a run of it by: ingest seal %s", j.Run, j.Run)
	}
	parts, err := f.openParts(l, j.Run, named)
	if err != nil {
		return err
	}
	defer closeParts(parts)
	if total(parts) == 0 {
		if err := noteBegun(l, j.Run, begun{Flags: f.changed, Parts: named}); err != nil {
			return err
		}
	}
	for i, r := range parts {
		if r.Length() > 0 && named[i].Place == "" {
			return fmt.Errorf("run %s has a recording of %s that nobody ended, and %s cannot go on where that stopped: make a run of it by: ingest seal %s",
				j.Run, megabytes(r.Length()), j.Paths[i], j.Run)
		}
	}
	traces := j.Paths
	var sources []live.Source
	var where []string
	stop := func() {
		for _, s := range sources {
			s.Close()
		}
	}
	defer stop()
	for i, trace := range traces {
		network, address := sentTo(trace)
		s, words, err := f.source(trace, network, address, parts[i], j)
		if err != nil {
			if total(parts) == 0 {
				err = errors.Join(err, live.Discard(l, j.Run))
			}
			return err
		}
		sources, where = append(sources, s), append(where, words)
	}
	f.tellBegin(j.Run, strings.Join(where, ", and "), "")
	shows, err := live.ShowParts(live.Folder(l, j.Run), parts, f.readings(j, named))
	if err != nil {
		return err
	}
	defer shows[0].Close() // the view is that of all
	all := new(workers.Group)
	for i, s := range sources {
		all.Go(func() error {
			defer s.Close() // who sends more is told so at once
			return f.record(ctx, s, recorded{j.Run, j.Run + ", " + named[i].Name, parts[i], shows[i]}, nil)
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	return f.sealParts(context.WithoutCancel(ctx), l, j, named, parts)
}

// readings say how each of several traces is understood while it comes.
func (f *flags) readings(j *ingest.Job, named []part) (all []live.Reading) {
	for i, p := range named {
		all = append(all, live.Reading{
			File: p.Name, Detect: j.Detect, Options: j.Options, Map: j.Map, Source: i, Unit: ingest.RunName(p.Name, readers.Formats()),
			Say: func(sentence string) { f.Logger(f.stderr).Info("run " + j.Run + ", " + p.Name + ": " + sentence) },
		})
	}
	return all
}

// openParts opens the recordings of several traces of a run and tells of what they have.
func (f *flags) openParts(l *lake.Lake, run string, named []part) (all []*live.Recording, err error) {
	for i, p := range named {
		r, err := live.OpenPart(l, run, i+1, p.Name)
		if err != nil {
			closeParts(all)
			return nil, err
		}
		all = append(all, r)
		if r.Dropped > 0 {
			f.Logger(f.stderr).Info(fmt.Sprintf("run %s, %s: %s at the end of the recording were torn, and are dropped", run, p.Name, megabytes(r.Dropped)))
		}
		if r.Length() > 0 {
			f.Logger(f.stderr).Info(fmt.Sprintf("run %s, %s: goes on with a recording of %s", run, p.Name, megabytes(r.Length())))
		}
	}
	return all, nil
}

func closeParts(all []*live.Recording) {
	for _, r := range all {
		r.Close()
	}
}

// total is how much several recordings have.
func total(all []*live.Recording) (n int64) {
	for _, r := range all {
		n += r.Length()
	}
	return n
}

// sealParts makes a run of the recordings of several traces, and takes them away when the run is there. One of which nothing came is no part of
// the run.
func (f *flags) sealParts(ctx context.Context, l *lake.Lake, j *ingest.Job, named []part, parts []*live.Recording) error {
	defer closeParts(parts)
	j.Paths = nil
	for i, r := range parts {
		if r.Length() == 0 {
			f.Logger(f.stderr).Info(fmt.Sprintf("run %s: nothing came of %s, which is no part of it", j.Run, named[i].Name))
			continue
		}
		if j.Place == "" && len(j.Paths) == 0 {
			j.Place = named[i].Place
		}
		j.Paths = append(j.Paths, r.Trace)
	}
	if len(j.Paths) == 0 {
		return errors.Join(fmt.Errorf("run %s: nothing came, so there is no run", j.Run), live.Discard(l, j.Run))
	}
	if err := f.makeSealed(ctx, l, j); err != nil {
		return err
	}
	return live.Discard(l, j.Run)
}
