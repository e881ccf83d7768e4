package otf1

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func call(ns int64, lifeline, function string, kind schema.Kind) event {
	return event{ns: ns, component: "c" + lifeline, lifeline: lifeline, function: function, kind: kind}
}

func (e event) with(d schema.Direction, label string, id int64) event {
	e.direction, e.label, e.series, e.id = d, label, "", id
	if label != "" {
		e.series = "s" + label
	}
	return e
}

// TestFiles has a small trace: two messages of which the second overtakes the first, further messages of an enter
// and of an exit, one within a call, an exit that is not the innermost one, and two that are only half traced.
func TestFiles(t *testing.T) {
	e, x, m := schema.Enter, schema.Exit, schema.Message
	events := paired([]event{
		call(5, "p", "main \"loop\"", e).with(schema.Send, "go", 1),
		call(5, "p", "main \"loop\"", m).with(schema.Send, "go", 2),
		call(6, "q", "main \"loop\"", e).with(schema.Receive, "go", 2),
		call(6, "q", "step", e).with(schema.Send, "back", 1),
		call(7, "q", "main \"loop\"", x).with(schema.Receive, "go", 1),
		call(7, "q", "main \"loop\"", m).with(schema.Send, "lost", 9),
		call(8, "q", "step", m).with(schema.Receive, "found", 8),
		call(8, "q", "step", x),
		call(7, "p", "main \"loop\"", x).with(schema.Receive, "back", 1),
	})
	const want = `-- t.otf --
1:1,2,3
-- t.0.def --
DCR"Tracelake"
DTR3b9aca00
DTRG5T8
DP1NM"p"
DP2NM"q"
DP3NM"untraced"
DPG1M1,2,NM"go"
DPG2M1,2,NM"back"
DPG3M2,NM"lost"
DPG4M2,NM"found"
DFG1NM"cp"
DFG2NM"cq"
DF1G1NM"main  loop "
DF2G2NM"main  loop "
DF3G2NM"step"
-- t.1.events --
5
*1
E1
S2L0T0C1
S2L0T1C1
6
*2
E2
R1L0T1C1
E3
S1L0T0C2
7
*2
R1L0T0C1
S3L0T0C3
L2
8
*2
R3L0T0C4
8
*2
L3
*1
R2L0T0C2
L1
`
	lost := Omissions{Times: 1, Names: 2}
	for _, chunk := range []int{1, 3, 100} {
		if got, omitted := written(t, events, chunk); got.String() != want || omitted != lost {
			t.Errorf("chunks of %d: got\n%v%+v", chunk, got, omitted)
		}
	}
	files, _ := written(t, events, 100)
	got := readBack(t, files.fs(), "t.otf")
	for i := range events {
		if events[i].ns -= 5; i == len(events)-1 {
			events[i].ns = 3
		}
		if events[i].function != "step" {
			events[i].function = "main  loop "
		}
	}
	if got, want := renumbered(got), renumbered(events); !slices.Equal(got, want) {
		t.Error(firstOther(got, want))
	}
}

