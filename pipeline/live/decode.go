package live

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tracelake/tracelake/schema"
)

// Reading says how the bytes of a trace are understood while they come.
type Reading struct {
	File    string // the name of the trace
	Detect  func(file string, head []byte) (schema.Format, error)
	Options schema.ReadingOptions
	Map     func(schema.EventKey) schema.EventKey // gives functions to other components; nil leaves them
	Say     func(sentence string)                 // takes what the user is told
	Source  int                                   // which it is of several, from 0
	Unit    string                                // the name that stands before those of its components where each trace of a run is a unit of its own; "" of one alone
}

// Decoder makes a view of the bytes of a trace.
type Decoder struct {
	Reading
	view    *View
	chart   chart
	parser  schema.Parser
	lines   bool   // the parser takes whole lines only
	rest    []byte // of a line that is not whole; of the head
	header  []byte // of the lines
	block   schema.Block
	decided bool // the format is known, or will never be
	format  string
	bad     int64
}

const (
	enoughHead = 1 << 16 // bytes that show the format, if anything does
	mostLine   = 1 << 20 // bytes of a line; a longer one is left out
)

// NewDecoder returns a decoder that writes into a view.
func NewDecoder(v *View, r Reading) *Decoder {
	return &Decoder{Reading: r, view: v, chart: chart{view: v, of: r.Map, source: r.Source}}
}

// Take takes the next bytes, which arrived at a time. A format that shows only when the trace is whole is told once.
func (d *Decoder) Take(p []byte, came time.Time) error {
	d.view.turn.Lock()
	defer d.view.turn.Unlock()
	if !d.decided {
		d.rest = append(d.rest, p...)
		if p = d.detect(); p == nil {
			return d.view.Flush(came)
		}
	}
	if d.parser == nil {
		return d.view.Flush(came)
	}
	if d.lines {
		p = d.wholeLines(p)
	}
	d.block.Reset()
	d.parser.Parse(p, &d.block)
	d.release(came)
	d.bad += d.block.Bad.Count + d.block.Overflow.Count
	d.chart.add(&d.block, d.parser.Keys(), d.parser.Marks())
	return d.view.Flush(came)
}

// detect looks at what is there for a format. It returns what is to be parsed, or nil.
func (d *Decoder) detect() []byte {
	head := d.rest[:min(len(d.rest), enoughHead)]
	if len(head) < 64 && bytes.IndexByte(head, '\n') < 0 {
		return nil
	}
	format, err := d.Detect(d.File, head)
	if err != nil {
		if len(d.rest) >= enoughHead {
			d.decided, d.rest = true, nil
			d.Say(fmt.Sprintf("%v; it is recorded, but does not show before it ends", err))
		}
		return nil
	}
	d.decided, d.format = true, format.Name
	if d.view.format == "" {
		d.view.format = format.Name
	} else if d.view.format != format.Name {
		d.Say(fmt.Sprintf("it is a %s trace, and another source of the run a %s trace, of which no one run is made when they end: record them as two runs",
			format.Name, d.view.format))
	}
	if format.NewReader != nil && !format.Several { // as pipeline/ingest does with several traces
		d.chart.unit = d.Unit
	}
	all := d.rest
	d.rest = nil
	switch {
	case format.NewGrowing != nil:
		d.parser = format.NewGrowing(d.Options)
	case format.NewParser != nil && !format.Whole:
		d.parser, d.lines = format.NewParser(), true
		d.header = slices.Clone(all[:min(format.Header, len(all))])
		all = all[len(d.header):]
	default:
		d.Say("a trace of the format " + format.Name + " is recorded as it comes, but does not show before it ends")
		return nil
	}
	return all
}

// wholeLines returns the lines that are whole, and keeps the rest.
func (d *Decoder) wholeLines(p []byte) []byte {
	n := bytes.LastIndexByte(p, '\n') + 1
	if n == 0 {
		if d.rest = append(d.rest, p...); len(d.rest) > mostLine {
			d.rest = d.rest[:0] // what follows is a bad line
		}
		return nil
	}
	whole := append(d.rest, p[:n]...)
	d.rest = append([]byte(nil), p[n:]...)
	return whole
}

