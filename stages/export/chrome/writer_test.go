package chrome_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/export/chrome"
	ingest "github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// row is an event by its names.
type row struct {
	timeNs                        int64
	component, lifeline, function string
	kind                          schema.Kind
	direction                     schema.Direction
	series, label                 string
	id                            int64
}

// columns are rows as a chunk of a run.
func columns(rows []row) *schema.Events {
	ev := schema.NewEvents()
	for _, r := range rows {
		charttest.Append(ev, charttest.Row{
			TimeNs: r.timeNs, Component: r.component, Lifeline: r.lifeline, Function: r.function, Kind: r.kind,
			Direction: r.direction, Series: r.series, Label: r.label, MessageID: r.id,
		})
	}
	return ev
}

// write writes rows in chunks of some size, each of which numbers names anew.
func write(t testing.TB, rows []row, size int) []byte {
	var out bytes.Buffer
	w := chrome.NewWriter(&out)
	for chunk := range slices.Chunk(rows, size) {
		expect.OK(t, w.Write(columns(chunk)))
	}
	expect.OK(t, w.Close())
	return out.Bytes()
}

// enter, exit and friends make rows of component and lifeline C/1, D/1, ...
func at(ns int64, lifeline string, kind schema.Kind, function string) row {
	component, _, _ := strings.Cut(lifeline, "/")
	return row{timeNs: ns, component: component, lifeline: lifeline, function: function, kind: kind, id: schema.NoValue}
}

func (r row) with(d schema.Direction, series string, id int64, label string) row {
	r.direction, r.series, r.id, r.label = d, series, id, label
	return r
}

const (
	enter = schema.Enter
	exit  = schema.Exit
	extra = schema.Message
)

func TestText(t *testing.T) {
	rows := []row{
		at(-250, "C/1", enter, "f").with(schema.Send, "m", 7, "request"),
		at(1000, "D", enter, "g\"<\xff").with(schema.Receive, "m", 7, "request"),
		at(1000, "D", extra, "g\"<\xff").with(schema.Send, "id", schema.NoValue, "id"),
		at(2000, "D", exit, "g\"<\xff").with(schema.Send, "m", 8, "reply"),
		at(2000, "D", extra, "g\"<\xff").with(schema.Send, "m", 9, "reply"),
		at(3001, "C/1", exit, "f").with(schema.Receive, "m", 8, "reply"),
	}
	want := `{"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"C"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"1"}},
{"ph":"B","pid":1,"tid":1,"ts":-0.250,"name":"f"},
{"ph":"s","pid":1,"tid":1,"ts":-0.250,"cat":"m","id":"m:7","name":"request"},
{"ph":"M","pid":2,"tid":2,"name":"process_name","args":{"name":"D"}},
{"ph":"M","pid":2,"tid":2,"name":"thread_name","args":{"name":"D"}},
{"ph":"B","pid":2,"tid":2,"ts":1.000,"name":"g\"\u003c\ufffd"},
{"ph":"f","pid":2,"tid":2,"ts":1.000,"bp":"e","cat":"m","id":"m:7","name":"request"},
{"ph":"s","pid":2,"tid":2,"ts":1.000,"cat":"id","id":"id","name":"id"},
{"ph":"s","pid":2,"tid":2,"ts":2.000,"cat":"m","id":"m:8","name":"reply"},
{"ph":"s","pid":2,"tid":2,"ts":2.000,"cat":"m","id":"m:9","name":"reply"},
{"ph":"E","pid":2,"tid":2,"ts":2.000,"name":"g\"\u003c\ufffd"},
{"ph":"f","pid":1,"tid":1,"ts":3.001,"bp":"e","cat":"m","id":"m:8","name":"reply"},
{"ph":"E","pid":1,"tid":1,"ts":3.001,"name":"f"}
]}
`
	for size := 1; size <= len(rows); size++ {
		expect.Equal(t, string(write(t, rows, size)), want, "chunks of %d", size)
	}
}

