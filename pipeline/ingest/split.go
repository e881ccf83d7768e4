package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/componentcalls"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// Split is a trace that becomes several runs, in one reading: its requests are dealt out by the times at which they start. The runs are
// called as the job with the name of their slice behind.
type Split struct {
	Job  // of the whole; Run is the beginning of the names
	By   schema.Split
	Text string // what By means, as the user says it; part of the fingerprints
}

// SplitStanding is what a lake has under the name of a trace that is to be split.
type SplitStanding struct {
	Runs    []string // into which a trace of this name was split
	Current int      // of these, those that the split would make just so
	Fresh   bool     // they are all, and there is nothing to do
}

// Standing compares the split with the runs that the lake has of one under this name. Of the standard input nothing is known before.
func (s *Split) Standing() (now SplitStanding, err error) {
	partitions, err := s.Lake.Partitions("run")
	if err != nil {
		return now, err
	}
	hash, of := "", 0
	if files, err := s.files(); err == nil && files != nil {
		if hash, err = HashFiles(s.Jobs, files); err != nil {
			return now, err
		}
	}
	for _, p := range partitions {
		if !strings.HasPrefix(p.Name, s.Run+"-") {
			continue
		}
		have, err := s.Lake.Inventory(p)
		if err != nil {
			return now, err
		}
		var o options
		m := have.Table("runs")
		if m == nil || json.Unmarshal([]byte(m.Options), &o) != nil || o.Slice == "" || o.Labels[schema.LabelSplit] != s.Run {
			continue
		}
		now.Runs = append(now.Runs, p.Name)
		if !strings.HasPrefix(o.Slice, s.Text+", ") {
			continue
		}
		part := s.part(p.Name, o.Labels[schema.LabelSlice], o.Slice)
		if origin := part.origin(hash); have.Fresh(origin.Fingerprint(), RunTables()...) {
			now.Current++
			fmt.Sscanf(strings.TrimPrefix(o.Slice, s.Text), sliceText, &of)
		}
	}
	now.Fresh = of > 0 && now.Current == of && len(now.Runs) == of
	return now, nil
}

// sliceText says behind how a trace was split how many slices there are.
const sliceText = ", one of %d"

// part is the job of a slice.
func (s *Split) part(run, label, slice string) Job {
	j := s.Job
	j.Run, j.Slice, j.Say, j.Progress = run, slice, nil, nil
	j.Labels = map[string]string{}
	maps.Copy(j.Labels, s.Labels)
	j.Labels[schema.LabelSplit], j.Labels[schema.LabelSlice] = s.Run, label
	return j
}

// Ingest reads the trace and commits a run for every slice; done is called with each. Runs of an earlier split under the same name
// are an error unless the job replaces them, and are dropped once the new ones are there.
func (s *Split) Ingest(ctx context.Context, done func(run string, of *schema.Run, losses []schema.Loss) error) error {
	release, err := s.Lake.Lease(ctx, lake.Run(s.Run))
	if err != nil {
		return err
	}
	defer release()
	before, err := s.Standing()
	if err != nil {
		return err
	}
	if n := len(before.Runs); n > before.Current && !s.Replace {
		return fmt.Errorf("the lake has %d runs of another trace, split or labels under the name %s, as %s, and keeps them; with --replace the new ones take their place, and --run gives them another name", n, s.Run, before.Runs[0])
	}
	staging, err := s.Lake.Stage(StageName, lake.Run(s.Run), lake.Fingerprint(StageName, StageVersion, s.Run, nil))
	if err != nil {
		return err
	}
	defer staging.Discard()
	in := newIntake(ctx, &s.Job)
	in.staging = staging
	if err := in.open(); err != nil {
		return err
	}
	reader, err := s.reader(in)
	if err != nil {
		return err
	}
	var made []string
	err = reader.Slices(s.By, func(of schema.Slice, r schema.Reader, lost *schema.Ledger) error {
		if err := in.hashRest(); err != nil {
			return err
		}
		part := s.part(s.Run+"-"+of.Name, of.Name, s.Text+fmt.Sprintf(sliceText, of.Of))
		run, losses, err := in.slicePart(ctx, part, r, lost)
		if err != nil {
			return err
		}
		made = append(made, part.Run)
		return done(part.Run, run, losses)
	})
	if err != nil {
		return in.withFault(err)
	}
	if len(made) == 0 {
		in.ledger.MergeLosses(in.archive.ledger.Losses(""))
		return in.noEvents()
	}
	return s.finish(ctx, reader, before.Runs, made)
}

// reader is what can split the trace, of which the hash is taken then.
func (s *Split) reader(in *intake) (schema.SplitReader, error) {
	if in.archive != nil {
		if reader, ok := in.archive.reader.(schema.SplitReader); ok {
			return reader, in.hashArchive()
		}
	}
	return nil, fmt.Errorf("--split: %s is no trace of spans, which alone say what request a call belongs to", s.source())
}

// finish tells what is said of the whole trace, and drops the runs of an earlier split that this one does not have.
func (s *Split) finish(ctx context.Context, reader schema.Reader, before, made []string) error {
	if clocks, ok := reader.(schema.ClockReader); ok && s.Say != nil {
		_, said := clocks.Clocks()
		for _, sentence := range said {
			s.Say(sentence)
		}
	}
	for _, name := range before {
		if slices.Contains(made, name) {
			continue
		}
		if err := s.Lake.Drop(ctx, lake.Run(name)); err != nil {
			return err
		}
	}
	return nil
}

// slicePart weaves a slice and commits its run.
func (in *intake) slicePart(ctx context.Context, part Job, r schema.Reader, lost *schema.Ledger) (*schema.Run, []schema.Loss, error) {
	release, err := part.Lake.Lease(ctx, lake.Run(part.Run))
	if err != nil {
		return nil, nil, err
	}
	defer release()
	staging, err := part.Lake.Stage(StageName, lake.Run(part.Run), lake.Fingerprint(StageName, StageVersion, part.Run, nil))
	if err != nil {
		return nil, nil, err
	}
	defer staging.Discard()
	one := newIntake(ctx, &part)
	one.staging, one.bytes, one.format = staging, in.bytes, in.format
	one.derived = &Derived{Format: in.format.Name, Source: in.source(), Hash: in.hashed()}
	one.sources = []wellformed.Source{{}}
	one.archive = &archive{reader: r, ledger: lost}
	if _, is := r.(schema.AttributeReader); is {
		one.things = &things{staging: staging}
	}
	if in.rewriter != nil {
		one.rewriter = componentcalls.New()
	}
	files, run, err := one.writeTables(ctx)
	if err != nil {
		return nil, nil, err
	}
	return one.keep(staging, files, run)
}