// random is a trace in which anything comes at any time, as much of it as OTF can say.
func random(rng *rand.Rand) []event {
	var events []event
	var under []event // messages
	stacks := make(map[string][]string)
	ns := rng.Int64N(1000)
	for n := range rng.IntN(120) {
		ns += rng.Int64N(3)
		line := string(rune('a' + rng.IntN(4)))
		stack := stacks[line]
		e := event{ns: ns, component: "unit " + string(rune('A'+rng.IntN(3))), lifeline: line, function: fmt.Sprint("f", rng.IntN(4))}
		if len(stack) > 0 && rng.IntN(2) == 0 {
			i := len(stack) - 1 - rng.IntN(min(2, len(stack)))
			fmt.Sscanf(stack[i], "%s %s %s", new(string), &e.component, &e.function)
			e.component, e.kind = "unit "+e.component, schema.Exit
			stacks[line] = slices.Delete(slices.Clone(stack), i, i+1)
		} else {
			stacks[line] = append(stack, e.component+" "+e.function)
		}
		for further := 0; further == 0 || e.direction != schema.NoMessage && rng.IntN(3) == 0; further++ {
			if further > 0 {
				e.kind = schema.Message
			}
			e = e.with(schema.NoMessage, "", 0)
			switch i := rng.IntN(len(under) + 1); {
			case rng.IntN(3) == 0 && i < len(under):
				m := under[i]
				e = e.with(schema.Receive, m.label, m.id)
				under = slices.Delete(under, i, i+1)
			case rng.IntN(3) == 0:
				e = e.with(schema.Send, string(rune('k'+rng.IntN(2))), int64(n*10+further))
				under = append(under, e)
			case rng.IntN(15) == 0:
				e = e.with(schema.Receive, "k", int64(-n*10-further))
			default:
			}
			if e.kind != schema.Message || e.direction != schema.NoMessage {
				events = append(events, e)
			}
		}
	}
	return paired(events)
}

// TestSameEvents writes random traces and reads them again: the same calls, and the same ends tied to each other.
func TestSameEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for i := range 1500 {
		want := random(rng)
		files, lost := written(t, want, 1+rng.IntN(30))
		got := readBack(t, files.fs(), "t.otf")
		if len(want) > 0 {
			first := want[0].ns
			for j := range want {
				want[j].ns -= first
			}
		}
		if got, want := renumbered(got), renumbered(want); !slices.Equal(got, want) || lost != (Omissions{}) {
			t.Fatalf("trace %d: %s\n%+v\n%v", i, firstOther(got, want), lost, files)
		}
	}
}

// TestChunks sees that the files do not depend on how the events are cut.
func TestChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	for range 100 {
		events := random(rng)
		want, _ := written(t, events, 1000)
		if got, _ := written(t, events, 1+rng.IntN(20)); got.String() != want.String() {
			t.Fatalf("got\n%v\nwant\n%v", got, want)
		}
	}
}

// TestWindow has messages for whose receive the writer does not wait long enough: it guesses, right and wrong.
func TestWindow(t *testing.T) {
	small := func(w *Writer) { w.Window = 3 }
	e, x := schema.Enter, schema.Exit
	on := func(lifeline string, c event) event {
		c.lifeline = lifeline
		return c
	}
	for name, c := range map[string]struct {
		events []event
		tied   int
		lost   Omissions
	}{
		"in time": {[]event{call(1, "p", "f", e).with(schema.Send, "m", 1), call(2, "p", "g", e), call(3, "p", "g", x), call(4, "q", "f", e).with(schema.Receive, "m", 1)}, 1, Omissions{}},
		"right": {[]event{
			call(0, "q", "f", e), call(1, "p", "f", e).with(schema.Send, "m", 1), call(2, "p", "g", e).with(schema.Send, "m", 2), call(3, "p", "g", x), call(4, "p", "g", e), call(5, "p", "g", x),
			call(6, "q", "f", x).with(schema.Receive, "m", 2), call(7, "q", "f", e).with(schema.Receive, "m", 1), call(8, "p", "g", x).with(schema.Send, "m", 3), call(9, "q", "f", x).with(schema.Receive, "m", 3),
		}, 3, Omissions{Guessed: 2}},
		"not met": {[]event{
			call(1, "p", "f", e).with(schema.Send, "m", 1), call(3, "p", "g", x), call(4, "p", "g", e), call(5, "p", "g", x), call(6, "q", "f", e).with(schema.Receive, "m", 1),
		}, 0, Omissions{Guessed: 1, Missed: 1}},
		"wrong": {[]event{
			call(0, "q", "f", e), call(1, "p", "f", e).with(schema.Send, "m", 1), call(3, "p", "g", x), call(4, "p", "g", e), call(5, "p", "g", x),
			on("q/2", call(6, "q", "f", e)).with(schema.Receive, "m", 1), call(7, "p", "f", x).with(schema.Send, "m", 2), call(8, "q", "f", x).with(schema.Receive, "m", 2),
		}, 1, Omissions{Guessed: 1, Missed: 1}},
	} {
		files, lost := written(t, paired(c.events), 2, small)
		got, tied := readBack(t, files.fs(), "t.otf"), 0
		for i := range got {
			if got[i].peer != "" && got[i].direction == schema.Receive {
				tied++
			}
		}
		if lost != c.lost || tied != c.tied || len(got) != len(c.events) {
			t.Errorf("%s: %d tied, %+v\n%v", name, tied, lost, files)
		}
		if stream := files["t.1.events"].String(); strings.Contains(stream, "T2") || strings.Contains(stream, "S0") {
			t.Errorf("%s: a tag or a process that is not needed\n%v", name, files)
		}
		if lost.Missed == 0 && !slices.Equal(shapes(got), shapes(c.events)) {
			t.Errorf("%s:\n%swant\n%s", name, listing(renumbered(got)), listing(renumbered(c.events)))
		}
	}
}