// TestNumbersAlone has messages whose identifiers are numbers without a series, without labels, one of which is received before
// it is sent: all come back.
func TestNumbersAlone(t *testing.T) {
	rows := []row{
		at(0, "C", enter, "f").with(schema.Send, "", 1, ""), at(5, "D", enter, "g").with(schema.Receive, "", 1, ""),
		at(6, "D", enter, "h").with(schema.Receive, "", 2, ""), at(9, "C", exit, "f").with(schema.Send, "", 2, ""),
		at(10, "D", exit, "h"), at(11, "D", exit, "g"),
	}
	text := write(t, rows, 2)
	if want := `{"ph":"s","pid":1,"tid":1,"ts":0.000,"cat":"","id":":1","name":"message"},`; !strings.Contains(string(text), want) {
		t.Errorf("no line %s in\n%s", want, text)
	}
	var ends []string
	for _, r := range back(t, text) {
		if r.direction != schema.NoMessage {
			ends = append(ends, fmt.Sprint(r.function, " ", schema.DirectionWords[r.direction], " ", r.id))
		}
	}
	expect.Slice(t, ends, []string{"f send 1", "g receive 1", "h receive 2", "f send 2"}, "ends")
}

// What no stack can have is mended as the package comment says.
func TestMended(t *testing.T) {
	rows := []row{
		at(0, "C", enter, "f"), at(1000, "C", enter, "g"), at(2000, "C", enter, "h"), at(3000, "C", exit, "f"), // splits g and h
		at(4000, "C", exit, "x"),                                // was never entered
		at(2500, "C", exit, "h"),                                // time runs back
		at(9000, "D", enter, "late"), at(9000, "E", enter, "l"), // left open, as is g
	}
	want := "B f 0.000|B g 1.000|B h 2.000|E h 3.000|E g 3.000|E f 3.000|B g 3.000|B h 3.000|B x 4.000|E x 4.000|E h 4.000|" +
		"B late 9.000|B l 9.000|E g 9.000|E late 9.000|E l 9.000"
	text := write(t, rows, 3)
	var got []string
	for _, e := range check(t, text) {
		if e.Ph == "B" || e.Ph == "E" {
			got = append(got, fmt.Sprint(e.Ph, " ", e.Name, " ", e.Ts))
		}
	}
	expect.Equal(t, strings.Join(got, "|"), want, "mended")
}

// A message behind an exit, but later, belongs to the call around it.
func TestLater(t *testing.T) {
	rows := []row{
		at(0, "C", enter, "f"), at(1000, "C", enter, "g"), at(2000, "C", exit, "g"),
		at(3000, "C", extra, "f").with(schema.Send, "m", 1, "m"), at(4000, "C", exit, "f"),
	}
	text := write(t, rows, 2)
	check(t, text)
	got := back(t, text)
	// Reading puts it on a call of no duration: the trace has no event of f at that time.
	got = slices.DeleteFunc(got, func(r row) bool { return r.kind == exit && r.timeNs == 3000 })
	for i := range got {
		if got[i].timeNs == 3000 {
			got[i].kind = extra
		}
	}
	expect.Slice(t, executions(got), executions(rows), "executions")
}

// What was invented is not written: calls for messages, of which the message is, and ends at the end of the trace, but for starts.
func TestInvented(t *testing.T) {
	rows := []row{
		at(0, "C", enter, "never entered"), at(0, "C", enter, "f"), at(3000, "C", enter, "f").with(schema.Send, "m", 1, "m"),
		at(3000, "C", extra, "f").with(schema.Send, "m", 2, "m"), at(3000, "C", exit, "f"), at(4000, "C", enter, "open"), at(5000, "C", exit, "f"),
		at(6000, "C", exit, "never entered"), at(7000, "C", exit, "open"),
	}
	ev := columns(rows)
	for i, r := range rows {
		ev.Synthetic[i] = r.timeNs == 3000 || r.timeNs == 7000 || i == 0
	}
	var text bytes.Buffer
	w := chrome.NewWriter(&text)
	expect.OK(t, errors.Join(w.Write(ev), w.Close()))
	var got []string
	for line := range strings.Lines(text.String()) {
		if _, event, found := strings.Cut(line, `"ph":`); found && event[1] != 'M' {
			name := event[strings.LastIndex(event, `"name":`)+8:]
			got = append(got, event[1:2]+" "+name[:strings.IndexByte(name, '"')])
		}
	}
	expect.Slice(t, got, []string{"B never entered", "B f", "s m", "s m", "B open", "E open", "E f", "B open", "E open", "E never entered", "B open"}, "events")
}

