package timeline

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// each draws windows of random traces, every other with a path, under options that make pictures crowded.
func each(t *testing.T, check func(t *testing.T, w *Window, o Options)) {
	for seed := range uint64(36) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			b := random(r, 20+r.IntN(2000))
			from := r.Int64N(b.w.ToNs)
			w := b.cut(from, from+1+r.Int64N(b.w.ToNs))
			if seed%2 == 0 {
				w.Path = b.walkBack()
			}
			w.Components = 9
			check(t, w, Options{Width: 480 + r.IntN(2000), Lanes: 1 + r.IntN(8), Boxes: 10 + r.IntN(2000)})
		})
	}
}

// TestBoxes checks that every box stands in its lane and on its parent, hardly over its neighbour, and that none is lost.
func TestBoxes(t *testing.T) {
	each(t, func(t *testing.T, w *Window, o Options) {
		c := Layout(w, o)
		executions := c.Rest.Executions + c.TooDeep
		for i, b := range c.Boxes {
			executions += b.Count
			l := c.Lanes[b.Lane]
			if c.edge(b.Lane, b.Level+1) < l.Top || c.edge(b.Lane, b.Level) > l.Bottom || b.Left < c.scale.left || b.Right > c.scale.right || b.Left > b.Right {
				t.Fatalf("box %+v leaves lane %+v", b, l)
			}
			if b.Level > 0 != (b.Parent >= 0) {
				t.Fatalf("box %+v has parent %d", b, b.Parent)
			}
			if b.Parent >= 0 {
				if p := c.Boxes[b.Parent]; p.Lane != b.Lane || p.Level != b.Level-1 || b.Left < p.Left || b.Right > p.Right {
					t.Fatalf("box %+v is not on its parent %+v", b, p)
				}
			}
			if i > 0 {
				if last := c.Boxes[i-1]; last.Lane == b.Lane && last.Level == b.Level && last.Right > b.Left+c.narrow {
					t.Fatalf("box %+v lies over %+v", b, last)
				}
			}
		}
		expect.Equal(t, executions, int64(len(w.Executions.Execution)), "executions")
	})
}

// TestArrows checks that every message is in an arrow or counted, and that arrows keep to the axis and the lanes.
func TestArrows(t *testing.T) {
	each(t, func(t *testing.T, w *Window, o Options) {
		c := Layout(w, o)
		messages := c.Hidden
		for _, a := range c.Arrows {
			messages += a.Count
			if a.Left < c.scale.left || a.Right > c.scale.right || a.Left > a.Right {
				t.Fatalf("arrow %+v leaves the axis", a)
			}
			if min(a.LeftY, a.RightY) < c.Lanes[0].Top || max(a.LeftY, a.RightY) > c.bottom() {
				t.Fatalf("arrow %+v leaves the lanes", a)
			}
		}
		expect.Equal(t, messages, int64(len(w.Messages.SendNs)), "messages")
	})
}

// TestPath checks that a path is whole where the lanes have room, that in a window that shows all its events it has no breaks, and
// that with fewer lanes what is not shown of it is counted.
func TestPath(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 30 {
		b := random(r, 300)
		w := b.cut(0, b.w.ToNs)
		w.Path = b.walkBack()
		few := Layout(w, Options{Lanes: 1})
		expect.Equal(expect.Must(t), len(few.Lanes), 1, "lanes")
		expect.Equal(expect.Must(t), len(few.Path)+int(few.PathHidden), len(w.Path), "steps on few lanes")
		c := Layout(w, Options{})
		expect.Equal(expect.Must(t), len(c.Path), len(w.Path), "steps")
		for i := 1; i < len(c.Path); i++ {
			last, next := c.Path[i-1], c.Path[i]
			if last.Right != next.Left || last.To != next.From {
				t.Fatalf("step %+v does not begin where %+v ends", next, last)
			}
			// A message leaves and reaches a box at an edge, and the path goes along the side between its edges.
			if d := abs(last.RightY - next.LeftY); d != 0 && d != rowHeight && !(last.Message && next.Message) {
				t.Fatalf("step %+v begins %v beside %+v", next, d, last)
			}
		}
	}
}

// TestLimits checks that a picture keeps to the lanes asked for, and nearly to the boxes.
func TestLimits(t *testing.T) {
	b := random(rand.New(rand.NewPCG(3, 4)), 60_000)
	w := b.cut(0, b.w.ToNs)
	all := Layout(w, Options{Boxes: 1 << 30})
	few := Layout(w, Options{Boxes: 500, Lanes: 3})
	if len(all.Boxes) < 2000 || len(few.Boxes) > 500 || len(all.Lanes) != 7 || len(few.Lanes) != 3 || few.Rest.Quieter != 4 {
		t.Errorf("%d boxes in %d lanes, few: %d in %d, %d more", len(all.Boxes), len(all.Lanes), len(few.Boxes), len(few.Lanes), few.Rest.Quieter)
	}
	bundled := Layout(w, Options{Boxes: 500})
	messages := int64(0)
	for _, a := range bundled.Arrows {
		messages += a.Count
	}
	if len(bundled.Arrows) > 500 || messages != int64(len(w.Messages.SendSeq)) {
		t.Errorf("%d arrows for %d of %d messages", len(bundled.Arrows), messages, len(w.Messages.SendSeq))
	}
}