// shapes are events without times.
func shapes(events []event) []event {
	out := renumbered(events)
	for i := range out {
		out[i].ns = 0
	}
	return out
}

// TestSynthetic leaves invented events out, and waits for no receive among them; or writes them.
func TestSynthetic(t *testing.T) {
	events := []event{
		call(1, "p", "f", schema.Enter).with(schema.Send, "m", 1), call(2, "p", "f", schema.Exit).with(schema.Send, "m", 2),
		call(3, "q", "f", schema.Enter).with(schema.Receive, "m", 1), call(4, "q", "f", schema.Exit).with(schema.Receive, "m", 2),
	}
	events[1].synthetic, events[2].synthetic = true, true
	files, lost := written(t, paired(events), 1)
	got := readBack(t, files.fs(), "t.otf")
	if len(got) != 2 || got[0].direction != schema.Send || got[0].peer != "" || got[1].direction != schema.Receive || got[1].peer != "" || lost != (Omissions{Synthetic: 2}) {
		t.Errorf("%+v\n%s", lost, listing(got))
	}
	if stream := files["t.1.events"].String(); strings.Contains(stream, "S0") || strings.Contains(stream, "R0") {
		t.Errorf("process 0 in\n%s", stream)
	}
	files, lost = written(t, events, 1, func(w *Writer) { w.Synthetic = true })
	events[1].synthetic, events[2].synthetic = false, false // OTF cannot say it
	if got := readBack(t, files.fs(), "t.otf"); !slices.Equal(shapes(got), shapes(events)) || lost != (Omissions{}) {
		t.Errorf("%+v\n%s", lost, listing(got))
	}
}

// TestOddTraces has no events, negative times, a lifeline called untraced, and an identifier that is sent again.
func TestOddTraces(t *testing.T) {
	files, _ := written(t, nil, 1)
	got := readBack(t, files.fs(), "t.otf")
	expect.Equal(t, len(got), 0, "nothing is read as %v", got)
	events := []event{
		call(-10, "untraced", "f", schema.Enter).with(schema.Send, "m", 1), call(-11, "p", "f", schema.Enter),
		call(3, "p", "g", schema.Enter).with(schema.Send, "m", 1), call(4, "p", "g", schema.Exit).with(schema.Receive, "m", 1),
	}
	files, lost := written(t, paired(events), 2)
	for i, ns := range []int64{0, 0, 13, 14} {
		events[i].ns = ns
	}
	if got := readBack(t, files.fs(), "t.otf"); !slices.Equal(renumbered(got), renumbered(events)) || lost != (Omissions{Times: 1}) {
		t.Errorf("%+v: %s", lost, firstOther(renumbered(got), renumbered(events)))
	}
}

