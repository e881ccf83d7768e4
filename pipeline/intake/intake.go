package intake

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/wellformed"
)

// StageName and StageVersion stand in the manifests of an ingest. The version changes with the tables.
const (
	StageName    = "ingest"
	StageVersion = 1
)

// Detect finds the format of a trace by its first bytes, or says why there is none.
type Detect func(file string, head []byte) (schema.Format, error)

// Job is one run to ingest.
type Job struct {
	Lake       *lake.Lake
	Run        string
	Paths      []string // the parts of the trace in order; "-" is Stdin
	Stdin      io.Reader
	Detect     Detect
	Incomplete string // "complete" or "discard"
	Untraced   string // "ignore" or "insert"
	Format     string // as asked for; stands in the fingerprint
	Columns    string // of tables, likewise
	Strict     bool
	Labels     map[string]string
	Jobs       int
	Progress   *pipeline.Meter
}

// options are what the tables depend on beside the bytes of the trace.
type options struct {
	Incomplete, Untraced, Format, Columns string
	Labels                                map[string]string
	Source                                string
}

func (j *Job) fingerprint(hash string) (string, []lake.Input, options) {
	opt := options{j.Incomplete, j.Untraced, j.Format, j.Columns, j.Labels, j.source()}
	inputs := []lake.Input{{Name: "trace", Fingerprint: hash}}
	return lake.Fingerprint(StageName, StageVersion, opt, inputs), inputs, opt
}

// source names the trace: its files without their folders, so that a lake does not depend on where they lay.
func (j *Job) source() string {
	names := make([]string, len(j.Paths))
	for i, path := range j.Paths {
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, " ")
}

// Fresh says whether the run is in the lake already, made from these bytes with these options.
func (j *Job) Fresh() (*lake.Manifest, error) {
	have, err := j.Lake.Manifest("runs", lake.Run(j.Run))
	if err != nil || have == nil {
		return nil, err
	}
	for _, path := range j.Paths {
		if path == "-" {
			return nil, nil
		}
	}
	sum, err := HashFiles(j.Paths)
	if err != nil {
		return nil, err
	}
	if want, _, _ := j.fingerprint(sum); want != have.Fingerprint {
		return nil, nil
	}
	return have, nil
}

// intake is an ingest under way.
type intake struct {
	*Job
	hash    hash.Hash
	pieces  *shelf[*piece]
	format  schema.Format
	header  string // of the first file
	parsers []schema.Parser
	sources []wellformed.Source
	ledger  schema.Ledger
	weaver  *wellformed.Weaver
	store   *store
	line    map[string]int64 // lines read of each file
	lines   int64
}

// Run ingests the trace and commits its tables: events, messages, then runs.
func Run(ctx context.Context, j Job) (*schema.Run, []schema.Loss, error) {
	in := &intake{Job: &j, hash: sha256.New(), pieces: newPieces(j.Jobs), line: make(map[string]int64)}
	// The fingerprint needs the hash of the whole trace, which is known only at its end: the files are
	// staged under the run's name and tagged when they are committed.
	staging, err := j.Lake.Stage(StageName, lake.Run(j.Run), lake.Fingerprint(StageName, StageVersion, j.Run, nil))
	if err != nil {
		return nil, nil, err
	}
	defer staging.Discard()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in.store = newStore(ctx, staging, j.Jobs)
	outcome, err := in.weaveAll(ctx)
	if err != nil {
		stop()
		_, failed := in.store.close()
		if failed != nil && !errors.Is(failed, context.Canceled) {
			err = failed
		}
		return nil, nil, err
	}
	return in.finish(staging, outcome)
}

// weaveAll reads and parses the trace on several goroutines and weaves it on this one.
func (in *intake) weaveAll(ctx context.Context) (*wellformed.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	toParse, inOrder := make(chan *piece), make(chan *piece, 2*in.Jobs+2)
	var readErr error
	for number := range in.Jobs {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for p := range toParse {
				p.parse(in.parsers[number], number)
			}
		}()
	}
	workers.Add(1)
	go func() {
		defer workers.Done()
		defer close(inOrder)
		defer close(toParse)
		readErr = in.read(ctx, toParse, inOrder)
	}()
	return in.weave(ctx, inOrder, &readErr)
}

