package etf

import (
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// reader reads one text. Claims stand in any order and dependencies name claims by number, so both go through sorters: to
// their claims first, then to the order of starts.
// Memory grows with resources, names and labels, and with the claims that are open at one time.
type reader struct {
	given    *schema.Reading         // what it was given
	reading  *schema.Reading         // the same, with a ledger of its own while the text is read: see load
	trace    schema.Trace            // its only trace
	lines    *lines                  // nil before the text is opened
	s        statement               // the line in hand
	document                         // what the text says but for claims and dependencies
	texts    schema.Dictionary       // values of attributes, which functions and components are
	places   schema.Numbering[int64] // the identifiers of the resources that claims name, so that a record needs 32 bits
	doings   doings                  // what claims and events do, so that a record needs another 32
	labels   map[string]uint32       // by label: the mark of the sending end
	marks    []schema.MessageMark    // marks[0] is that of no message

	byClaim *extsort.Sorter[record] // claims and ends of dependencies, by claim
	byStart *extsort.Sorter[record] // the same, by start

	attributes attributeTable // of claims, events, resources, dependencies and signals
	signals    signals        // numbers over time, with their fragments

	callkeys.Table                // keys of enters, exits and messages
	taken          map[string]int // lifelines, with the last number given to others of their name
	out            output         // the block in hand
}

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.marks }

// Read implements schema.Reader. (1) The text is read, (2) dependencies are brought to their claims, (3) claims
// are brought into the order of their starts, (4) and every claim is given a lifeline on which it nests.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	if len(r.given.Traces) != 1 {
		return errors.New("an ETF trace is one file")
	}
	r.trace = r.given.Traces[0]
	err = r.load()                // (1)
	for errors.Is(err, errUnit) { // at most twice, for the unit and for the offset
		r.claims, r.timed, r.ofTrace, r.dependencies = 0, false, schema.NoAttributes, nil
		err = r.load()
	}
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, r.byStart.Close()); err != nil {
			err = errors.Join(err, r.signals.reset()) // their fragments are asked for only behind a reading without errors
		}
	}()
	r.given.Ledger.MergeLosses(r.reading.Ledger.Losses(""))
	r.reading = r.given
	r.attributes.finish()
	if err := r.join(); err != nil { // (2)
		return err
	}
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	p := player{reader: r, lanes: map[uint32]*lanes{}, open: newEnds(), waiting: map[int64][]point{}}
	if err := r.byStart.Each(p.take); err != nil { // (3), (4)
		return err
	}
	return p.finish()
}

// load reads the text into the sorters. Losses are kept apart, since the text may have to be read twice.
// On an error the sorters are closed here; otherwise they stay open for the steps behind.
func (r *reader) load() error {
	reading := *r.given
	reading.Ledger = new(schema.Ledger)
	r.reading = &reading
	text, err := r.trace.FS.Open(r.trace.Path)
	if err != nil {
		return err
	}
	defer text.Close()
	// Both sorters are full at once while claims go from one to the other.
	r.byClaim = extsort.NewSorter(byClaim, reading.Memory*2/5, reading.Scratch)
	r.byStart = extsort.NewSorter(byStart, reading.Memory*2/5, reading.Scratch)
	if err := r.readText(text); err != nil {
		return errors.Join(err, r.byClaim.Close(), r.byStart.Close(), r.signals.reset())
	}
	return nil
}

// join moves claims and events to the other sorter, and with each the ends of its dependencies, which get its times. A
// dependency of something that the trace lacks loses this end.
// The sorter puts a claim before the ends that name it, so one claim and one event in hand are enough.
func (r *reader) join() error {
	// Equal identifiers stand in a row: claims and events first, then the ends that name them.
	var at, moment record // the claim and the event in hand
	var found, happened bool
	err := r.byClaim.Pour(r.byStart, func(one *record) error {
		switch one.kind {
		case claim:
			if found && at.id == one.id {
				r.reading.Ledger.Add(schema.DuplicateDef, func() string {
					return fmt.Sprintf("%s: claim %d; dependencies are of the last one", r.trace.Path, one.id)
				})
			}
			at, found = *one, true
			return r.byStart.Add(at)
		case event:
			moment, happened = *one, true
			return r.byStart.Add(moment)
		}
		end, known := endAt(one, &at, found && at.id == one.id, &moment, happened && moment.id == one.id)
		if !known {
			r.reading.Ledger.Add(schema.UndefinedToken, func() string {
				return fmt.Sprintf("%s: a dependency of claim %d, which the trace does not have", r.trace.Path, one.id)
			})
			return nil
		}
		return r.byStart.Add(end)
	})
	err = errors.Join(err, r.byClaim.Close())
	r.byClaim = nil // and its memory
	return err
}

// endAt is the end of a dependency at the claim that it names. One of a type with events may be at either: at the event of
// its number, and else at the claim, where a dependency goes from the finish of one to the start of another.
func endAt(one, at *record, isClaim bool, moment *record, isEvent bool) (end record, known bool) {
	switch free := one.kind == sourcePoint || one.kind == targetPoint; { // of a type with events
	case free && isEvent:
		end = *moment
		end.kind = atEvent
	case free && isClaim && one.kind == sourcePoint:
		end = *at
		end.kind = finishPoint
	case free && isClaim:
		end = *at
		end.kind = startPoint
	case isClaim:
		end = *at
		end.kind = one.kind
	default:
		return end, false
	}
	end.what = one.what
	return end, true
}