// TestOddMessages has peers of their own making: an identifier sent twice, one received twice, and ends of different
// labels.
func TestOddMessages(t *testing.T) {
	peer := func(e event, component string) event {
		e.peer = component
		return e
	}
	files, lost := written(t, []event{
		peer(call(1, "p", "f", schema.Enter).with(schema.Send, "m", 1), "cq"),
		peer(call(2, "p", "g", schema.Enter).with(schema.Send, "m", 1), "cq"),
		peer(call(3, "q", "f", schema.Enter).with(schema.Receive, "m", 1), "cp"),
		peer(call(4, "q", "g", schema.Enter).with(schema.Receive, "m", 1), "cp"),
	}, 2)
	const want = "1\n*1\nE1\nS2L0T0C1\n2\n*1\nE2\nS3L0T0C1\n3\n*3\nE3\nR1L0T0C1\n4\n*3\nE4\nR2L0T0C1\n"
	if got := files["t.1.events"].String(); got != want || lost != (Omissions{Early: 1}) {
		t.Errorf("got\n%swant\n%s%+v", got, want, lost)
	}
	files, lost = written(t, []event{call(1, "q", "f", schema.Enter), peer(call(2, "p", "f", schema.Enter).with(schema.Send, "m", 1), "cq"), call(3, "q", "f", schema.Exit)}, 3)
	if got := readBack(t, files.fs(), "t.otf"); len(got) != 3 || lost != (Omissions{Guessed: 1}) {
		t.Errorf("never received: %+v, %+v", got, lost)
	}
	sent, received := call(1, "p", "f", schema.Enter).with(schema.Send, "m", 1), call(3, "q", "f", schema.Enter).with(schema.Receive, "m", 1)
	received.label = "n"
	files, _ = written(t, paired([]event{sent, received}), 2)
	if got := readBack(t, files.fs(), "t.otf"); len(got) != 2 || got[1].peer != "cp" || got[1].label != "m" {
		t.Errorf("ends of labels m and n: %+v", got)
	}
}

// TestEarlyReceipts has clocks that are apart, so that half of the messages are received before they are sent, some of them in another
// order than they are sent in, and others on time between the same processes. All ends are tied as they were, unless the send
// is too far behind.
func TestEarlyReceipts(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 5))
	for range 300 {
		var events []event
		for id := range int64(1 + rng.IntN(30)) {
			at, way := rng.Int64N(100), rng.Int64N(60)-30
			p, q := string(rune('p'+rng.IntN(2))), string(rune('q'+rng.IntN(2)))
			sent, received := call(at, p, "f", schema.Enter).with(schema.Send, "m", id), call(at+way, q, "g", schema.Enter).with(schema.Receive, "m", id)
			sent.peer, received.peer = received.component, sent.component
			events = append(events, sent, received)
		}
		slices.SortStableFunc(events, func(a, b event) int { return int(a.ns - b.ns) })
		files, lost := written(t, events, 1+rng.IntN(20))
		got := readBack(t, files.fs(), "t.otf")
		if got, want := ties(got), ties(events); !slices.Equal(got, want) || lost != (Omissions{}) {
			t.Fatalf("tied are %v, want %v: %+v\n%v", got, want, lost, files)
		}
	}
	far := []event{
		call(1, "q", "f", schema.Enter).with(schema.Receive, "m", 1), call(2, "q", "g", schema.Enter), call(3, "q", "g", schema.Exit),
		call(4, "q", "g", schema.Enter), call(5, "p", "f", schema.Enter).with(schema.Send, "m", 1),
	}
	far[0].peer, far[4].peer = "cp", "cq"
	_, lost := written(t, far, 5, func(w *Writer) { w.Window = 2 })
	expect.Equal(t, lost, Omissions{Early: 1, Guessed: 1}, "a send too far behind")
}

