package ingest

import (
	"context"
	"errors"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/componentcalls"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/clocks/alignment"
)

// intake is an ingest under way.
type intake struct {
	*Job
	// What the ingest writes and what it reads.
	staging  *lake.Staging
	derived  *Derived  // what is read instead of a trace; nil: the trace at Paths
	archive  *archive  // the trace, if a Reader reads it
	hash     *treeHash // of the bytes that are read in order: lines, or the standard input
	pieces   *freeList[*piece]
	blocks   *freeList[*piece]        // pieces for blocks of a Reader
	format   schema.Format            // of all parts
	header   string                   // of the first file
	parsers  []schema.Parser          // one for each worker; each numbers keys by itself
	sources  []wellformed.Source      // by parser: how the chart knows its keys
	ledger   schema.Ledger            // losses of parsing and of the chart
	bytes    int64                    // of the trace, as far as that is known before it is read: see traceBytes
	places   *placement               // of lifelines in buckets
	builder  *wellformed.Builder      // nil until the buckets are placed
	store    *store                   // takes the rows that the builder completes
	things   *things                  // what the trace says of its things; nil where its reader knows of none
	line     map[string]int64         // lines read of each file
	lines    int64                    // read so far; of archives, events
	findings                          // of an earlier pass, and of this one
	between  *alignment.Collector     // what messages say about clocks; nil where that is known or of no use
	moved    *movedEvents             // nil unless events are brought into the order of corrected times
	numbered []int                    // keys of each parser so far, or of the rewriter
	names    int                      // of all of them
	parts    []string                 // names of the traces, of several that a Reader each reads
	sum      string                   // SHA-256 of a trace in slices
	mapped   []keyMapper              // of the parsers, by Map
	rewriter *componentcalls.Rewriter // if calls between components are messages
	spare    schema.Block             // memory for the next block as it is adapted

	ctx         context.Context
	interrupted func() error // of the context: says whether the files of an archive are read on
}

// Run ingests the trace and commits its tables: events, messages, annotations, then runs.
// An error leaves the lake as it was: staged files are removed, and no manifest names them. The result does not
// depend on the number of jobs.
func Run(ctx context.Context, j Job) (*schema.Run, []schema.Loss, error) {
	// Make room for what is written, of which no other process writes anything meanwhile.
	release, err := j.Lake.Lease(ctx, lake.Run(j.Run))
	if err != nil {
		return nil, nil, err
	}
	defer release()
	// A run that is not to be replaced is found before hours of work, where the trace can be read twice.
	if err := j.checkBefore(); err != nil {
		return nil, nil, err
	}
	// A long trace of lines has a staging area of its own, in which an earlier attempt may have left something.
	if s := newIntake(ctx, &j).slice(); s != nil {
		run, losses, err := s.ingest(ctx)
		var again *againError
		if !errors.As(err, &again) {
			return run, losses, err
		}
	}
	var run *schema.Run
	var losses []schema.Loss
	err = passes(ctx, &j, func(in *intake) (err error) {
		run, losses, err = in.onePass(ctx)
		return err
	})
	return run, losses, err
}

// passes does a pass over the trace. It may find out what another one has to know from its beginning: three at most.
func passes(ctx context.Context, j *Job, pass func(in *intake) error) error {
	var known findings
	for {
		in := newIntake(ctx, j)
		in.findings = known
		err := pass(in)
		var again *againError
		if !errors.As(err, &again) {
			return err
		}
		known = again.findings
	}
}

// onePass ingests the trace in one pass.
func (in *intake) onePass(ctx context.Context) (*schema.Run, []schema.Loss, error) {
	// The fingerprint needs the hash of the whole trace, which is known only at its end: the files are
	// staged under the run's name and tagged when they are committed.
	staging, err := in.Lake.Stage(StageName, lake.Run(in.Run), lake.Fingerprint(StageName, StageVersion, in.Run, nil))
	if err != nil {
		return nil, nil, err
	}
	defer staging.Discard()
	in.staging = staging
	// (1) Find the format, and what must be read in which order.
	if err := in.open(); err != nil {
		return nil, nil, err
	}
	// (2) Write all tables, and commit them.
	files, run, err := in.writeTables(ctx)
	if err != nil {
		return nil, nil, err
	}
	return in.keep(staging, files, run)
}

