package checks

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/requirements"
)

// stateBytes is about what a state takes while checks are evaluated, and chunkBytes what reading takes beside it.
const stateBytes, chunkBytes = 7, 64 << 20

// errDecided ends the reading of a run of which every verdict is known.
var errDecided = errors.New("every verdict is known")

// read reads what the specification asks for: the states at which its atoms may hold where these tell every verdict, or all of the run,
// or those as far as the verdicts need. whole asks for all of them.
func (j *Job) read(ctx context.Context, whole bool) (*requirements.States, error) {
	m, err := j.Lake.Table("events", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	j.Progress.Expect(m.Rows())
	ev := schema.NewEvents()
	states, things, err := j.prepare(ctx, ev.Names)
	if err != nil {
		return nil, err
	}
	var early *requirements.Early
	if !whole {
		if sieve := requirements.NewSieve(states, j.Spec); sieve != nil {
			if sifted, err := j.sift(ctx, states, sieve, ev); sifted || err != nil {
				return states, err
			}
			if states, things, err = j.prepare(ctx, ev.Names); err != nil {
				return nil, err
			}
		}
		early = requirements.NewEarly(states, j.Spec)
	}
	if err := j.fits(m.Rows()); err != nil {
		return nil, err
	}
	err = j.Lake.ScanEvents(ctx, j.Run, ev, lake.ScanOptions{Columns: states.Columns(), Meter: j.Progress}, func() error {
		if states.Add(ev); early != nil && early.Decided() {
			return errDecided
		}
		return nil
	})
	states.Tape.Close()
	if errors.Is(err, errDecided) {
		err = nil
	}
	if err == nil && len(j.Spec.Signals) > 0 {
		if err = states.Derive(j.Spec, requirements.Traced(things)); err != nil {
			err = fmt.Errorf("run %s: %w", j.Run, err)
		}
	}
	if j.Between {
		states.Between()
	}
	return states, err
}

// sift reads the states that a sieve keeps. It reports false where these do not tell the verdicts, which is where a bucket ends in many
// events that are no states.
func (j *Job) sift(ctx context.Context, states *requirements.States, sieve *requirements.Sieve, ev *schema.Events) (bool, error) {
	choice := lake.Choice{Columns: sieve.Columns(), Rows: sieve.Choose}
	err := j.Lake.ScanChosen(ctx, j.Run, ev, choice, lake.ScanOptions{Columns: states.Columns(), Meter: j.Progress}, func() error {
		states.Add(ev)
		return j.fits(states.Tape.States())
	})
	states.Tape.Close()
	return sieve.Sifted(), err
}

// fits refuses more states than memory holds.
func (j *Job) fits(states int64) error {
	if need := states*stateBytes + chunkBytes; j.Memory > 0 && need > 2*j.Memory {
		return fmt.Errorf("run %s: the states of %d events take %d MiB, which is more than there is: raise --memory", j.Run, states, need>>20)
	}
	return nil
}
