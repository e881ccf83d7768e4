package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
)

var _ = declare(samplesStage)

// samplesStage holds every sample of a bucket at once where memory allows it, since samples are written by transition and
// come in trace order.
func samplesStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "samples", Version: 1, Doc: "replays the trace through the automata: time samples in four normalisations",
		Reads: []string{"events", "transitions"}, Writes: []string{"samples"},
		ByLifeline: true, Common: "transitions", BytesPerRow: sampleBytes, Prepare: prepareOrdinals, Run: runSamples,
	}
}

// sampleBytes is what a sample takes while it is put in its place, in bytes. Columns are made of a row group at a time.
const sampleBytes = 40

// runSamples replays the events of a bucket through its automata, in as many passes as memory asks for: a pass takes a range
// of transitions, whose samples it can count beforehand and put in their places directly. The bytes do not depend on the
// number of passes.
func runSamples(t *pipeline.Task) error {
	transitions, err := pipeline.ReadRows[schema.Transition](t, "transitions")
	if err != nil {
		return err
	}
	ev := schema.NewEvents()
	r, err := samples.NewReplayer(ev.Names, transitions)
	if err != nil {
		return err
	}
	defer r.Close()
	// What is counted for a component is more than what a bucket with some of its lifelines has.
	if t.IsPart() {
		r.StartCounting()
		if err := replay(t, r, ev); err != nil {
			return err
		}
		r.EndCounting()
	}
	rows := schema.NewSamples(ev.Names) // those that fill no row group; the next pass continues it
	out, err := t.Create("samples", rows)
	if err != nil {
		return err
	}
	// At least 65,536 samples a pass: below that the passes over the events would cost more than the memory that they save.
	for _, rg := range r.Ranges(max(t.Memory/sampleBytes, 1<<16)) {
		r.Start(rg)
		if err := replay(t, r, ev); err != nil {
			return err
		}
		if err := r.Finish(rows, func() error { return out.WriteFull(rows) }); err != nil {
			return err
		}
	}
	return out.Close(rows)
}

// replay takes the events of a bucket through its automata once.
func replay(t *pipeline.Task, r *samples.Replayer, ev *schema.Events) error {
	given, err := openOrdinals(t)
	if err != nil {
		return err
	}
	defer given.close()
	return t.Scan("events", ev, func() error {
		if ordinals, enters, err := given.reach(ev); err != nil {
			return err
		} else if ordinals != nil {
			r.Given = ordinals.TakeOccurrences(enters)
		}
		return r.Add(ev)
	}, append(symbolColumns, "time_ns")...)
}