// Border is how many bytes at the end of what was taken are no whole record yet, so that the trace may be cut before these; false where it
// cannot be cut now.
func (d *Decoder) Border() (pending int, can bool) {
	if d.parser == nil || d.lines {
		return len(d.rest), d.parser != nil
	}
	if p, is := d.parser.(schema.Divisible); is {
		pending = p.Pending()
		return pending, pending >= 0
	}
	return 0, false
}

// Whole reports whether the trace can never be cut, since only the whole of it can be read, and its format, "" where that is not known.
func (d *Decoder) Whole() (format string, is bool) {
	_, divisible := d.parser.(schema.Divisible)
	return d.format, d.decided && !d.lines && !divisible
}

// Preamble is what a trace needs that begins at the border.
func (d *Decoder) Preamble() []byte {
	if p, is := d.parser.(schema.Divisible); is {
		return p.Preamble()
	}
	return d.header
}

// Open is how many calls run.
func (d *Decoder) Open() (n int64) {
	d.view.turn.Lock()
	defer d.view.turn.Unlock()
	for _, lane := range d.view.machine.Lanes {
		n += int64(len(lane))
	}
	return n
}

// Shown is how many bytes the view has.
func (d *Decoder) Shown() int64 {
	d.view.turn.Lock()
	defer d.view.turn.Unlock()
	return d.view.names.end + d.view.calls.end + d.view.seconds.end
}

// Idle says that nothing came.
func (d *Decoder) Idle(now time.Time) error {
	d.view.turn.Lock()
	defer d.view.turn.Unlock()
	d.block.Reset()
	if d.release(now) {
		d.chart.add(&d.block, d.parser.Keys(), d.parser.Marks())
	}
	return d.view.Flush(now)
}

// release takes what the parser has held back for long enough; false if it holds nothing back.
func (d *Decoder) release(now time.Time) bool {
	p, is := d.parser.(schema.Waiting)
	if is {
		p.Release(now, &d.block)
	}
	return is
}

// Bad is how many lines and records could not be read. The run that is made of the recording counts them, with their places.
func (d *Decoder) Bad() int64 { return d.bad }

// Refused is how many events do not show, since names are too many. The run that is made of the recording has them.
func (d *Decoder) Refused() int64 {
	d.view.turn.Lock()
	defer d.view.turn.Unlock()
	return d.view.Refused
}

// Show begins the view of a recording, and shows what is recorded already.
func (r *Recording) Show(reading Reading) (*Decoder, error) {
	all, err := ShowParts(r.dir, []*Recording{r}, []Reading{reading})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// ShowParts begins the view of the recordings of several sources in the folder of their run, and shows what is recorded already, in the order in
// which it came.
func ShowParts(dir string, parts []*Recording, readings []Reading) (all []*Decoder, err error) {
	v, err := NewView(dir)
	if err != nil {
		return nil, err
	}
	next := make([]block, len(parts)) // of each part the block that is not shown yet
	at := make([]int64, len(parts))   // its number
	shown := make([]int64, len(parts))
	for i, r := range parts {
		all = append(all, NewDecoder(v, readings[i]))
		if next[i], err = r.blockToShow(0); err != nil {
			return nil, errors.Join(err, v.Close())
		}
	}
	var piece []byte
	for {
		first := -1
		for i, b := range next {
			if b.end > shown[i] && (first < 0 || b.came.Before(next[first].came)) {
				first = i
			}
		}
		if first < 0 {
			return all, nil
		}
		r, b := parts[first], next[first]
		piece = slices.Grow(piece[:0], int(b.end-shown[first]))[:b.end-shown[first]]
		_, err = r.trace.ReadAt(piece, shown[first])
		if err == nil {
			err = all[first].Take(piece, time.Now())
		}
		at[first]++
		shown[first] = b.end
		if err == nil {
			next[first], err = r.blockToShow(at[first])
		}
		if err != nil {
			return nil, errors.Join(err, v.Close())
		}
	}
}

// blockToShow is a block of the recording; behind the last one it is empty.
func (r *Recording) blockToShow(i int64) (block, error) {
	b, _, err := r.blockAt(i)
	return b, eof(err)
}

// Close closes the view.
func (d *Decoder) Close() error { return d.view.Close() }