func TestEmpty(t *testing.T) {
	expect.Equal(t, string(write(t, nil, 1)), "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n", "no event")
}

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

func TestError(t *testing.T) {
	broken := errors.New("no room")
	w := chrome.NewWriter(full{broken})
	for range 1 << 10 {
		if err := w.Write(columns(slices.Repeat([]row{at(0, "C", enter, strings.Repeat("f", 100))}, 100))); err != nil {
			break
		}
	}
	if err := w.Write(columns(nil)); !errors.Is(err, broken) {
		t.Errorf("Write: %v", err)
	}
	if err := w.Close(); !errors.Is(err, broken) {
		t.Errorf("Close: %v", err)
	}
}

// written is an event of the text.
type written struct {
	Ph, Name, Cat, ID, Bp string
	Pid, Tid              int
	Ts                    json.Number
	Args                  struct{ Name string }
}

// check holds a text against the rules of the format, and returns its events: every E closes the innermost B of its thread,
// nothing is left open, times of a thread do not run back, threads are named once and before their events, no other
// phases are there, and what is bound lies in a call.
func check(t testing.TB, text []byte) []written {
	var all struct {
		DisplayTimeUnit string
		TraceEvents     []written
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&all); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	stacks, last, process, named := map[[2]int][]string{}, map[[2]int]float64{}, map[int]string{}, map[[2]int]string{}
	for i, e := range all.TraceEvents {
		at := [2]int{e.Pid, e.Tid}
		s := stacks[at]
		if e.Ph == "M" {
			if e.Name == "process_name" && process[e.Pid] == "" {
				process[e.Pid] = e.Args.Name
			} else if e.Name == "thread_name" && named[at] == "" && last[at] == 0 {
				named[at] = e.Args.Name
			} else {
				t.Fatalf("event %d: %+v is named twice or too late", i, e)
			}
			continue
		}
		ts, err := e.Ts.Float64()
		if before, ok := last[at]; err != nil || ok && ts < before || process[e.Pid] == "" || named[at] == "" {
			t.Fatalf("event %d: %+v after %v in %q %q", i, e, before, process[e.Pid], named[at])
		}
		last[at] = ts
		switch {
		case e.Ph == "B":
			s = append(s, e.Name)
		case e.Ph == "E" && len(s) > 0 && s[len(s)-1] == e.Name:
			s = s[:len(s)-1]
		case len(s) > 0 && e.ID != "" && e.Cat != "" && (e.Ph == "s" || e.Ph == "f" && e.Bp == "e"):
		default:
			t.Fatalf("event %d: %+v on the stack %q", i, e, s)
		}
		stacks[at] = s
	}
	for at, s := range stacks {
		if len(s) > 0 {
			t.Fatalf("%v: %q is still open", at, s)
		}
	}
	return all.TraceEvents
}

