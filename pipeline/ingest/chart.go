package ingest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// addPieces takes the parsed pieces in order. The first ones are kept until the buckets of the components are
// known. Read waits until the trace is read.
func (in *intake) addPieces(ctx context.Context, inOrder <-chan *piece, read func() error) (*wellformed.Outcome, error) {
	var first []*piece
	var seen int
	for p := range inOrder {
		if err := p.await(ctx); err != nil {
			return nil, err
		}
		if err := in.countNames(p); err != nil {
			return nil, err
		}
		// Once the buckets are known, every piece goes straight into the chart.
		if in.builder != nil {
			if err := in.add(p); err != nil {
				return nil, err
			}
			continue
		}
		// Before that, pieces wait until they show enough of the components. They hold memory of up to
		// placementBytes.
		for _, q := range first {
			if q.parser == p.parser {
				q.keys, q.marks = p.keys, p.marks // they only grow: the older tables are the beginning of these
			}
		}
		first = append(first, p)
		seen += p.weight()
		in.forgetText(p)
		if seen >= placementBytes {
			if err := in.begin(first, bucketsFor(in.bytes)); err != nil {
				return nil, err
			}
			first = nil // it would keep their blocks in memory to the end
		}
	}
	// The channel is closed, so reading has ended: by the end of the trace or by an error, which counts before
	// whatever the chart lacks.
	if err := read(); err != nil {
		return nil, err
	}
	if in.archive != nil {
		in.ledger.MergeLosses(in.archive.ledger.Losses(""))
	}
	// The whole trace was shorter than the beginning that placement looks at: one bucket holds it.
	if in.builder == nil {
		if err := in.begin(first, 1); err != nil {
			return nil, err
		}
	}
	if in.moved != nil {
		if err := in.moved.play(filepath.Base(in.Paths[0])); err != nil {
			return nil, err
		}
	}
	if in.builder.Events() == 0 && (in.things == nil || in.things.Fragments == nil) {
		in.builder.TellLosses()
		return nil, in.noEvents()
	}
	return in.builder.Finish(), nil
}

// noEvents says why a trace of a known format came to nothing: its first bad line, if it has one.
func (in *intake) noEvents() error {
	text := strings.Join(in.Paths, " ") + ": no events"
	if in.lines > 0 { // what is no text has none
		text += fmt.Sprintf(" in %d lines", in.lines)
	}
	for _, loss := range in.ledger.Losses("") {
		text += "; the first fault is " + loss.FirstPosition
		break
	}
	return errors.New(text)
}

// begin places the components of the first pieces in buckets and adds these pieces.
// The placement follows from the first pieces alone, so the number of workers does not change it. Only keys with
// events count: a parser may number keys that its block does not use.
func (in *intake) begin(first []*piece, buckets int) error {
	busy := newWorkload()
	// Of one bucket there is nothing to choose.
	for i := 0; i < len(first) && buckets > 1; i++ {
		busy.count(first[i].block.Key, first[i].keys)
	}
	in.places = place(busy, buckets, in.derived == nil)
	in.store.groups = groupsFor(buckets)
	in.builder = wellformed.New(in.chartOptions(), buckets, in.store.groups, in.places.of, in.store, &in.ledger)
	in.builder.Expect(in.early)
	in.prepareClocks()
	in.store.builder = in.builder
	if in.things != nil {
		if of := in.archive.reader.(schema.AttributeReader).Attributed(); of != nil {
			in.things.begin(of)
		} else {
			in.things = nil
		}
	}
	for i, p := range first {
		if err := in.add(p); err != nil {
			return err
		}
		first[i] = nil // the rows of the chart take the place of the pieces
	}
	return nil
}

// chartOptions are the decisions of the chart. The words of the options were checked by the command.
func (in *intake) chartOptions() wellformed.Options {
	direct := in.Callbacks == "ignore" || in.Callbacks != "infer" && in.format.AllTraced
	return wellformed.Options{Discard: in.Incomplete == "discard", Insert: in.Untraced == "insert", Direct: direct, ReorderNs: in.ReorderNs}
}

