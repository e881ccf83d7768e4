package etf_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/export/etf"
	ingest "github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// row is an event.
type row struct {
	timeNs                        int64
	lifeline, component, function string
	kind                          schema.Kind
	direction                     schema.Direction
	message                       int64
}

// events makes a chunk of rows, with dictionaries of its own in an order of its own.
func events(rows []row, seed uint64) *schema.Events {
	ev := schema.NewEvents()
	for _, i := range rand.New(rand.NewPCG(seed, 3)).Perm(len(rows)) { // other codes in every chunk
		ev.Names.Lifelines.Code(rows[i].lifeline)
		ev.Names.Components.Code(rows[i].component)
		ev.Names.Functions.Code(rows[i].function)
	}
	for range seed % 3 {
		ev.Names.Series.Code(fmt.Sprint("other", ev.Names.Series.Len()))
	}
	for _, r := range rows {
		charttest.Append(ev, charttest.Row{
			TimeNs: r.timeNs, Component: r.component, Lifeline: r.lifeline, Function: r.function, Kind: r.kind,
			Direction: r.direction, Series: "m", Label: fmt.Sprint("label", r.message), MessageID: r.message,
		})
	}
	return ev
}

// write writes rows in chunks of a size.
func write(t testing.TB, rows []row, size int) string {
	var b bytes.Buffer
	w := etf.NewWriter(&b)
	for i := 0; i < len(rows); i += size {
		expect.OK(t, w.Write(events(rows[i:min(i+size, len(rows))], uint64(i))))
	}
	expect.OK(t, w.Close())
	return b.String()
}

func TestWriter(t *testing.T) {
	rows := []row{
		{10, "p/1", "a.c", "main", schema.Enter, schema.NoMessage, 0},
		{20, "p/1", "b,c", "f = 1", schema.Enter, schema.Send, 1},
		{20, "p/1", "b,c", "f = 1", schema.Message, schema.Send, 2},
		{25, "q", "q", "g", schema.Enter, schema.Receive, 1},
		{26, "q", "q", "g", schema.Message, schema.Receive, 2},
		{30, "p/1", "b,c", "f = 1", schema.Exit, schema.Send, 3},
		{40, "q", "q", "g", schema.Exit, schema.Receive, 3},
		{41, "q", "q", "lost", schema.Exit, schema.Send, 4},
	}
	want := `TU NANOSECONDS
R 0 1 false;name=p/1
R 1 1 false;name=q
C 3 26 26 1 0;name=receive
C 1 20 30 0 0;name=f : 1,component=b|c
D 0 0 1 3;label=label2
C 2 25 40 1 1;name=g
D 1 0 1 2;label=label1
D 2 3 1 2;label=label3
C 4 41 41 1 1;name=lost
C 0 10 41 0 1;name=main,component=a.c
`
	for size := 1; size <= len(rows); size++ {
		expect.Equal(t, write(t, rows, size), want, "chunks of %d", size)
	}
	expect.Equal(t, write(t, nil, 1), "TU NANOSECONDS\n", "nothing")
}

// TestMessages: a message in the middle of a call that nobody entered, a receive before its send, and an identifier
// that is used again.
func TestMessages(t *testing.T) {
	got := write(t, []row{
		{0, "p", "p", "f", schema.Message, schema.Send, 1},
		{0, "q", "q", "g", schema.Enter, schema.Receive, 2},
		{5, "p", "p", "f", schema.Enter, schema.Send, 2},
		{6, "q", "q", "g", schema.Message, schema.Receive, 1},
		{7, "q", "q", "g", schema.Exit, schema.Send, 1},
		{8, "p", "p", "f", schema.Exit, schema.Receive, 1},
	}, 2)
	want := `TU NANOSECONDS
R 0 1 false;name=p
C 0 0 0 0 1;name=send
R 1 1 false;name=q
C 3 6 6 1 0;name=receive
D 0 2 0 3;label=label1
C 1 0 7 1 1;name=g
C 2 5 8 0 1;name=f
D 1 0 2 1;label=label2
D 2 3 1 2;label=label1
`
	expect.Equal(t, got, want, "text")
}