// rereadable reports whether the trace can be read a second time: it is files, and no standard input or run.
func (in *intake) rereadable() bool { return in.derived == nil && !slices.Contains(in.Paths, "-") }

// newIntake is an ingest of which nothing is opened yet.
func newIntake(ctx context.Context, j *Job) *intake {
	return &intake{Job: j, ctx: ctx, interrupted: ctx.Err, hash: newTreeHash(), pieces: newPieces(j.Jobs), blocks: newBlocks(), line: make(map[string]int64)}
}

// writeTables weaves what was opened, and returns the files of all tables with the description of the run.
func (in *intake) writeTables(ctx context.Context) (map[string][]lake.File, *schema.Run, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// (1) Read, parse, build the chart and encode its rows, all at the same time.
	in.store = newStore(ctx, in.staging, in.Jobs)
	outcome, err := in.buildChart(ctx)
	if err == nil {
		err = in.again(outcome)
	}
	if err != nil {
		// The store may be the cause: a full disk ends its encoders, and the builder fails only later, by
		// cancellation. Its error says more.
		stop()
		in.things.abandon()
		_, failed := in.store.close()
		if failed != nil && !errors.Is(failed, context.Canceled) {
			err = failed
		}
		return nil, nil, err
	}
	// (2) Write what only the end of the trace shows.
	return in.finish(in.staging, outcome)
}

// open prepares to read what is to be woven.
// Calls between components become messages where a Reader reads the trace, unless --calls says otherwise: such
// traces have threads, on which the code of several components runs.
func (in *intake) open() error {
	places, err := in.locate()
	if err != nil {
		return err
	}
	if in.bytes, err = traceBytes(places); err != nil {
		return err
	}
	recorded := places[0].format.NewReader != nil
	if recorded {
		in.openArchive(places)
	}
	if in.Calls == "messages" || in.Calls == "" && recorded {
		in.rewriter = componentcalls.New()
	}
	return nil
}

// buildChart reads and parses the trace on several goroutines and makes it well-formed on this one.
// The channel bounds how far reading may be ahead. Workers parse in any order; pieces reach the builder in the
// order of the trace, because they enter inOrder before they are parsed.
func (in *intake) buildChart(ctx context.Context) (*wellformed.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	group, ctx := workers.WithContext(ctx)
	inOrder := make(chan *piece, 2*in.Jobs+2)
	if in.archive != nil {
		group.Go(in.hashArchive)
		group.Go(func() error {
			defer close(inOrder)
			return in.readArchive(ctx, inOrder)
		})
	} else {
		in.parseLines(ctx, group, inOrder)
	}
	outcome, err := in.addPieces(ctx, in.adaptPieces(ctx, group, inOrder), group.Wait)
	// Where the chart failed first, readers wait for room in the channel. To cancel them ends their wait, and
	// their error is then only the cancellation.
	stop()
	if failed := group.Wait(); failed != nil && !errors.Is(failed, context.Canceled) {
		return nil, failed
	}
	return outcome, err
}

// parseLines reads pieces of a trace of lines and has them parsed by several workers.
// Parsers keep what they learn, such as the numbers of keys, so each worker has its own and pieces name the parser
// that they went through.
func (in *intake) parseLines(ctx context.Context, group *workers.Group, inOrder chan<- *piece) {
	toParse := make(chan *piece)
	for number := range in.Jobs {
		group.Go(func() error {
			for p := range toParse {
				p.parse(in.parsers[number], number)
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(inOrder)
		defer close(toParse)
		return in.read(ctx, toParse, inOrder)
	})
}
