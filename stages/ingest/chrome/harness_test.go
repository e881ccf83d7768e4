package chrome

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// result is a trace as read.
type result struct {
	events
	losses  []schema.Loss
	signals []string // their pieces
	err     error
	largest int // events in a block
}

// events are rows with what their keys and marks say.
type events []event1

type event1 struct {
	schema.EventKey
	schema.MessageMark
	TimeNs, ID int64
}

// options of a test's reading.
type options struct {
	attributes []string
	component  string
	memory     int64
	strict     bool
	nameArgs   []schema.NameArg
}

// read reads a text.
func read(text string, o options) result {
	ledger := new(schema.Ledger)
	if o.memory == 0 {
		o.memory = 1 << 30
	}
	r := Format().NewReader(&schema.Reading{
		Traces:  []schema.Trace{{FS: fstest.MapFS{"t.json": {Data: []byte(text)}}, Path: "t.json"}},
		Options: schema.ReadingOptions{Component: o.component, NameArgs: o.nameArgs, Attributes: o.attributes}, Memory: o.memory, Strict: o.strict,
		Scratch: func() (schema.Scratch, error) { return new(readertest.Memory), nil }, Ledger: ledger,
	})
	var out result
	out.err = r.Read(func(b *schema.Block) (*schema.Block, error) {
		if b == nil {
			return new(schema.Block), nil
		}
		out.largest = max(out.largest, len(b.TimeNs))
		for i := range b.TimeNs {
			out.events = append(out.events, event1{r.Keys().At(b.Key[i]), r.Marks()[b.Mark[i]], b.TimeNs[i], b.MessageID[i]})
		}
		b.Reset()
		return b, nil
	})
	out.losses = ledger.Losses("")
	if of := r.(schema.AttributeReader).Attributed(); out.err == nil && of != nil && of.Fragments != nil {
		out.err = of.Fragments(func(f *schema.SignalFragments) error {
			for i, signal := range f.Signal {
				out.signals = append(out.signals, fmt.Sprintf("%s %v from %d to %d", of.Signals[signal].Name, f.C[i], f.FromNs[i], f.ToNs[i]))
				if f.FromNs[i] >= f.ToNs[i] || i > 0 && signal == f.Signal[i-1] && f.FromNs[i] < f.ToNs[i-1] {
					return fmt.Errorf("pieces %q", out.signals)
				}
			}
			return nil
		})
	}
	return out
}

// faults are the losses of what is wrong with the trace: arguments that have no place are none.
func (r result) faults() []schema.Loss {
	return slices.DeleteFunc(slices.Clone(r.losses), func(l schema.Loss) bool { return l.Reason == schema.SkippedAttribute.Name })
}

// String shows a line for every event, indented by the depth of its stack, and then what was lost.
func (r result) String() string {
	var out strings.Builder
	depth := map[string]int{}
	for _, e := range r.events {
		if e.Kind == schema.Exit {
			depth[e.Lifeline]--
		}
		fmt.Fprintf(&out, "%8d  %-20s %s%c %s", e.TimeNs, e.Lifeline+" "+e.Component, strings.Repeat("  ", max(0, depth[e.Lifeline])), "><."[e.Kind], e.Function)
		if e.Synthetic {
			out.WriteString(" invented")
		}
		if e.Direction != schema.NoMessage {
			fmt.Fprintf(&out, " %c%s%d %s", " !?"[e.Direction], e.Series, e.ID, e.Label)
		}
		out.WriteByte('\n')
		if e.Kind == schema.Enter {
			depth[e.Lifeline]++
		}
	}
	for _, piece := range r.signals {
		fmt.Fprintf(&out, "signal: %s\n", piece)
	}
	sort.Slice(r.losses, func(i, j int) bool {
		return r.losses[i].Reason+r.losses[i].Meaning < r.losses[j].Reason+r.losses[j].Meaning
	})
	for _, l := range r.losses {
		fmt.Fprintf(&out, "lost: %s %d, first %s\n", strings.TrimSpace(l.Reason+" "+l.Kind()), l.Count, l.FirstPosition)
	}
	if r.err != nil {
		fmt.Fprintf(&out, "error: %v\n", r.err)
	}
	return out.String()
}