// TestCutPath checks that a window that cuts one event of a step off shows it on the same level as one that does not.
func TestCutPath(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 30 {
		b := random(r, 300)
		b.w.Path = b.walkBack()
		level := make(map[int64]Length) // by target
		whole := Layout(b.cut(0, b.w.ToNs), Options{})
		for _, g := range whole.Path {
			level[g.Target] = whole.Lanes[g.To].Bottom - g.Along
		}
		from := b.w.ToNs / 3
		part := Layout(b.cut(from, 2*from), Options{})
		for _, g := range part.Path {
			known := !g.FromCut || !g.ToCut
			if got := part.Lanes[g.To].Bottom - g.Along; known && !g.Message && got != level[g.Target] {
				t.Fatalf("step %+v is %v high, want %v", g, got, level[g.Target])
			}
		}
	}
}

// TestOrder checks that callees stand below their first caller, before what starts later, and that replies turn nothing
// around.
func TestOrder(t *testing.T) {
	b := read(t, "0 top > f !1\n1 other > g\n2 low > f ?1\n3 low > h !2\n4 lower > h ?2\n5 lower < h !3\n6 low < h ?3\n"+
		"7 low < f !4\n8 top < f ?4\n9 top > again !5\n10 lower > again ?5\n11 lower < again\n12 top < again\n13 other < g\n")
	var got []string
	for _, l := range Layout(b.cut(0, 20), Options{}).Lanes {
		got = append(got, l.Name)
	}
	expect.Slice(t, got, []string{"top", "low", "lower", "other"}, "order")
}

// TestPathThreads checks that steps at the same time are on threads of their own, and others are not.
func TestPathThreads(t *testing.T) {
	w := read(t, "0 a > f\n100 a < f\n").cut(0, 100)
	for _, s := range [][2]int64{{0, 50}, {10, 60}, {50, 70}, {70, 100}} {
		w.Path = append(w.Path, Step{SourceNs: s[0], TargetNs: s[1], Function: schema.NoCode, Sender: schema.NoCode})
	}
	_, trace := outputs(t, w, Options{})
	var threads []int
	for _, e := range checkTrace(t, trace) {
		if e.Pid == pathProcess && e.Ph == "B" {
			threads = append(threads, e.Tid)
		}
	}
	expect.Slice(t, threads, []int{1, 2, 1, 1}, "threads")
}

func outputs(t *testing.T, w *Window, o Options) (svg, trace string) {
	t.Helper()
	var s, j bytes.Buffer
	expect.OK(t, errors.Join(Layout(w, o).WriteSVG(&s), WriteChrome(&j, w, false)))
	return s.String(), j.String()
}

// TestSame checks that the outputs depend neither on the order of rows nor on when the run began.
func TestSame(t *testing.T) {
	each(t, func(t *testing.T, w *Window, o Options) {
		svg, trace := outputs(t, w, o)
		const later = 1_600_000_000_000_000_000
		other := *w
		other.FromNs, other.ToNs, other.OriginNs = w.FromNs+later, w.ToNs+later, w.OriginNs+later
		other.Executions, other.Messages = schema.NewExecutions(w.names()), schema.NewMessages(w.names())
		r := rand.New(rand.NewPCG(1, 2))
		for _, i := range r.Perm(len(w.Executions.Execution)) {
			schema.AppendRows(other.Executions, w.Executions, i, i+1)
		}
		for _, i := range r.Perm(len(w.Messages.SendSeq)) {
			schema.AppendRows(other.Messages, w.Messages, i, i+1)
		}
		other.Path = slices.Clone(w.Path)
		r.Shuffle(len(other.Path), func(i, j int) { other.Path[i], other.Path[j] = other.Path[j], other.Path[i] })
		for _, ns := range [][]int64{other.Executions.StartNs, other.Executions.FinishNs, other.Messages.SendNs, other.Messages.ReceiveNs} {
			for i := range ns {
				ns[i] += later
			}
		}
		for i := range other.Path {
			other.Path[i].SourceNs += later
			other.Path[i].TargetNs += later
		}
		again, traceAgain := outputs(t, &other, o)
		if again != svg || traceAgain != trace {
			t.Errorf("the picture or the trace became another:\n%s\n%s\nwant\n%s\n%s", again, traceAgain, svg, trace)
		}
	})
}

