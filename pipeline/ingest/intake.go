package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/componentcalls"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// intake is an ingest under way.
type intake struct {
	*Job
	staging  *lake.Staging
	archive  *archive // the trace, if a Reader reads it
	hash     hash.Hash
	pieces   *freeList[*piece]
	blocks   *freeList[*piece] // pieces for blocks of a Reader
	format   schema.Format
	header   string // of the first file
	parsers  []schema.Parser
	sources  []wellformed.Source
	ledger   schema.Ledger
	builder  *wellformed.Builder
	store    *store
	line     map[string]int64 // lines read of each file
	lines    int64
	mapped   [][]schema.EventKey      // keys of the parsers, by Map
	rewriter *componentcalls.Rewriter // if calls between components are messages
}

// Run ingests the trace and commits its tables: events, messages, annotations, then runs.
func Run(ctx context.Context, j Job) (*schema.Run, []schema.Loss, error) {
	in := &intake{Job: &j, hash: sha256.New(), pieces: newPieces(j.Jobs), blocks: newBlocks(), line: make(map[string]int64)}
	// The fingerprint needs the hash of the whole trace, which is known only at its end: the files are
	// staged under the run's name and tagged when they are committed.
	staging, err := j.Lake.Stage(StageName, lake.Run(j.Run), lake.Fingerprint(StageName, StageVersion, j.Run, nil))
	if err != nil {
		return nil, nil, err
	}
	defer staging.Discard()
	in.staging = staging
	if err := in.open(); err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	in.store = newStore(ctx, staging, j.Jobs)
	outcome, err := in.buildChart(ctx)
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

// open prepares to read what is to be woven.
func (in *intake) open() error {
	if in.Derived != nil {
		in.openDerived()
		return nil
	}
	places, err := in.locate()
	if err != nil {
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
func (in *intake) buildChart(ctx context.Context) (*wellformed.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	workers, ctx := errgroup.WithContext(ctx)
	inOrder := make(chan *piece, 2*in.Jobs+2)
	if in.archive != nil {
		workers.Go(in.hashArchive)
		workers.Go(func() error {
			defer close(inOrder)
			return in.readArchive(ctx, inOrder)
		})
	} else {
		in.parseLines(ctx, workers, inOrder)
	}
	outcome, err := in.addPieces(ctx, inOrder, workers.Wait)
	stop()
	if failed := workers.Wait(); failed != nil && !errors.Is(failed, context.Canceled) {
		return nil, failed
	}
	return outcome, err
}

// parseLines reads pieces of a trace of lines and has them parsed by several workers.
func (in *intake) parseLines(ctx context.Context, workers *errgroup.Group, inOrder chan<- *piece) {
	toParse := make(chan *piece)
	for number := range in.Jobs {
		workers.Go(func() error {
			for p := range toParse {
				p.parse(in.parsers[number], number)
			}
			return nil
		})
	}
	workers.Go(func() error {
		defer close(inOrder)
		defer close(toParse)
		return in.read(ctx, toParse, inOrder)
	})
}
