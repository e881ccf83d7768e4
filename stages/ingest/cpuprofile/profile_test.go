package cpuprofile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// read reads a text, and shows a line for every event, indented by the depth of the stack, and then what was lost.
func read(text, component string) (lines []string, events []readertest.Event, err error) {
	reading := readertest.Reading(fstest.MapFS{"t.cpuprofile": {Data: []byte(text)}}, "t.cpuprofile")
	reading.Options.Component = component
	r := Format().NewReader(reading)
	depth := 0
	err = r.Read(func(b *schema.Block) (*schema.Block, error) {
		if b == nil {
			return new(schema.Block), nil
		}
		for i := range b.Key {
			k := r.Keys().At(b.Key[i])
			if k.Kind == schema.Exit {
				depth--
			}
			lines = append(lines, fmt.Sprintf("%d %s%c %s %s %s", b.TimeNs[i], strings.Repeat("  ", min(9, max(0, depth))), "><"[k.Kind], k.Component, k.Function, k.ExecutionType))
			if k.Kind == schema.Enter {
				depth++
			}
		}
		events = append(events, readertest.Events(b, r.Keys(), r.Marks())...)
		b.Reset()
		return b, nil
	})
	for _, l := range reading.Ledger.Losses("") {
		lines = append(lines, fmt.Sprint("lost: ", strings.TrimSpace(l.Reason+" "+l.Kind()), " ", l.Count))
	}
	return lines, events, err
}

// small is a profile in which f calls g twice, the second time behind a pause, and the garbage collector interrupts g.
const small = `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"children":[2,5,6]},
{"id":2,"callFrame":{"functionName":"f","url":"file:///home/me/app/src/a.js","lineNumber":3},"children":[3],"positionTicks":[{"line":4,"ticks":1}]},
{"id":3,"callFrame":{"functionName":"","url":"node:fs","lineNumber":8},"children":[4]},
{"id":4,"callFrame":{"functionName":"","url":"http://h/x/node_modules/lib/b.js?v=1","lineNumber":0}},
{"id":5,"callFrame":{"functionName":"(garbage collector)","url":""}},{"id":6,"callFrame":{"functionName":"(idle)","url":""}}],
"startTime":100,"endTime":190,"samples":[2,4,5,4,6,4,9],"timeDeltas":[5,10,10,10,10,30,10]}`

func TestProfile(t *testing.T) {
	lines, _, err := read(small, byScript)
	expect.OK(t, err)
	expect.Equal(t, strings.Join(lines, "\n"), `105000 > src/a.js f sampled
115000   > node:fs (anonymous):9 sampled
115000     > lib/b.js (top level) sampled
125000       > native (garbage collector) sampled
135000       < native (garbage collector) sampled
145000     < lib/b.js (top level) sampled
145000   < node:fs (anonymous):9 sampled
145000 < src/a.js f sampled
175000 > src/a.js f sampled
175000   > node:fs (anonymous):9 sampled
175000     > lib/b.js (top level) sampled
185000     < lib/b.js (top level) sampled
185000   < node:fs (anonymous):9 sampled
185000 < src/a.js f sampled
lost: skipped_record positionTicks 1
lost: undefined_token 1`, "events")
	lines, _, _ = read(small, "")
	expect.Equal(t, strings.Join(lines[:2], ","), "105000 > process f sampled,115000   > process (anonymous):9 node:fs sampled", "by process")
}

// What is wrong with a profile is counted, or refused where nothing can be made of it.
func TestFaults(t *testing.T) {
	node := `{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"children":[7]}],"startTime":1,`
	for text, want := range map[string]string{
		node + `"endTime":9,"samples":[1,1,1],"timeDeltas":[1,2]} {}`:                     "2000 > native f sampled, 9000 < native f sampled, lost: bad_record 2, lost: undefined_token 1",
		node + `"samples":[1,1,8],"timeDeltas":[5,-3,9223372036854775807]}`:               "3000 > native f sampled, 6000 < native f sampled, lost: undefined_token 1, lost: unsupported_time 1",
		node + `"samples":["x"],"timeDeltas":[1,null]}`:                                   "lost: bad_record 3, lost: undefined_token 1",
		`{"nodes":[5,{"callFrame":{}},{"id":1,"parent":1}],"samples":[],"timeDeltas":[]}`: "lost: bad_record 2",
		`{"nodes":[{"id":1,"parent":2,"callFrame":{"functionName":"f"}},{"id":2,"callFrame":{"functionName":"g"},"children":[3]},{"id":3,"callFrame":{"functionName":"h"},"children":[1,2]}],"startTime":1,"samples":[1,3,1],"timeDeltas":[1,1,1]}`: "2000 > native g sampled, 2000   > native h sampled, 2000     > native f sampled, 3000     < native f sampled, 4000     > native f sampled, 4000     < native f sampled, 4000   < native h sampled, 4000 < native g sampled, lost: undefined_token 1",
		`{"samples":[]}`: "t.cpuprofile:1:12: expected nodes in the object of a profile",
		node + `"sam`:    "t.cpuprofile:1:87: the text ends where the end of a string was expected: unexpected EOF",
	} {
		lines, _, err := read(text, byScript)
		if err != nil {
			lines = []string{err.Error()}
		}
		expect.Equal(t, strings.Join(lines, ", "), want, "%s", text)
	}
}

