package chrome

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// forest is threads of calls in each other, all at times of their own, as the lines of a trace and as the events that must
// be read from it.
type forest struct {
	*rand.Rand
	lines  []string
	events []event1
	now    int64
}

// call makes a call, and others in it.
func (f *forest) call(thread, depth int) {
	name, lifeline := fmt.Sprintf("f%d", f.IntN(5)), fmt.Sprintf("p/t%d", thread)
	from := f.tick()
	for range f.IntN(4 - depth) {
		f.call(thread, depth+1)
	}
	until := f.tick()
	at := fmt.Sprintf(`"name":"%s","pid":1,"tid":%d,"ts":`, name, thread)
	switch f.IntN(3) {
	case 0:
		f.lines = append(f.lines, fmt.Sprintf(`{"ph":"X",%s%s,"dur":%s}`, at, micros(from), micros(until-from)))
	case 1:
		f.lines = append(f.lines, fmt.Sprintf(`{"ph":"B",%s"%s"}`, at, micros(from)), fmt.Sprintf(`{"ph":"E",%s%s,"args":{"x":[{}]}}`, at, micros(until)))
	default:
		f.lines = append(f.lines, fmt.Sprintf(`{%s%s,"ph":"B"}`, at, micros(from)),
			fmt.Sprintf(`{"ph":"E","pid":1,"tid":"%d","ts":%s}`, thread, micros(until)))
	}
	for kind, ns := range map[schema.Kind]int64{schema.Enter: from, schema.Exit: until} {
		key := schema.EventKey{Component: "p", Lifeline: lifeline, Function: name, Kind: kind}
		f.events = append(f.events, event1{key, schema.MessageMark{}, ns, schema.NoValue})
	}
}

func (f *forest) tick() int64 {
	f.now += 1 + f.Int64N(3000)
	return f.now
}

func micros(ns int64) string { return fmt.Sprintf("%d.%03d", ns/1000, ns%1000) }

func grow(seed uint64, calls int) *forest {
	f := &forest{Rand: rand.New(rand.NewPCG(seed, 2))}
	for thread := range 3 {
		f.lines = append(f.lines, fmt.Sprintf(`{"ph":"M","name":"thread_name","pid":1,"tid":%d,"args":{"name":"t%d"}}`, thread, thread))
	}
	f.lines = append(f.lines, `{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}`)
	for range calls {
		f.call(f.IntN(3), 0)
	}
	slices.SortFunc(f.events, func(a, b event1) int { return int(a.TimeNs - b.TimeNs) })
	return f
}

// Calls come out as they were made, whatever the order of their lines, with all in memory or next to nothing.
func TestForest(t *testing.T) {
	for seed := range uint64(40) {
		f := grow(seed, 10+int(seed)*30)
		if seed%2 == 1 {
			f.Shuffle(len(f.lines), func(i, j int) { f.lines[i], f.lines[j] = f.lines[j], f.lines[i] })
		}
		text := "[" + strings.Join(f.lines, ",\n") + "]"
		for _, memory := range []int64{1, 1 << 30} {
			r := read(text, options{component: byProcess, memory: memory})
			if r.err != nil || len(r.faults()) > 0 || !slices.Equal(r.events, f.events) {
				t.Fatalf("seed %d, memory %d: %v, %v; read\n%.2000s\nwant\n%.2000s", seed, memory, r.err, r.losses, r, result{events: f.events})
			}
		}
	}
}