// read cuts all files into pieces and hands each to a worker and, in order, to the weaver.
func (in *intake) read(ctx context.Context, toParse, inOrder chan<- *piece) error {
	for i, path := range in.Paths {
		s, err := openSource(path, in.Stdin, in.hash)
		if err != nil {
			return err
		}
		in.Progress.Expect(s.size)
		header, done := -1, int64(0)
		err = cut(ctx, s, in.pieces, func(p *piece) error {
			if header < 0 {
				if header, err = in.recognise(i, p); err != nil {
					return err
				}
			}
			in.Progress.Advance(s.raw.n - done)
			done = s.raw.n
			for _, to := range []chan<- *piece{toParse, inOrder} {
				select {
				case to <- p:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
		s.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// recognise finds the format by a file's first piece and takes the header off it.
func (in *intake) recognise(file int, p *piece) (header int, err error) {
	format, err := in.Detect(p.file, p.data[:min(len(p.data), 1<<16)])
	if err != nil {
		return 0, err
	}
	if file == 0 {
		in.format = format
		for range in.Jobs {
			in.parsers = append(in.parsers, format.NewParser())
			in.sources = append(in.sources, wellformed.Source{})
		}
		in.header = string(p.data[:format.Header])
	} else if format.Name != in.format.Name {
		return 0, fmt.Errorf("%s is a %s trace and %s a %s trace: ingest them as two runs", in.Paths[0], in.format.Name, p.file, format.Name)
	} else if string(p.data[:format.Header]) != in.header {
		return 0, fmt.Errorf("%s:1:1: the header differs from that of %s: give the parts of one run one header, or ingest them as two runs", p.file, in.Paths[0])
	}
	p.header = int64(countLines(p.data[:format.Header]))
	p.data = append(p.data[:0], p.data[format.Header:]...)
	return format.Header, nil
}

// weave takes the parsed pieces in order. The first ones are kept until the buckets of the components are
// known.
func (in *intake) weave(ctx context.Context, inOrder <-chan *piece, readErr *error) (*wellformed.Outcome, error) {
	var first []*piece
	var seen int
	for p := range inOrder {
		select {
		case <-p.parsed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if in.weaver != nil {
			if err := in.add(p); err != nil {
				return nil, err
			}
			continue
		}
		first = append(first, p)
		if seen += len(p.data); seen >= placementBytes {
			if err := in.begin(first, Buckets); err != nil {
				return nil, err
			}
		}
	}
	if *readErr != nil {
		return nil, *readErr
	}
	if in.weaver == nil {
		if err := in.begin(first, 1); err != nil {
			return nil, err
		}
	}
	if in.weaver.Events() == 0 {
		return nil, in.noEvents()
	}
	return in.weaver.Finish(), nil
}

// noEvents says why a trace of a known format came to nothing: its first bad line, if it has one.
func (in *intake) noEvents() error {
	for _, loss := range in.ledger.Losses("") {
		return fmt.Errorf("%s: no events in %d lines; the first fault is %s", strings.Join(in.Paths, " "), in.lines, loss.FirstPosition)
	}
	return fmt.Errorf("%s: no events in %d lines", strings.Join(in.Paths, " "), in.lines)
}

// begin places the components of the first pieces in buckets and weaves these pieces.
func (in *intake) begin(first []*piece, buckets int) error {
	events := make(map[string]int64)
	for _, p := range first {
		counts := make([]int64, len(p.keys))
		for _, k := range p.block.Key {
			counts[k]++
		}
		for k, n := range counts {
			if n > 0 {
				events[p.keys[k].Component] += n
			}
		}
	}
	opt := wellformed.Options{Discard: in.Incomplete == "discard", Insert: in.Untraced == "insert"}
	in.weaver = wellformed.New(opt, buckets, wellformed.Groups{Rows: rowGroupRows, Messages: messageGroupRows}, place(events, buckets).of, in.store, &in.ledger)
	in.store.weaver = in.weaver
	for _, p := range first {
		if err := in.add(p); err != nil {
			return err
		}
	}
	return nil
}

// add weaves one piece and gives its memory back.
func (in *intake) add(p *piece) error {
	firstLine := in.line[p.file] + p.header + 1
	in.line[p.file] = firstLine - 1 + p.block.Lines
	in.lines += p.block.Lines + p.header
	if err := in.lose(p, firstLine); err != nil {
		return err
	}
	s := &in.sources[p.parser]
	s.Update(p.keys, p.marks)
	in.weaver.Add(&p.block, s, filepath.Base(p.file), firstLine)
	in.pieces.put(p)
	return nil
}

// lose counts the bad lines of a piece; strict makes the first one an error.
func (in *intake) lose(p *piece, firstLine int64) error {
	reason := schema.BadLine
	if p.torn && p.block.Bad.Count == 1 && p.block.Bad.First.Line == p.block.Lines-1 {
		reason = schema.TornLine
	}
	for _, d := range []struct {
		reason schema.Reason
		defect *schema.Defect
	}{{reason, &p.block.Bad}, {schema.UnsupportedTime, &p.block.Overflow}} {
		if d.defect.Count == 0 {
			continue
		}
		at := d.defect.First
		at.File, at.Line = p.file, at.Line+firstLine
		if in.Strict {
			return fmt.Errorf("%w (--strict)", &at)
		}
		at.File = filepath.Base(p.file) // a lake does not depend on where the trace lay
		in.ledger.AddMany(d.reason, d.defect.Count, at.Error)
	}
	return nil
}