// TestNumbersAlone has a message whose identifier is a number without a series, as in text of the papers, and no label.
func TestNumbersAlone(t *testing.T) {
	ev := charttest.Append(schema.NewEvents(),
		charttest.Row{Component: "p", Lifeline: "p", Function: "f", Kind: schema.Enter, Direction: schema.Send, MessageID: 7},
		charttest.Row{TimeNs: 2, Component: "q", Lifeline: "q", Function: "g", Kind: schema.Enter, Direction: schema.Receive, MessageID: 7})
	var out bytes.Buffer
	w := etf.NewWriter(&out)
	expect.OK(t, w.Write(ev))
	expect.OK(t, w.Close())
	if want := "D 0 0 0 1;label=message\n"; !bytes.Contains(out.Bytes(), []byte(want)) {
		t.Errorf("no %q in\n%s", want, &out)
	}
}

// TestEpoch: times since 1970 are written from the first millisecond, and read again as they were.
func TestEpoch(t *testing.T) {
	for _, at := range []int64{1_700_000_000_123_456_789, -1_700_000_000_123_456_789, 1 << 53, 1<<53 - 1, 0} {
		text := write(t, []row{{at, "p", "p", "f", schema.Enter, 0, 0}, {at + 7, "p", "p", "f", schema.Exit, 0, 0}}, 1)
		if got := read(t, text); !slices.Equal(got.calls, []string{fmt.Sprint("p p f ", at, " ", at+7)}) {
			t.Errorf("%d: %q\n%s", at, got.calls, text)
		}
	}
	text := write(t, []row{{1_700_000_000_123_456_789, "p", "p", "f", schema.Enter, 0, 0}}, 1)
	expect.Equal(t, text, "TU NANOSECONDS\nO 1700000000123\nR 0 1 false;name=p\nC 0 456789 456789 0 1;name=f\n", "text")
}

// said is what a trace says: executions and messages.
type said struct{ calls, messages []string }

// read reads a text again.
func read(t testing.TB, text string) said {
	reading := readertest.Reading(fstest.MapFS{"t": {Data: []byte(text)}}, "t")
	reading.Strict, reading.Options.Component = true, "component"
	got := readertest.Read(ingest.Format(), reading)
	if losses := got.Ledger.Losses(""); got.Err != nil || len(losses) > 0 {
		t.Fatalf("%v %v\n%s", got.Err, losses, text)
	}
	var rows []row
	var labels []string
	for _, e := range got.Events {
		k := e.Key
		rows = append(rows, row{e.Ns, k.Lifeline, k.Component, k.Function, k.Kind, e.Mark.Direction, e.ID})
		labels = append(labels, e.Mark.Label)
	}
	return say(rows, labels)
}

// say lists executions and messages, sorted.
func say(rows []row, labels []string) (out said) {
	open := map[string][]row{}
	sent := map[int64][2]string{}
	for i, r := range rows {
		s := open[r.lifeline]
		switch r.kind {
		case schema.Enter:
			open[r.lifeline] = append(s, r)
		case schema.Exit:
			out.calls = append(out.calls, fmt.Sprint(r.lifeline, " ", r.component, " ", r.function, " ", s[len(s)-1].timeNs, " ", r.timeNs))
			open[r.lifeline] = s[:len(s)-1]
		}
		if r.direction != schema.NoMessage {
			ends := sent[r.message]
			ends[r.direction-schema.Send] = fmt.Sprint(r.lifeline, " ", r.timeNs)
			if sent[r.message] = ends; ends[0] != "" && ends[1] != "" {
				out.messages = append(out.messages, ends[0]+" "+ends[1]+" "+labels[i])
			}
		}
	}
	slices.Sort(out.calls)
	slices.Sort(out.messages)
	return out
}

