package cpuprofile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/sampled"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// lifeline is that of all calls: a profile is of one thread.
const lifeline = "main"

// reader reads a profile and makes calls of its samples.
type reader struct {
	reading *schema.Reading                   // what it was given
	stacks  *sampled.Stacks                   // the tree of callers, and the stack of the last sample
	keys    schema.Numbering[schema.EventKey] // what is said of each call, without repetition
	known   map[sampled.Change]uint32         // keys
	out     blocks.Calls                      // the block in hand
	cut     map[string]bool                   // names that were cut
}

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return schema.EventKeys(r.keys.List) }

// Marks implements schema.Reader. A profile has no messages.
func (r *reader) Marks() []schema.MessageMark { return []schema.MessageMark{{}} }

// sample is a sample at its time.
type sample struct{ timeUs, node int64 }

// Read implements schema.Reader.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	trace := r.reading.Traces[0]
	f, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	// 1. The whole profile: its times stand at the end, so that nothing can be passed on before.
	p := &sampled.Profile{Reader: jsontext.New(f, trace.Path), Bad: r.reading.Bad}
	if err := r.document(p); err != nil {
		return err
	}
	r.stacks = sampled.New()
	r.stacks.Add(p.Nodes, r.undefined)
	samples, err := r.timed(p)
	if err != nil {
		return err
	}
	// 2. Calls between neighbouring samples, in the order of time.
	r.known, r.cut = make(map[sampled.Change]uint32), make(map[string]bool)
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	for _, s := range samples {
		changes, known := r.stacks.Sample(s.node)
		if !known {
			r.undefined(s.node)
		}
		if err := r.put(s.timeUs, changes); err != nil {
			return err
		}
	}
	// 3. What is open at the last sample ends with the profile, where that ends later.
	if n := len(samples); n > 0 {
		end := samples[n-1].timeUs
		if p.HasEnd && p.EndUs > end && p.EndUs <= farthest {
			end = p.EndUs
		}
		if err := r.put(end, r.stacks.End()); err != nil {
			return err
		}
	}
	return r.out.End()
}

// document takes the object of a profile.
func (r *reader) document(p *sampled.Profile) error {
	if err := p.Object(p.Member); err != nil {
		return err
	}
	if !p.HasNodes {
		return p.At(errors.New("expected nodes in the object of a profile"))
	}
	if p.Ticks > 0 {
		r.reading.Ledger.AddMany(schema.SkippedRecord.OfKind("positionTicks"), p.Ticks, p.At(errors.New("ticks by line")).Error)
	}
	if p.Kind() != jsontext.End {
		return r.reading.Bad(schema.BadRecord, p.At(errors.New("expected the end of the file behind the profile")))
	}
	return nil
}

// undefined counts a node that the profile names and does not have.
func (r *reader) undefined(id int64) {
	r.reading.Ledger.Add(schema.UndefinedToken, func() string { return fmt.Sprintf("%s: node %d", r.reading.Traces[0].Path, id) })
}

// farthest is the last microsecond of which the nanoseconds fit 64 bits.
const farthest = math.MaxInt64 / 1000

// timed returns the samples in the order of time.
func (r *reader) timed(p *sampled.Profile) ([]sample, error) {
	n := min(len(p.Samples), len(p.Deltas))
	if over := max(len(p.Samples), len(p.Deltas)) - n; over > 0 {
		fault := fmt.Errorf("expected as many samples as timeDeltas, which are %d and %d", len(p.Samples), len(p.Deltas))
		if r.reading.Strict {
			return nil, p.At(fault)
		}
		r.reading.Ledger.AddMany(schema.BadRecord, int64(over), p.At(fault).Error)
	}
	samples := make([]sample, 0, n)
	now := p.StartUs
	for i := range n {
		next := now + p.Deltas[i]
		// The sum may wrap in 64 bits of microseconds, and its nanoseconds may not fit; a negative delta is good in itself.
		if (next < now) != (p.Deltas[i] < 0) || next > farthest || next < -farthest || now > farthest || now < -farthest {
			r.reading.Ledger.AddMany(schema.UnsupportedTime, int64(n-i), p.At(errors.New("a time that does not fit")).Error)
			break
		}
		now = next
		samples = append(samples, sample{now, p.Samples[i]})
	}
	byTime := func(a, b sample) int {
		switch {
		case a.timeUs < b.timeUs:
			return -1
		case a.timeUs > b.timeUs:
			return 1
		}
		return 0
	}
	// Sorted is the rule; a stable sort keeps samples of one time in the order in which they were taken.
	if !slices.IsSortedFunc(samples, byTime) {
		slices.SortStableFunc(samples, byTime)
	}
	return samples, nil
}

// put gives out the calls that end and begin at a sample.
func (r *reader) put(timeUs int64, changes []sampled.Change) error {
	for _, c := range changes {
		key, known := r.known[c]
		if !known {
			key = r.key(r.stacks.Frame(c.Node), c.Kind)
			r.known[c] = key
		}
		if err := r.out.Put(timeUs*1000, key); err != nil {
			return err
		}
	}
	return nil
}

// key numbers what is said of a call: by script, or by process with the script beside the name where only that tells functions apart.
func (r *reader) key(f sampled.Frame, kind schema.Kind) uint32 {
	component, function := byProcess, f.Name()
	switch {
	case r.reading.Options.Component == byScript:
		component = r.name(f.Script())
	case f.Function == "": // the name of its script is all that tells it from others
		function += " " + f.Script()
	}
	return r.keys.Number(schema.EventKey{Component: component, Lifeline: lifeline, Function: r.name(function), Kind: kind, ExecutionType: sampled.Type})
}

// name makes a name of any text that a lake can have, and counts those that are cut, once each.
func (r *reader) name(text string) string {
	name, cut := textfield.Clean(text)
	if cut && !r.cut[text] {
		r.cut[text] = true
		r.reading.Ledger.Add(schema.CutName, func() string { return fmt.Sprintf("%s: %.40s...", r.reading.Traces[0].Path, name) })
	}
	return name
}