// ties are, for every event with a message, the position of the event at its other end, or -1.
func ties(events []event) []int {
	open, out := make(map[string]int), make([]int, len(events))
	for i, e := range events {
		key := fmt.Sprint(e.series, " ", e.id)
		if out[i] = -1; e.direction == schema.NoMessage {
			continue
		}
		if j, met := open[key]; met {
			delete(open, key)
			out[i], out[j] = j, i
		} else {
			open[key] = i
		}
	}
	return out
}

// TestPlaces has no time line but where it is needed, and a message beside the exit of another lifeline.
func TestPlaces(t *testing.T) {
	e, x, m := schema.Enter, schema.Exit, schema.Message
	files, _ := written(t, []event{
		call(1, "p", "f", e).with(schema.Send, "m", 1), call(1, "p", "f", m).with(schema.Send, "m", 2), call(1, "p", "f", x),
		call(1, "q", "f", e), call(2, "p", "f", e), call(2, "p", "f", x), call(2, "q", "f", m).with(schema.Send, "m", 3), call(2, "q", "f", x),
		call(3, "q", "f", e), call(3, "p", "f", e), call(3, "q", "f", x).with(schema.Send, "m", 4),
	}, 10)
	const want = "1\n*1\nE1\nS2L0T0C1\nS2L0T0C1\nL1\n*3\nE2\n2\n*1\nE1\nL1\n*3\nS2L0T0C1\n2\n*3\nL2\n3\n*3\nE2\n*1\nE1\n*3\nS2L0T0C1\nL2\n"
	expect.Equal(t, files["t.1.events"].String(), want, "events")
}

// TestErrors sees that the first error stays: of making a file, of writing it, and of closing it.
func TestErrors(t *testing.T) {
	bad := errors.New("bad")
	for _, name := range []string{"t.1.events", "t.0.def", "t.otf"} {
		for _, step := range []string{"create", "write", "close"} {
			create := func(made string) (io.WriteCloser, error) {
				if made != name {
					return faulty{}, nil
				}
				if step == "create" {
					return nil, bad
				}
				return faulty{step: step, err: bad}, nil
			}
			w := NewWriter(create, "t")
			if err := w.Write(add(schema.NewEvents(), call(1, "p", "f", schema.Enter))); err != nil && (err != bad || step != "create") {
				t.Errorf("%s %s: Write gives %v", step, name, err)
			}
			if err := w.Close(); err != bad {
				t.Errorf("%s %s: Close gives %v", step, name, err)
			}
		}
	}
}

type faulty struct {
	step string
	err  error
}

func (f faulty) Write(p []byte) (int, error) {
	if f.step == "write" {
		return 0, f.err
	}
	return len(p), nil
}

func (f faulty) Close() error {
	if f.step == "close" {
		return f.err
	}
	return nil
}

func BenchmarkWrite(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var events []event
	for i := range 1 << 14 { // a call between units is four events with two messages, as in the thesis dialect
		from, to, ns, f := string(rune('a'+rng.IntN(20))), string(rune('A'+rng.IntN(20))), int64(i)*1000, fmt.Sprint("Curl_function_", rng.IntN(500))
		n := int64(2 * i)
		events = append(events, call(ns, from, f, schema.Enter).with(schema.Send, "m", n), call(ns+1, to, f, schema.Enter).with(schema.Receive, "m", n),
			call(ns+2, to, f, schema.Exit).with(schema.Send, "r", n+1), call(ns+3, from, f, schema.Exit).with(schema.Receive, "r", n+1))
	}
	ev := add(schema.NewEvents(), paired(events)...)
	w, count, shift := NewWriter(func(string) (io.WriteCloser, error) { return faulty{}, nil }, "t"), 0, ev.TimeNs[len(ev.TimeNs)-1]
	b.ReportAllocs()
	for b.Loop() {
		expect.OK(b, w.Write(ev))
		for i := range ev.TimeNs {
			ev.TimeNs[i] += shift
		}
		count += len(ev.Seq)
	}
	b.ReportMetric(float64(count)/b.Elapsed().Seconds(), "events/s")
}