// The self time of every function of a real profile is that of its samples, each of which lasts until the next one.
func TestRecorded(t *testing.T) {
	text := readertest.Load(t, filepath.Join(readertest.Recordings(t), "chrome", "node.cpuprofile.zst"))
	if !Detect(text[:1000]) {
		t.Error("not detected")
	}
	var p struct {
		Nodes []struct {
			ID        int64
			CallFrame struct{ FunctionName, URL string }
		}
		Samples, TimeDeltas []int64
		StartTime, EndTime  int64
	}
	expect.OK(t, json.Unmarshal(text, &p))
	names := map[int64]string{}
	for _, n := range p.Nodes {
		names[n.ID] = n.CallFrame.FunctionName
	}
	want, last := map[string]int64{}, ""
	now := p.StartTime
	for i, s := range p.Samples {
		now += p.TimeDeltas[i]
		if i+1 < len(p.Samples) {
			want[names[s]] += p.TimeDeltas[i+1]
		} else {
			want[names[s]] += p.EndTime - now
		}
		last = names[s]
	}
	_, events, err := read(string(text), "")
	expect.OK(t, err)
	got, stack := map[string]int64{}, []string{}
	before := int64(0)
	for _, e := range events {
		if len(stack) > 0 {
			got[stack[len(stack)-1]] += (e.Ns - before) / 1000
		}
		before = e.Ns
		if e.Key.Kind == schema.Enter {
			stack = append(stack, e.Key.Function)
		} else {
			stack = stack[:len(stack)-1]
		}
	}
	for name, us := range want {
		if name != "" && name != "(idle)" && got[name] != us {
			t.Errorf("%s: %d us, want %d", name, got[name], us)
		}
	}
	if len(stack) > 0 || last == "" || len(events) < 500 {
		t.Errorf("%d open, %d events", len(stack), len(events))
	}
}

// Samples of random trees nest, and every stack is the path from the root.
func TestRandomStacks(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 12))
		parents := []int{-1}
		text := `{"nodes":[{"id":0,"callFrame":{"functionName":"(root)"}}`
		for i := 1; i < 20; i++ {
			parents = append(parents, rng.IntN(i))
			text += fmt.Sprintf(`,{"id":%d,"parent":%d,"callFrame":{"functionName":"f%d"}}`, i, parents[i], i)
		}
		text += `],"startTime":0,"timeDeltas":[0` + strings.Repeat(",1", 99) + `],"samples":[`
		var stacks []string
		for i := range 100 {
			n := rng.IntN(20)
			if i > 0 {
				text += ","
			}
			text += fmt.Sprint(n)
			var stack []string
			for ; n > 0; n = parents[n] {
				stack = append([]string{fmt.Sprint("f", n)}, stack...)
			}
			stacks = append(stacks, strings.Join(stack, " "))
		}
		_, events, err := read(text+"]}", "")
		expect.OK(t, err)
		var stack []string
		at := 0
		for now := range int64(99) {
			for ; at < len(events) && events[at].Ns <= now*1000; at++ {
				if events[at].Key.Kind == schema.Enter {
					stack = append(stack, events[at].Key.Function)
				} else {
					stack = slices.Delete(stack, len(stack)-1, len(stack))
				}
			}
			expect.Equal(t, strings.Join(stack, " "), stacks[now], "seed %d, sample %d", seed, now)
		}
	}
}

// Whatever the bytes are, there is no panic, events come in the order of time with good names, and every exit closes the
// innermost call.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(`{"nodes":[{"id":1,"parent":2},{"id":2,"parent":1}],"samples":[1,2],"timeDeltas":[1,-1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		_, events, _ := read(text, "")
		var stack []string
		last := int64(-1 << 63)
		for _, e := range events {
			if e.Ns < last || !readertest.IsName(e.Key.Component) || !readertest.IsName(e.Key.Function) {
				t.Fatalf("%+v behind %d", e, last)
			}
			last = e.Ns
			if e.Key.Kind == schema.Enter {
				stack = append(stack, e.Key.Function)
				continue
			}
			if len(stack) == 0 || stack[len(stack)-1] != e.Key.Function {
				t.Fatalf("%+v closes %v", e, stack)
			}
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 {
			t.Fatalf("%v are open", stack)
		}
		Detect([]byte(text))
	})
}
