package chrome

import (
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// takeEvent reads an event into the sorter.
func (r *reader) takeEvent() error {
	if err := r.next(); err != nil {
		return err
	}
	e := &r.event
	if e.phase == 0 && e.wrong == nil {
		e.wrong = errors.New("expected ph in an event")
	}
	if e.wrong != nil {
		return r.reading.Bad(schema.BadRecord, r.At(e.wrong))
	}
	rec := record{what: phases[e.phase]}
	switch rec.what {
	case unknown:
		r.reading.Ledger.Add(schema.UnknownRecord, r.counted)
		return nil
	case skipped:
		r.reading.Ledger.Add(schema.SkippedRecord, r.counted)
		return nil
	case metadata:
		r.names.define(e, r.words, r.reading.Ledger, r.counted)
		return nil
	}
	if !e.hasTs {
		return r.reading.Bad(schema.BadRecord, r.At(fmt.Errorf("expected ts in an event of phase %c", e.phase)))
	}
	return r.add(rec)
}

// add gives an event with a time to the sorter.
func (r *reader) add(rec record) error {
	e := &r.event
	rec.timeNs = e.ts.ns
	switch rec.what {
	case complete:
		if !e.hasDur {
			r.reading.Ledger.Add(schema.MissingDuration, r.counted)
			return nil
		}
		if e.dur.ns < 0 {
			r.reading.Ledger.Add(schema.NegativeDuration, r.counted)
			return nil
		}
		last, ok := e.ts.plus(e.dur)
		e.overflow = e.overflow || !ok || last.ns == never
		rec.more = last.ns - e.ts.ns
	case asyncBegin, asyncEnd, asyncInstant:
		rec.more = int64(e.asyncID())
	case send, forward, receiveNext:
		rec.more = int64(e.flowID())
		if e.enclosing && rec.what == receiveNext {
			rec.what = receive
		}
	}
	if e.overflow {
		r.reading.Ledger.Add(schema.UnsupportedTime, r.counted)
		return nil
	}
	rec.site = r.sites.of(spot{e.pid, e.tid, e.name, e.cat})
	if rec.what == begin || rec.what == complete {
		t := &r.sites.tracks[r.sites.list[rec.site].track]
		t.lastBegin = max(t.lastBegin, rec.timeNs)
	}
	return r.sorter.Add(rec)
}
