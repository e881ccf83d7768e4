package otf2

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// Bounds of the memory for one file of events.
const (
	leastWindow = 1 << 12
	mostWindow  = 1 << 17
)

// reader reads one archive.
type reader struct {
	reading   *schema.Reading // what it was given
	trace     schema.Trace    // its only trace: the anchor file
	folder    string          // of the files of the locations
	anchor    anchor          // what the anchor file says
	clock     clock           // of the archive
	names     *names          // nil before the definitions are read
	calls     callkeys.Table  // with the messages of calls
	exchanges *exchanges      // nil likewise
	streams   []*stream       // a location each, in the order of their definitions
	files     []*chunks       // that are open
	window    int             // bytes of a file to read at once
	out       blocks.Output   // the block in hand
	measures  measures        // metrics, and how long messages are
}

// newReader returns a reader that has read nothing.
func newReader(r *schema.Reading) *reader {
	out := &reader{reading: r, calls: callkeys.Table{Messages: true}}
	out.measures.init(r)
	return out
}

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return r.calls.Keys() }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark {
	if r.exchanges == nil {
		return []schema.MessageMark{{}}
	}
	return r.exchanges.marks
}

// Read implements schema.Reader. (1) The anchor file says how the others are divided, (2) the global definitions
// what things are called, (3) every location has a stream of events, (4) and the streams are merged by their
// true time.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	defer r.closeFiles()
	defer func() {
		if err != nil { // signals are asked for only behind a reading without errors
			err = errors.Join(err, r.measures.values.Close())
		}
	}()
	if err := r.readDefinitionFiles(); err != nil { // (1), (2)
		return err
	}
	if err := r.openStreams(); err != nil { // (3)
		return err
	}
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	if err := r.mergeStreams(); err != nil { // (4)
		return err
	}
	for _, s := range r.streams {
		if err := s.tellMissing(); err != nil {
			return err
		}
		s.skipped.tell(r.reading.Ledger, schema.SkippedRecord, s.name)
		s.unknown.tell(r.reading.Ledger, schema.UnknownRecord, s.name)
		r.measures.values.Until(s.ns)
	}
	r.measures.tags.Tell(r.reading.Ledger)
	return r.out.End()
}

// readDefinitionFiles reads the anchor file and the global definitions.
func (r *reader) readDefinitionFiles() (err error) {
	if len(r.reading.Traces) != 1 {
		return errors.New("an OTF2 trace is one archive")
	}
	r.trace = r.reading.Traces[0]
	// NAME.otf2, NAME.def and the folder NAME with a file for each location.
	r.folder = strings.TrimSuffix(r.trace.Path, path.Ext(r.trace.Path))
	if r.anchor, err = readAnchor(r.trace.FS, r.trace.Path); err != nil {
		return err
	}
	r.window = mostWindow
	file := r.folder + ".def"
	c, err := r.openFile(file, r.anchor.definitionChunk)
	if err != nil {
		return err
	}
	d, err := r.readDefinitions(c)
	if err != nil {
		return err
	}
	if r.clock = d.clock; r.clock.resolution == 0 {
		return &schema.SyntaxError{File: file, Err: errors.New("the trace does not say how long a tick of its clock is")}
	}
	r.names = &names{definitions: d, undefined: r.undefined}
	r.exchanges = newExchanges(r.names)
	r.names.choose(r.reading.Options.Component)
	return nil
}

// undefined counts something that the definitions do not have.
func (r *reader) undefined(what string, id uint64) {
	r.reading.Ledger.Add(schema.UndefinedToken, func() string {
		return fmt.Sprintf("%s.def: no %s %d", r.folder, what, int64(id))
	})
}

// openStreams opens the events of all locations and reads their local definitions.
func (r *reader) openStreams() error {
	locations := r.locations()
	// Half of the memory is for what the readers of files hold; local definitions are read before their events.
	r.window = int(min(mostWindow, max(leastWindow, r.reading.Memory/int64(4*len(locations)+1))))
	taken := map[string]bool{}
	for _, id := range locations {
		if err := r.openStream(id, taken); err != nil {
			return err
		}
	}
	return nil
}

// openStream opens the events of a location; taken holds the lifelines so far.
func (r *reader) openStream(id uint64, taken map[string]bool) error {
	l := r.names.definitions.locations[id]
	base := path.Join(r.folder, strconv.FormatUint(id, 10))
	s := &stream{r: r, id: id, far: map[uint64]uint32{}, process: r.names.process(l)}
	s.lifeline = unique(s.process+"/"+r.names.thread(id, l), taken)
	var err error
	if s.local, err = r.openLocal(base + ".def"); err != nil {
		return err
	}
	s.chunks, err = r.openFile(base+".evt", r.anchor.eventChunk)
	if errors.Is(err, fs.ErrNotExist) {
		return r.missing(l.events, 0, &schema.SyntaxError{File: base + ".evt", Err: fmt.Errorf("location %s: %w", s.lifeline, fs.ErrNotExist)})
	}
	r.streams = append(r.streams, s)
	return err
}

// missing counts the events that a location has by its definition and not in its file, which says nothing of more than these.
func (r *reader) missing(defined, there uint64, at *schema.SyntaxError) error {
	if defined <= there {
		return nil
	}
	if err := r.reading.Bad(schema.MissingRecord, at); err != nil {
		return err
	}
	if more := defined - there - 1; more > 0 {
		r.reading.Ledger.AddMany(schema.MissingRecord, int64(min(more, 1<<62)), at.Error)
	}
	return nil
}

// openLocal reads a file of local definitions. A location need not have one.
func (r *reader) openLocal(file string) (*local, error) {
	c, err := r.openFile(file, r.anchor.definitionChunk)
	if errors.Is(err, fs.ErrNotExist) {
		return new(local), nil
	}
	if err != nil {
		return nil, err
	}
	defer r.closeFile(c)
	return r.readLocal(c)
}

// locations are those that are defined, in this order, and behind them those that have events nonetheless.
func (r *reader) locations() []uint64 {
	d := r.names.definitions
	all := slices.Clone(d.order)
	files, err := fs.ReadDir(r.trace.FS, r.folder)
	if err != nil {
		return all // opening the files will say what is wrong
	}
	for _, file := range files {
		number, events := strings.CutSuffix(file.Name(), ".evt")
		id, err := strconv.ParseUint(number, 10, 64)
		if _, defined := d.locations[id]; !events || err != nil || defined {
			continue
		}
		r.undefined("location", id)
		d.locations[id] = location{undefined, 0, undefined}
		all = append(all, id)
	}
	return all
}

// mergeStreams plays the streams by the time of their events; of equal times the location goes first that was defined
// first.
func (r *reader) mergeStreams() error {
	heads := make([]int64, len(r.streams))
	// Each stream reads up to its first time, whose event comes next.
	for i, s := range r.streams {
		s.ticks = leastTicks
		if err := s.runUntil(leastTicks); err != nil {
			return err
		}
		heads[i] = s.ticks
	}
	tournament := extsort.NewTournament(heads)
	for {
		i, until := tournament.Min()
		if i < 0 {
			return nil
		}
		if err := r.streams[i].runUntil(until); err != nil {
			return err
		}
		tournament.Update(r.streams[i].ticks)
	}
}