// TestRoundTrip writes random runs of calls that nest and of messages at their ends, and reads the same executions
// and messages again.
func TestRoundTrip(t *testing.T) {
	messages := 0
	for seed := range uint64(1000) {
		rows, labels := random(seed)
		want := say(rows, labels)
		text := write(t, rows, 1+int(seed%9))
		got := read(t, text)
		if !slices.Equal(got.calls, want.calls) || !slices.Equal(got.messages, want.messages) {
			t.Fatalf("seed %d: got\n%q\n%q\nwant\n%q\n%q\n%s", seed, got.calls, got.messages, want.calls, want.messages, text)
		}
		if messages += len(got.messages); !ingest.Detect([]byte(text)) {
			t.Fatal("not detected\n", text)
		}
	}
	if messages < 1000 {
		t.Error("only", messages, "messages: too few to tell")
	}
}

// random is a run of three lifelines.
func random(seed uint64) (rows []row, labels []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	open := map[string][]row{}
	now, message, flying := int64(r.IntN(1000)), int64(0), []int64{}
	add := func(e row) {
		switch { // a message, if it comes to that
		case r.IntN(3) == 0:
			e.direction, e.message = schema.Send, message
			flying = append(flying, message)
			message++
		case len(flying) > 0 && r.IntN(2) == 0:
			e.direction, e.message = schema.Receive, flying[0]
			flying = flying[1:]
		}
		rows, labels = append(rows, e), append(labels, fmt.Sprint("label", e.message))
	}
	for range r.IntN(40) {
		now += int64(1 + r.IntN(3))
		lifeline := []string{"p/1", "p/2", "q"}[r.IntN(3)]
		s := open[lifeline]
		if len(s) > 0 && r.IntN(2) == 0 {
			e := s[len(s)-1]
			open[lifeline] = s[:len(s)-1]
			e.timeNs, e.kind = now, schema.Exit
			add(e)
		} else {
			e := row{now, lifeline, []string{"a.c", "b.c", lifeline}[r.IntN(3)], fmt.Sprint("f", r.IntN(4)), schema.Enter, 0, 0}
			open[lifeline] = append(s, e)
			add(e)
		}
		if r.IntN(4) == 0 { // further messages of the event
			e := rows[len(rows)-1]
			e.kind, e.direction, e.message = schema.Message, 0, 0
			if add(e); rows[len(rows)-1].direction == schema.NoMessage {
				rows, labels = rows[:len(rows)-1], labels[:len(labels)-1]
			}
		}
	}
	for _, lifeline := range []string{"p/1", "p/2", "q"} {
		for _, e := range slices.Backward(open[lifeline]) {
			e.timeNs, e.kind = now+1, schema.Exit
			rows, labels = append(rows, e), append(labels, "")
		}
	}
	return rows, labels
}

// refusing is a writer that takes so many bytes.
type refusing int

func (r *refusing) Write(p []byte) (int, error) {
	if *r -= refusing(len(p)); *r < 0 {
		return 0, errRefused
	}
	return len(p), nil
}

var errRefused = errors.New("no room")

func TestRefused(t *testing.T) {
	room := refusing(10)
	w := etf.NewWriter(&room)
	rows, _ := random(3)
	if err := errors.Join(w.Write(events(rows, 0)), w.Close()); !errors.Is(err, errRefused) {
		t.Error(err)
	}
}

func BenchmarkWrite(b *testing.B) {
	var rows []row
	for i := range int64(4096) {
		rows = append(rows,
			row{i * 100, "p/1", "a.c", fmt.Sprint("f", i%50), schema.Enter, 0, 0}, row{i*100 + 50, "p/1", "a.c", fmt.Sprint("f", i%50), schema.Exit, 0, 0})
	}
	ev := events(rows, 1)
	for b.Loop() {
		w := etf.NewWriter(new(counter))
		for range 16 {
			expect.OK(b, w.Write(ev))
		}
	}
	b.ReportMetric(float64(16*len(rows))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }
