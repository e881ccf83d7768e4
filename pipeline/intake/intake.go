package intake

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"sync"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/wellformed"
)

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

// Run ingests the trace and commits its tables: events, messages, annotations, then runs.
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
