package otf1

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
)

// reader reads one trace.
type reader struct {
	reading *schema.Reading // what it was given
	trace   schema.Trace    // its only trace
	stub    string          // path without .otf

	*definitions
	naming
	clock
	messages
	output
	streams []*stream // of events, in the order of the master file
	// Each part holds what one question needs: names, times, messages, rows.
}

// newReader returns a reader that has read nothing.
func newReader(reading *schema.Reading) *reader {
	return &reader{
		reading: reading, trace: reading.Traces[0], definitions: newDefinitions(),
		messages: newMessages(), output: output{tables: tables{Table: callkeys.Table{Messages: true}}, marks: make([]schema.MessageMark, 1)},
	}
}

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.marks }

// Read implements schema.Reader.
func (r *reader) Read(emit func(full *schema.Block) (empty *schema.Block, err error)) error {
	// 1. Which streams there are, and what their numbers mean.
	ids, err := r.master()
	if err != nil {
		return err
	}
	if err := r.define(ids); err != nil {
		return err
	}
	// 2. All streams are open at once, since their events are merged by time.
	defer r.close()
	if err := r.openStreams(ids); err != nil {
		return err
	}
	r.naming = r.nameBy(r.reading.Options.Component, r.definitions)
	// 3. Time 0 is the earliest of all streams, so it must be known before the first row.
	if err := r.startClock(); err != nil {
		return err
	}
	if err := r.Begin(emit); err != nil {
		return err
	}
	if err := r.mergeStreams(); err != nil {
		return err
	}
	return r.End()
}

// define reads the definitions.
func (r *reader) define(ids []streamID) error {
	// Global definitions first: those of single streams only supplement them.
	global, err := r.readDefinitions(r.stub + ".0.def")
	if err != nil {
		return err
	}
	r.supplement = true
	local := false
	for _, id := range ids {
		found, err := r.readDefinitions(fmt.Sprintf("%s.%x.def", r.stub, id.number))
		if err != nil {
			return err
		}
		local = local || found
	}
	r.supplement = false
	// Streams of a local trace have clocks that nobody has related, so their times are of no use together.
	if !global && local {
		return fmt.Errorf("%s.0.def: there is none, only definitions of single streams: %s", r.stub, unify)
	}
	if r.resolution == 0 {
		return fmt.Errorf("%s.0.def: no timer resolution (DTR), without which times mean nothing", r.stub)
	}
	return nil
}

// unify is the advice for a local trace, whose streams are not in one time.
const unify = "this is a local trace of VampirTrace, whose processes do not share a clock yet; make it whole with vtunify"