// Names do not follow the order of the lines: threads and processes without a name are numbered by their ids.
func TestShuffledNames(t *testing.T) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf(`{"ph":"X","pid":%d,"tid":%d,"ts":%d,"dur":1,"name":"f"}`, i%4*7, i%13*11, i*10))
	}
	lines = append(lines, `{"ph":"X","pid":"gpu","tid":"7","ts":900,"dur":1,"name":"f"}`, `{"ph":"X","pid":7,"ts":910,"dur":1,"name":"f"}`,
		`{"ph":"M","pid":14,"name":"process_name","args":{"name":"server"}}`, `{"ph":"M","pid":21,"name":"process_name","args":{"name":"server"}}`)
	want := read("["+strings.Join(lines, ",")+"]", options{component: byThread}).String()
	if !strings.Contains(want, "process 2/14") { // 13 threads with ids, and the one without
		t.Errorf("the second process lacks its last thread:\n%s", want)
	}
	rng := rand.New(rand.NewPCG(1, 3))
	for range 20 {
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		if got := read("["+strings.Join(lines, ",")+"]", options{component: byThread}).String(); got != want {
			t.Fatalf("shuffled:\n%s\nwant\n%s", got, want)
		}
	}
}

// A trace whose times are all later by a constant is the same trace later.
func TestShifted(t *testing.T) {
	const later = 1_000_000_000_500
	for seed := range uint64(5) {
		f := grow(seed, 50)
		text := "[" + strings.Join(f.lines, ",") + "]"
		shifted := grow(seed, 0)
		shifted.now = later
		shifted.Rand = rand.New(rand.NewPCG(seed, 2))
		for range 50 {
			shifted.call(shifted.IntN(3), 0)
		}
		a, b := read(text, options{}).events, read("["+strings.Join(shifted.lines, ",")+"]", options{}).events
		for i := range a {
			a[i].TimeNs += later
		}
		if !slices.Equal(a, b) {
			t.Fatalf("seed %d: later by %d ns is another trace", seed, int64(later))
		}
	}
}

// Events at one time that are more than are looked at together are still all there.
func TestCrowd(t *testing.T) {
	var text strings.Builder
	text.WriteString("[")
	for i := range 20_000 {
		fmt.Fprintf(&text, `{"ph":"B","ts":1,"name":"f%d"},{"ph":"s","ts":1,"id":%d},{"ph":"X","ts":1,"dur":0},{"ph":"E","ts":1},`, i%3, i)
	}
	r := read(text.String(), options{memory: 1})
	counts := map[schema.Kind]int{}
	for _, e := range r.events {
		counts[e.Kind]++
	}
	if r.err != nil || len(r.faults()) > 0 || counts[schema.Enter] != 40_000 || counts[schema.Exit] != 40_000 || len(r.events) > 100_000 {
		t.Fatalf("%v, %v, %v", r.err, r.losses, counts)
	}
	if r.largest > schema.BlockEvents {
		t.Fatalf("a block has %d events, want at most %d", r.largest, schema.BlockEvents)
	}
}

// A text has one word, and a word one text, however many there are.
func TestWords(t *testing.T) {
	w, s := newWords(), newSites()
	for range 2 {
		for i := range 5000 {
			text := fmt.Sprint("s", i)
			if i%2 == 1 {
				text = fmt.Sprint("no short name ", i)
			}
			if known := w.of([]byte(text)); int(known) != i+1 || w.texts[known] != text || w.name(known) != text {
				t.Fatalf("%s is word %d, %q", text, known, w.texts[known])
			}
			pid, tid, name, cat := word(i/500%2), word(i/1000%2), word(i/2000), word(i%500)
			at := s.of(spot{pid, tid, name, cat, name, 0})
			if want := (site{s.track(pid, tid), name, cat, name, 0}); int(at) != i || s.list[at] != want {
				t.Fatalf("site %d is %d: %v, want %v", i, at, s.list[at], want)
			}
		}
	}
}

// Names beyond the bound are cut, and counted by name and not by event.
func TestCutNames(t *testing.T) {
	long := strings.Repeat("n", 5000)
	r := read(fmt.Sprintf(`[{"ph":"i","ts":1,"name":"%s1"},{"ph":"i","ts":2,"name":"%[1]s2"},{"ph":"i","ts":3,"name":"%[1]s2"}]`, long), options{})
	if len(r.losses) != 1 || r.losses[0].Reason != schema.CutName.Name || r.losses[0].Count != 2 || len(r.events[0].Function) != 4096 {
		t.Errorf("%d bytes, losses %v", len(r.events[0].Function), r.losses)
	}
}
