package chrome

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/sampled"
)

// profiles are the profiles of V8 in a trace: an event Profile, which says whose stack is sampled, and events ProfileChunk of
// the same id with parts of the tree and the samples. Their calls are played like begins and ends of events, on a thread of their own
// beside that which was sampled, whose calls they overlap. Memory grows with the nodes of the trees.
type profiles struct {
	*reader
	list  []*profiled
	known map[profileID]*profiled
}

// profileID is what the events of one profile have in common.
type profileID struct {
	id  uint64
	pid word
}

// profiled is a profile under way.
type profiled struct {
	stacks   *sampled.Stacks
	pid, tid word
	cat      word
	nowUs    int64 // of the last sample
	endUs    int64
}

// samplesOf is what a thread of sampled calls is called, behind the name of the thread.
const samplesOf = "samples"

// isProfile reports whether the event in hand is one of a profile.
func (r *reader) isProfile() bool {
	e := &r.event
	return e.phase == 'P' && e.hasArgs && e.hasID && (e.name == r.profileWords[0] || e.name == r.profileWords[1])
}

// take takes the event in hand, with the part of a profile in its arguments.
func (p *profiles) take() error {
	if err := p.args.judge(); err != nil {
		return err
	}
	e, chunk := &p.event, &p.args.profile
	id := profileID{e.id, e.pid}
	of := p.known[id]
	if of == nil {
		of = &profiled{stacks: sampled.New(), pid: e.pid, cat: e.cat}
		of.tid = p.words.of([]byte(p.words.texts[e.tid] + " " + samplesOf))
		p.names.parts[of.tid] = part{e.tid, p.words.of([]byte(samplesOf))}
		p.known[id], p.list = of, append(p.list, of)
	}
	if chunk.HasStart && e.name == p.profileWords[0] {
		of.nowUs = chunk.StartUs
	}
	if chunk.HasEnd {
		of.endUs = chunk.EndUs
	}
	of.stacks.Add(chunk.Nodes, p.undefined)
	if n := len(chunk.Samples); n != len(chunk.Deltas) {
		p.reading.Ledger.Add(schema.BadRecord, p.counted)
	}
	for i := range min(len(chunk.Samples), len(chunk.Deltas)) {
		next := of.nowUs + chunk.Deltas[i]
		if next > farthestUs || next < -farthestUs || (next < of.nowUs) != (chunk.Deltas[i] < 0) {
			p.reading.Ledger.Add(schema.UnsupportedTime, p.counted)
			return nil
		}
		// A sample may be older than the one before it by the time it took to write it; they keep their order.
		of.nowUs = max(next, of.nowUs)
		changes, known := of.stacks.Sample(chunk.Samples[i])
		if !known {
			p.undefined(chunk.Samples[i])
		}
		if err := p.add(of, changes); err != nil {
			return err
		}
	}
	return nil
}

// farthestUs is the last microsecond of which the nanoseconds fit 64 bits.
const farthestUs = never/1000 - 1

// undefined counts a node that a profile names and does not have.
func (p *profiles) undefined(id int64) {
	p.reading.Ledger.Add(schema.UndefinedToken, func() string { return fmt.Sprintf("%s, node %d", p.position(), id) })
}

// end ends all calls that are open at the last samples.
func (p *profiles) end() error {
	for _, of := range p.list {
		if of.nowUs = max(of.nowUs, of.endUs); of.nowUs <= farthestUs {
			if err := p.add(of, of.stacks.End()); err != nil {
				return err
			}
		}
	}
	return nil
}

// add gives the begins and ends of calls at a sample to the sorter.
func (p *profiles) add(of *profiled, changes []sampled.Change) error {
	for _, c := range changes {
		f := of.stacks.Frame(c.Node)
		name := f.Name()
		if f.Function == "" { // the name of its script is all that tells it from others
			name += " " + f.Script()
		}
		known := p.words.of([]byte(name))
		rec := record{timeNs: of.nowUs * 1000, site: p.sites.of(spot{of.pid, of.tid, known, of.cat, known, schema.NoAttributes}), what: begin}
		t := &p.sites.tracks[p.sites.list[rec.site].track]
		if t.isSampled = true; c.Kind == schema.Exit {
			rec.what = end
		} else {
			t.lastBegin = max(t.lastBegin, rec.timeNs)
		}
		if err := p.sort(rec); err != nil {
			return err
		}
	}
	return nil
}