// run is a run of some lifelines that call and send to each other at random, in the order of time.
func run(seed uint64, events int) []row {
	r := rand.New(rand.NewPCG(seed, 1))
	lifelines := []string{"C", "C/1", "D/a", "D/b", "long component/thread"}
	stacks, sent := map[string][]string{}, []row{}
	var rows []row
	now, id := int64(1000), int64(0)
	for len(rows) < events {
		l := lifelines[r.IntN(len(lifelines))]
		s := stacks[l]
		now += int64(r.IntN(3)) * int64(r.IntN(2000))
		e := at(now, l, enter, fmt.Sprintf("f%d", r.IntN(4)))
		if len(s) > 0 && (r.IntN(2) == 0 || len(s) > 6) {
			e.kind, e.function = exit, s[len(s)-1]
			s = s[:len(s)-1]
		} else {
			s = append(s, e.function)
		}
		switch stacks[l] = s; r.IntN(4) {
		case 0:
			id++
			e = e.with(schema.Send, "m", id, "label "+e.function)
			sent = append(sent, e)
		case 1:
			if len(sent) > 0 {
				e = e.with(schema.Receive, "m", sent[0].id, sent[0].label)
				sent = sent[1:]
			}
		}
		rows = append(rows, e)
		if e.direction != schema.NoMessage && r.IntN(4) == 0 { // and another message of the same event
			id++
			more := at(now, l, extra, e.function).with(schema.Send, "m", id, "more")
			rows, sent = append(rows, more), append(sent, more)
		}
	}
	for _, l := range lifelines {
		for s := stacks[l]; len(s) > 0; s = s[:len(s)-1] {
			rows = append(rows, at(now, l, exit, s[len(s)-1]))
		}
	}
	return rows
}

// back reads a text with this project's reader.
func back(t testing.TB, text []byte) (rows []row) {
	reading := readertest.Reading(fstest.MapFS{"t": {Data: text}}, "t")
	reading.Memory, reading.Strict, reading.Options.Component = 1<<30, true, "process"
	got := readertest.Read(ingest.Format(), reading)
	losses := slices.DeleteFunc(got.Ledger.Losses(""), func(l schema.Loss) bool { return l.Reason == schema.MessageInside.Name })
	if got.Err != nil || len(losses) > 0 {
		t.Fatalf("%v, losses %v", got.Err, losses)
	}
	for _, e := range got.Events {
		k, m := e.Key, e.Mark
		rows = append(rows, row{e.Ns, k.Component, k.Lifeline, k.Function, k.Kind, m.Direction, m.Series, m.Label, e.ID})
	}
	return rows
}

// executions are the executions and exchanges of rows as text, in an order of their own.
func executions(rows []row) []string {
	type open struct {
		function string
		from     int64
	}
	var out []string
	stacks, sends := map[string][]open{}, map[int64]row{}
	for _, r := range rows {
		s := stacks[r.lifeline]
		switch r.kind {
		case enter:
			s = append(s, open{r.function, r.timeNs})
		case exit:
			o := s[len(s)-1]
			s = s[:len(s)-1]
			out = append(out, fmt.Sprint(r.component, " ", r.lifeline, " ", o.function, r.function, " ", o.from, "-", r.timeNs, " in ", len(s)))
		}
		stacks[r.lifeline] = s
		switch r.direction {
		case schema.Send:
			sends[r.id] = r
		case schema.Receive:
			a := sends[r.id]
			delete(sends, r.id)
			out = append(out, fmt.Sprint(a.lifeline, " ", a.function, " ", a.timeNs, " -> ", r.lifeline, " ", r.function, " ", r.timeNs, " ", a.label, r.label))
		}
	}
	for _, a := range sends {
		out = append(out, fmt.Sprint(a.lifeline, " ", a.function, " ", a.timeNs, " -> ", a.label))
	}
	slices.Sort(out)
	return out
}

// What is written follows the rules, and reading it gives the executions and messages that were written.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(30) {
		rows := run(seed, 400)
		text := write(t, rows, 1+int(seed)*13)
		check(t, text)
		got, want := executions(back(t, text)), executions(rows)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("seed %d: %d executions and messages, want %d; from %d on\n%q\nwant\n%q", seed, len(got), len(want), i,
					got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	rows := run(1, 100_000)
	ev := columns(rows)
	b.ReportAllocs()
	for b.Loop() {
		w := chrome.NewWriter(discard{})
		for range 5 {
			expect.OK(b, w.Write(ev))
		}
		expect.OK(b, w.Close())
	}
	b.ReportMetric(float64(5*len(rows))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