// checkXML reads a picture to its end.
func checkXML(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// traceEvent is an event of a Chrome trace. Times are kept as they are written.
type traceEvent struct {
	Ph, Name, BP string
	Pid, Tid, ID int
	Ts, Dur      json.Number
}

// micro reads microseconds with three decimals as nanoseconds.
func micro(t *testing.T, n json.Number) int64 {
	t.Helper()
	whole, part, ok := strings.Cut(string(n), ".")
	ns, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil || !ok || len(part) != 3 {
		t.Fatalf("%q is no time", n)
	}
	return ns
}

func checkTrace(t *testing.T, trace string) (all []traceEvent) {
	t.Helper()
	var file struct{ TraceEvents []traceEvent }
	expect.OK(t, json.Unmarshal([]byte(trace), &file))
	return file.TraceEvents
}

// threadKey names a thread of a trace.
type threadKey struct{ pid, tid int }

// slicesOf are the slices of the threads of a trace, from start to end.
type slicesOf map[threadKey][][2]int64

// add adds a slice, and says whether it sticks out of one that began before it.
func (s slicesOf) add(t *testing.T, e traceEvent) (sticksOut bool) {
	at, from := threadKey{e.Pid, e.Tid}, micro(t, e.Ts)
	to := from + micro(t, e.Dur)
	for _, other := range s[at] {
		sticksOut = sticksOut || other[0] < from && from < other[1] && other[1] < to
	}
	s[at] = append(s[at], [2]int64{from, to})
	return sticksOut
}

// has says whether a slice is open at an event.
func (s slicesOf) has(t *testing.T, e traceEvent) bool {
	ns := micro(t, e.Ts)
	return slices.ContainsFunc(s[threadKey{e.Pid, e.Tid}], func(x [2]int64) bool { return x[0] <= ns && ns <= x[1] })
}

// TestTrace checks that slices nest, that processes and threads have names, and that flows have two ends in slices.
func TestTrace(t *testing.T) {
	each(t, func(t *testing.T, w *Window, o Options) {
		_, trace := outputs(t, w, o)
		open, named, flows, ends, executions := make(slicesOf), make(map[threadKey]bool), make(map[int]string), make(map[int]string), 0
		for _, e := range checkTrace(t, trace) {
			switch e.Ph {
			case "M":
				named[threadKey{e.Pid, e.Tid}] = true
			case "X":
				if open.add(t, e) {
					t.Fatalf("slice %+v sticks out of another", e)
				}
				executions++
			case "B", "E":
				if ends[e.Tid] != e.Ph && (ends[e.Tid] != "" || e.Ph != "B") || e.Pid != pathProcess {
					t.Fatalf("%+v is not due", e)
				}
				ends[e.Tid] = map[string]string{"B": "E", "E": "B"}[e.Ph]
			case "s", "f":
				if flows[e.ID] += e.Ph; !open.has(t, e) || e.Ph == "f" && e.BP != "e" {
					t.Fatalf("flow %+v has no slice", e)
				}
			}
			if !named[threadKey{e.Pid, e.Tid}] || !named[threadKey{e.Pid, 0}] {
				t.Fatalf("event %+v is on a thread without a name", e)
			}
		}
		for id, ends := range flows {
			expect.Equal(t, ends, "sf", "flow %d", id)
		}
		expect.Equal(t, executions, len(w.Executions.Execution), "executions")
	})
}

// TestOpenExecutions checks that what the trace does not end looks otherwise than what it ends, and that a note says so.
func TestOpenExecutions(t *testing.T) {
	b := newBuilder()
	b.event(0, "c", true, "f", "")
	b.event(100, "c", false, "f", "")
	w := b.cut(0, 100)
	closed, _ := outputs(t, w, Options{})
	w.Executions.Synthetic[0] = true
	open, _ := outputs(t, w, Options{})
	for _, mark := range []string{` tlo"`, "open: the trace lacks", "broken outlines"} {
		if strings.Contains(closed, mark) || !strings.Contains(open, mark) {
			t.Errorf("%q tells open from closed executions: no", mark)
		}
	}
}

// TestOddNames checks that no name breaks an output.
func TestOddNames(t *testing.T) {
	for _, name := range []string{`<script>alert("x")</script>`, "a&b;'\"", "tab\tline\nbell\a\x00", "\xff\xfe broken", "]]>", "日本語の長い名前がここにある", `back\slash`, ""} {
		b := newBuilder()
		b.event(0, name, true, name, "!1")
		b.event(10, "other", true, name, "?1")
		b.event(90, "other", false, name, "")
		b.event(100, name, false, name, "")
		b.w.Run = name
		w := b.cut(0, 100)
		w.Path = b.walkBack()
		w.Executions.Synthetic[0] = true
		svg, trace := outputs(t, w, Options{})
		checkXML(t, svg)
		if strings.Contains(svg, "<script") {
			t.Errorf("%q is in the picture as it is", name)
		}
		want := strings.ToValidUTF8(name, "\ufffd")
		found := 0
		for _, e := range checkTrace(t, trace) {
			if e.Ph == "X" && e.Pid != pathProcess && strings.ReplaceAll(e.Name, "\ufffd\ufffd", "\ufffd") == want {
				found++
			}
		}
		expect.Equal(t, found, 2, "%q", name)
	}
}

// TestNothing checks that a window without anything has a picture that says so.
func TestNothing(t *testing.T) {
	svg, trace := outputs(t, newBuilder().cut(5, 50), Options{})
	checkXML(t, svg)
	if !strings.Contains(svg, "nothing happens in this window") || len(checkTrace(t, trace)) != 0 {
		t.Errorf("%s\n%s", svg, trace)
	}
}
