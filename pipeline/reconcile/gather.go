package reconcile

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// collected is the result of the first reading of a unit.
// Its first part is what ordering needs; the rest is only used while the unit is read.
type collected struct {
	unit       *reconciliation.Unit // its events that matter
	components []string
	lifelines  []string
	executed   []string // COMPONENT.FUNCTION of all events, sorted, for suggestions
	labels     []string // of messages, for suggestions

	messages   bool
	rules      []binding   // bindings that may concern it
	byFunction [][]binding // by function code: bindings
	series     schema.Dictionary
	seriesCode []uint32                // by series code of the events
	bySeries   [][]binding             // by series
	byLabel    [][]binding             // by code of the events' labels
	pairs      map[[2]schema.Code]bool // components and functions of the events
	last       [2]schema.Code          // of pairs
	count      [][3]int64              // ends of messages so far, by series and direction
	names      *schema.Names           // of the events
	position   int64                   // of the next event
	bySeq      bool                    // positions are sequence numbers
}

// collectUnit reads one unit for what the bindings and the messages need of it, and hands that to the last task.
func collectUnit(t *pipeline.Task) error {
	var o Options
	if err := t.Options(&o); err != nil {
		return err
	}
	list, err := o.allBindings()
	if err != nil {
		return err
	}
	number, _ := t.Slice()
	u := o.Units[number]
	// 1. The bindings that name this unit, or none.
	c := &collected{unit: &reconciliation.Unit{Name: u.Name}, messages: o.Messages, pairs: make(map[[2]schema.Code]bool)}
	for _, b := range list {
		if b.unit == "" || b.unit == u.Name {
			c.rules = append(c.rules, b)
		}
	}
	// 2. One pass over its events, chunk by chunk.
	ev := schema.NewEvents()
	err = t.Lake().ScanEvents(t.Context(), u.Run, ev, lake.ScanOptions{Meter: t.Progress()}, func() error {
		c.addChunk(ev)
		return nil
	})
	if err != nil {
		return fmt.Errorf("unit %s: %w", u.Name, err)
	}
	c.keepNames()
	return c.stage(t)
}

// addChunk records the events of a chunk that matter. Inserted events have no position.
func (c *collected) addChunk(ev *schema.Events) {
	c.names = ev.Names
	// Dictionaries grow from chunk to chunk; rules of a function are looked up once, when it appears.
	for len(c.byFunction) < ev.Names.Functions.Len() {
		c.byFunction = append(c.byFunction, c.rulesOf(ev.Names.Functions.Name(uint32(len(c.byFunction)))))
	}
	for i, synthetic := range ev.Synthetic {
		// An event that the ingest invented is in no trace, and the second reading skips it too.
		if synthetic {
			continue
		}
		if c.bySeq {
			c.position = ev.Seq[i]
		}
		c.note(ev.Component[i], ev.Function[i])
		for _, b := range c.rules {
			if b.any {
				c.unit.Tick(b.clock, c.unit.Event(c.position, ev.TimeNs[i]))
			}
		}
		for _, b := range c.byFunction[ev.Function[i]] {
			if b.kind == ev.Kind[i] && (b.component == "" || matches(b.component, ev.Names.Components.Name(ev.Component[i]))) {
				c.unit.Tick(b.clock, c.unit.Event(c.position, ev.TimeNs[i]))
			}
		}
		if d := ev.Direction[i]; d != schema.NoMessage {
			c.end(ev, i, d)
		}
		c.position++
	}
}

// note remembers which function ran in which component. Events of one function often follow each other.
func (c *collected) note(component, function schema.Code) {
	pair := [2]schema.Code{component, function}
	if pair == c.last && len(c.pairs) > 0 {
		return
	}
	c.last = pair
	c.pairs[pair] = true
}

// rulesOf returns the bindings to a function.
func (c *collected) rulesOf(function string) (list []binding) {
	for _, b := range c.rules {
		if b.direction == schema.NoMessage && !b.any && matches(b.function, function) {
			list = append(list, b)
		}
	}
	return list
}

// end notes an end of a message.
func (c *collected) end(ev *schema.Events, i int, d schema.Direction) {
	// The n-th sending and the n-th receipt of a series are occurrences of two clocks.
	s := c.seriesOf(ev, i)
	c.count[s][d]++
	for _, b := range c.bySeries[s] {
		if b.direction == d {
			c.unit.Tick(b.clock, c.unit.Event(c.position, ev.TimeNs[i]))
		}
	}
	if label := ev.Message[i]; label != schema.NoCode {
		name := c.unit.Series[s]
		for _, b := range c.rulesOfLabel(ev, label) {
			if b.direction == d && !matches(b.series, name) { // of which it has not ticked already
				c.unit.Tick(b.clock, c.unit.Event(c.position, ev.TimeNs[i]))
			}
		}
	}
	// Without --messages only bound series matter.
	if c.messages {
		c.unit.Ends = append(c.unit.Ends, reconciliation.End{
			ID: ev.MessageID[i], Nth: c.count[s][d], Event: c.unit.Event(c.position, ev.TimeNs[i]), Series: s, Direction: d,
		})
	}
}

// seriesOf is the code of a message's series; one without a series has the empty one.
func (c *collected) seriesOf(ev *schema.Events, i int) uint32 {
	// The codes of the unit differ from those of its events, because a series may be missing there.
	code := ev.Series[i]
	if code == schema.NoCode {
		return c.internSeries("")
	}
	for len(c.seriesCode) <= int(code) {
		c.seriesCode = append(c.seriesCode, c.internSeries(ev.Names.Series.Name(uint32(len(c.seriesCode)))))
	}
	return c.seriesCode[code]
}

// rulesOfLabel returns the bindings to the label of a message. Each label is looked up once, when it appears.
func (c *collected) rulesOfLabel(ev *schema.Events, label schema.Code) []binding {
	for len(c.byLabel) <= int(label) {
		name := ev.Names.Messages.Name(schema.Code(len(c.byLabel)))
		var list []binding
		for _, b := range c.rules {
			if b.direction != schema.NoMessage && matches(b.series, name) {
				list = append(list, b)
			}
		}
		c.byLabel = append(c.byLabel, list)
	}
	return c.byLabel[label]
}

// internSeries returns the position of a series among those of the unit, a new one with its bindings if
// it was not seen before.
func (c *collected) internSeries(name string) uint32 {
	code := c.series.Code(name)
	if int(code) == len(c.bySeries) {
		var list []binding
		for _, b := range c.rules {
			if b.direction != schema.NoMessage && matches(b.series, name) {
				list = append(list, b)
			}
		}
		c.bySeries, c.count = append(c.bySeries, list), append(c.count, [3]int64{})
		c.unit.Series = append(c.unit.Series, name)
	}
	return code
}

// keepNames keeps the names of components and lifelines and releases the dictionaries.
func (c *collected) keepNames() {
	if c.names == nil {
		return
	}
	c.components, c.lifelines, c.labels = namesOf(&c.names.Components), namesOf(&c.names.Lifelines), namesOf(&c.names.Messages)
	for pair := range c.pairs {
		c.executed = append(c.executed, c.names.Components.Name(pair[0])+"."+c.names.Functions.Name(pair[1]))
	}
	slices.Sort(c.executed)
	// The dictionaries of a long trace may be large, and the merge makes its own.
	c.names = nil
}

// namesOf returns the names of a dictionary by code.
func namesOf(d *schema.Dictionary) []string {
	names := make([]string, d.Len())
	for i := range names {
		names[i] = d.Name(uint32(i))
	}
	return names
}
