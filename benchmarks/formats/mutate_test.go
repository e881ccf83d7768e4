package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestMutations reads a few mutated inputs of every format.
func TestMutations(t *testing.T) {
	var out, log bytes.Buffer
	expect.OK(t, run(context.Background(), &out, &log, []string{"-mutations", "60", "-dir", t.TempDir()}))
	for _, name := range []string{"otf2", "kieker text", "thesis", "tmsctrace", "table", "tmsct"} {
		expect.Equal(t, strings.Count(out.String(), "\n"+name+" "), 1, "rows of %s", name)
	}
	out.Reset()
	expect.OK(t, run(context.Background(), &out, &log, []string{"-mutations", "5", "-format", "table", "-dir", t.TempDir(), "-markdown"}))
	expect.Equal(t, strings.Count(out.String(), "\n"), 3, "lines for one format")
}

// deaf is a reader of pairs of calls, a letter each, that does not say which ones it leaves out.
type deaf struct {
	reading *schema.Reading
	panics  bool
}

func (d *deaf) Keys() schema.KeyList {
	return schema.EventKeys{{Component: "c", Lifeline: "c", Function: "f"}, {Component: "c", Lifeline: "c", Function: "f", Kind: schema.Exit}}
}

func (d *deaf) Marks() []schema.MessageMark { return make([]schema.MessageMark, 1) }

func (d *deaf) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	b, err := emit(nil)
	if err != nil {
		return err
	}
	text, err := d.reading.Traces[0].FS.(fstest.MapFS).ReadFile("trace")
	for _, letter := range text {
		switch {
		case letter == 'a':
			b.TimeNs, b.Key, b.Mark, b.MessageID = append(b.TimeNs, 1, 2), append(b.Key, 0, 1), append(b.Mark, 0, 0), append(b.MessageID, schema.NoValue, schema.NoValue)
		case d.panics:
			panic("not a letter that I know")
		}
	}
	_, last := emit(b)
	return errors.Join(err, last)
}

// A reader that leaves out calls in silence is found, and one that panics is told with the input.
func TestDeafReader(t *testing.T) {
	d := new(deaf)
	v := victim{name: "deaf", path: "trace", files: fstest.MapFS{"trace": {Data: []byte("aaaaaaaa")}}, format: schema.Format{
		NewReader: func(r *schema.Reading) schema.Reader { d.reading = r; return d },
	}}
	c := expect.Value(v.try(100))(t)
	if len(c.silent) == 0 || c.refused+c.counted > 0 || !strings.Contains(c.silent[0], "14 of 16 events, and no loss") {
		t.Errorf("%+v", c)
	}
	d.panics = true
	defer func() {
		if said, _ := recover().(string); !strings.HasPrefix(said, "deaf, input ") || !strings.Contains(said, "not a letter that I know") {
			t.Errorf("a panic says %q", said)
		}
	}()
	v.try(100)
	t.Error("no panic")
}