// add adds one piece and gives its memory back.
// Line numbers continue over the pieces of one file and begin anew in the next file. Lines of the header count.
func (in *intake) add(p *piece) error {
	if in.archive != nil {
		in.lines += int64(len(p.block.Key))
		err := in.addBlock(p, 0)
		p.forgetNames()
		in.blocks.put(p)
		return err
	}
	firstLine := in.line[p.file] + p.header + 1
	in.line[p.file] = firstLine - 1 + p.block.Lines
	in.lines += p.block.Lines + p.header
	if err := in.lose(p, firstLine); err != nil {
		return err
	}
	if err := in.addBlock(p, firstLine); err != nil {
		return err
	}
	p.forgetNames()
	// A piece that holds a whole file is too large to keep for others, and one without memory for a text of no use.
	if !p.whole && p.data != nil {
		in.pieces.put(p)
	}
	return nil
}

// forgetText gives the memory for the text of a piece back, of which the block is there and waits: the texts of all that wait would take as
// much memory as their blocks.
func (in *intake) forgetText(p *piece) {
	if p.data != nil && in.archive == nil && !p.whole {
		in.pieces.put(&piece{data: p.data[:0]})
	}
	p.data = nil
}

// addBlock adds the block of a piece; firstLine is 0 where the trace has no lines.
// The source is updated first, as the block may use keys that its parser has only just numbered. Positions name
// the file without its folder.
func (in *intake) addBlock(p *piece, firstLine int64) error {
	s := &in.sources[p.parser]
	if in.moved != nil {
		return in.moved.take(p)
	}
	s.Update(p.keys, p.marks)
	in.builder.Add(&p.block, s, filepath.Base(p.file), firstLine)
	if len(p.block.Claims)+len(p.block.Ends) > 0 {
		return in.things.take(&p.block, in.builder.Seqs())
	}
	return nil
}

// nameBytes is about what a key takes in the tables of its parser and of the chart, with its names: measured with a million
// functions in twenty components.
const nameBytes = 400

// countNames ends an ingest whose names do not fit into the memory, as soon as they are read: names may take three quarters of the
// memory, of which Job.Memory is one.
func (in *intake) countNames(p *piece) error {
	if in.numbered == nil {
		in.numbered = make([]int, len(in.sources))
	}
	in.names += max(p.keys.Len()-in.numbered[p.parser], 0) // pieces of one parser may come in another order than it had them
	in.numbered[p.parser] = max(p.keys.Len(), in.numbered[p.parser])
	if most := 3 * in.Memory; most <= 0 || int64(in.names)*nameBytes <= most {
		return nil
	}
	what := fmt.Sprintf("%d different enters and exits so far", in.names)
	err := &memory.ExceededError{What: what, Budget: 4 * in.Memory, Needs: 2 * int64(in.names) * nameBytes}
	return fmt.Errorf("%s: %w", strings.Join(in.Paths, " "), err)
}

// lose counts the bad lines of a piece; strict makes the first one an error.
// A chart that cannot exist, such as an event that waits for itself, is an error even without --strict: nothing
// sensible could be built of it.
func (in *intake) lose(p *piece, firstLine int64) error {
	if at := p.block.Broken; at != nil {
		return &schema.SyntaxError{File: p.file, Line: at.Line + firstLine, Col: at.Col, Err: at.Err}
	}
	for _, d := range p.defects() {
		at := d.First
		at.File, at.Line = p.file, at.Line+firstLine
		if in.Strict {
			return fmt.Errorf("%w (--strict)", &at)
		}
		at.File = filepath.Base(p.file) // a lake does not depend on where the trace lay
		in.ledger.AddMany(d.reason, d.Count, at.Error)
	}
	return nil
}
