package etf

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
)

// told is what a reader said of a text.
type told struct {
	reader schema.Reader
	block  schema.Block // all blocks in one
	ledger schema.Ledger
	err    error
}

func listen(t testing.TB, text string, options schema.ReadingOptions, memory int64, strict bool) *told {
	out := new(told)
	out.reader = Format().NewReader(&schema.Reading{
		Traces:  []schema.Trace{{FS: fstest.MapFS{"t.etf": {Data: []byte(text)}}, Path: "t.etf"}},
		Options: options, Memory: memory, Strict: strict, Ledger: &out.ledger,
		Scratch: func() (schema.Scratch, error) { return os.CreateTemp(t.TempDir(), "scratch") },
	})
	out.err = out.reader.Read(func(full *schema.Block) (*schema.Block, error) {
		if full == nil {
			return new(schema.Block), nil
		}
		b := &out.block
		b.TimeNs = append(b.TimeNs, full.TimeNs...)
		b.Key = append(b.Key, full.Key...)
		b.Mark = append(b.Mark, full.Mark...)
		b.MessageID = append(b.MessageID, full.MessageID...)
		full.Reset()
		return full, nil
	})
	return out
}

// lines shows the events, one a line.
func (o *told) lines() []string {
	keys, marks := o.reader.Keys(), o.reader.Marks()
	out := make([]string, len(o.block.TimeNs))
	for i, ns := range o.block.TimeNs {
		k := keys.At(o.block.Key[i])
		out[i] = fmt.Sprintf("%d %s %s %s.%s", ns, k.Lifeline, schema.KindWords[k.Kind], k.Component, k.Function)
		if m := o.block.Mark[i]; m != schema.NoMark {
			out[i] += fmt.Sprintf(" %s %s%d %s", schema.DirectionWords[marks[m].Direction], marks[m].Series, o.block.MessageID[i], marks[m].Label)
		} else if o.block.MessageID[i] != schema.NoValue {
			out[i] += " a number without a message"
		}
	}
	return out
}

// losses shows the ledger.
func (o *told) losses() string {
	var out []string
	for _, l := range o.ledger.Losses("") {
		out = append(out, fmt.Sprintf("%s %d %s", l.Reason, l.Count, l.FirstPosition))
	}
	return strings.Join(out, "\n")
}
