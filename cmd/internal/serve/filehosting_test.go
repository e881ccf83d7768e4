package serve

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/ingest/kieker"
	"github.com/tracelake/tracelake/testdata/expect"
)

// hosting plays the file hosting system of Tavares de Sousa (2016, section 7.1) as Kieker sends it: each call is two records, of a trace for each thread.
type hosting struct {
	sent    []byte
	numbers map[string]int32
	order   map[int64]int32 // by trace
	known   []string        // components in the order of their first calls
}

func (h *hosting) text(s string) int32 {
	n, known := h.numbers[s]
	if !known {
		n = int32(len(h.numbers))
		h.numbers[s] = n
		h.sent = kieker.AppendEntry(h.sent, n, s)
	}
	return n
}

func (h *hosting) record(class string, fields ...any) {
	var out []byte
	for _, f := range append([]any{class, int64(9)}, fields...) {
		if s, is := f.(string); is {
			f = h.text(s)
		}
		out, _ = binary.Append(out, binary.BigEndian, f)
	}
	h.sent = append(h.sent, out...)
}

// call plays a call of a component on a thread, and returns when it ended. A component works for a time, and then does what is in it. Times are ms.
func (h *hosting) call(thread int64, component string, at, works int64, within func(at int64) int64) (end int64) {
	const events = "kieker.common.record.flow.trace."
	if _, known := h.order[thread]; !known {
		h.record(events+"TraceMetadata", thread, thread, "none", "host", int64(-1), int32(-1))
	}
	if !slices.Contains(h.known, component) {
		h.known = append(h.known, component)
	}
	event := func(kind string, at int64) {
		h.record(events+"operation."+kind, at*1e6, thread, h.order[thread], "void hosting."+component+".execute()", "hosting."+component)
		h.order[thread]++
	}
	event("BeforeOperationEvent", at)
	end = at + works
	if within != nil {
		end = within(end)
	}
	event("AfterOperationEvent", end)
	return end
}

// watch sends what was played to a recorder over TCP, and returns what gets frames of it.
func (h *hosting) watch(t *testing.T) (frame func(sight string) shownFrame) {
	t.Helper()
	calls := int64(0)
	for _, n := range h.order {
		calls += int64(n) / 2
	}
	return watchSent(t, h.sent, calls)
}

// watchSent sends bytes of Kieker to a recorder over TCP, waits until it shows so many calls, and returns what gets frames of them.
func watchSent(t *testing.T, sent []byte, calls int64) (frame func(sight string) shownFrame) {
	t.Helper()
	return watchSentWith(t, sent, calls, func(*command) {})
}

// watchSentWith does so with flags of the server.
func watchSentWith(t *testing.T, sent []byte, calls int64, flags func(*command)) (frame func(sight string) shownFrame) {
	t.Helper()
	l := newLake(t)
	address, _, client := startWith(t, l, flags)
	r := expect.Value(live.Open(l, "hosting", "trace"))(t)
	detect := ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, schema.ReadingOptions{})
	show := expect.Value(r.Show(live.Reading{File: "trace", Detect: detect, Say: func(sentence string) { t.Error(sentence) }}))(t)
	k, at, err := live.ListenKieker("127.0.0.1:0")
	expect.OK(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- live.Follow(ctx, k, r, live.Options{Show: show}) }()
	c := expect.Value(net.Dial("tcp", at[0].String()))(t)
	expect.Value(c.Write(sent))(t)
	expect.OK(t, c.Close())
	frame = func(sight string) (f shownFrame) {
		t.Helper()
		expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live/hosting/frame?"+sight), &f))
		return f
	}
	for range 500 {
		some := int64(0)
		for _, n := range frame("at=10000000000&interval=10000000000").Calls {
			some += n
		}
		if some == calls {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	expect.OK(t, <-ended)
	expect.OK(t, k.Close())
	t.Cleanup(func() { show.Close(); r.Close() })
	return frame
}

// drawn are boxes as text: the component, from when to when it runs, in ms, and who called it.
func drawn(f shownFrame) (all []string) {
	b := f.Boxes
	for i, c := range b.Component {
		caller := "nobody"
		if b.Caller[i] >= 0 {
			caller = f.Components[b.Caller[i]]
		}
		all = append(all, fmt.Sprintf("%s %d-%d by %s on %s", f.Components[c], b.StartNs[i]/1e6, b.EndNs[i]/1e6, caller, b.Lanes[b.Lane[i]]))
	}
	return all
}

// TestPlugIn is the encryption plug-in with the FileHandler executed a second time: Table 7.5, Figure 7.5 and Figure 7.6 through TCP, recorder, server and
// frames, as the times of the thesis make them: its own numbers are off by the noise of its measurement and by rounding to zero.
func TestPlugIn(t *testing.T) {
	h := &hosting{numbers: map[string]int32{}, order: map[int64]int32{}}
	first := h.call(1, "FileHandler", 0, 500, nil)
	h.call(2, "FileEncrypter", first, 1000, nil)
	h.call(3, "FSWriter", first+100, 300, nil)
	h.call(1, "FileHandler", first, 500, nil)
	frame := h.watch(t)
	const whole = "at=2000000000&interval=2000000000&span=2000000000"
	for metric, want := range map[string][]int{"mean": {50, 100, 30}, "normalised": {29, 100, 0}, "overall": {100, 100, 30}} {
		f := frame(whole + "&metric=" + metric)
		expect.Slice(t, f.Components, []string{"hosting.FileHandler", "hosting.FileEncrypter", "hosting.FSWriter"}, "components")
		expect.Slice(t, f.Hotness, want, "Table 7.5, %s", metric)
	}
	f := frame(whole + "&colour=quadratic&pixels=400")
	expect.Slice(t, f.Colour, []int{255, 255, 22}, "Figure 7.5: colours of 100, 100 and 30")
	all := drawn(f)
	slices.Sort(all)
	expect.Slice(t, all, []string{
		"hosting.FSWriter 600-900 by nobody on host/3", "hosting.FileEncrypter 500-1500 by nobody on host/2", "hosting.FileHandler 0-500 by nobody on host/1",
		"hosting.FileHandler 500-1000 by nobody on host/1",
	}, "Figure 7.6")
	// The window of Table 7.4 moved over the encrypter.
	for window, want := range map[string]int64{"at=400000000&interval=300000000": 0, "at=1600000000&interval=1500000000": 1000e6, "at=1000000000&interval=1000000000": 500e6, "at=1400000000&interval=500000000": 500e6} {
		busy := append(frame(window).BusyNs, 0) // the encrypter is unknown before it ran
		expect.Equal(t, busy[1], want, "the encrypter in %s", window)
	}
}

// hotnessOf is how hot a frame shows each component, in order of names.
func hotnessOf(f shownFrame) (all []string) {
	for i, name := range f.Components {
		all = append(all, fmt.Sprintf("%s %d", strings.TrimPrefix(name, "hosting."), f.Hotness[i]))
	}
	slices.Sort(all)
	return all
}

// TestRealKieker sends what Kieker's own SingleSocketTcpWriter sent of the same two systems, played by sleeping (testdata/traces/kieker): the numbers are
// those of TestPlugIn and TestFileHosting, but for 1 where sleeps took longer than they were to.
func TestRealKieker(t *testing.T) {
	recording := func(name string) []byte {
		return expect.Value(os.ReadFile("../../../testdata/traces/kieker/" + name + ".single"))(t)
	}
	const whole = "at=2000000000&interval=2000000000&span=2000000000&times=real"
	frame := watchSent(t, recording("plugin"), 4)
	for metric, want := range map[string][]string{
		"mean":       {"FSWriter 30", "FileEncrypter 100", "FileHandler 50"},
		"normalised": {"FSWriter 0", "FileEncrypter 100", "FileHandler 29"},
		"overall":    {"FSWriter 30", "FileEncrypter 100", "FileHandler 100"},
	} {
		expect.Slice(t, hotnessOf(frame(whole+"&metric="+metric)), want, "Table 7.5, %s", metric)
	}
	frame = watchSent(t, recording("hosting"), 58)
	expect.Slice(t, hotnessOf(frame(whole+"&metric=mean")), []string{
		"AccessControl 4", "DirReader 88", "FSWriter 13", "FileDecrypter 22", "FileEncrypter 19", "FileHandler 100", "FileReader 15", "HTTPServer 4",
		"PluginManager 76", "UploadManager 63",
	}, "Figure 7.10a, by Mean")
	f := frame(whole + "&metric=overall&pixels=800")
	expect.Slice(t, hotnessOf(f), []string{
		"AccessControl 3", "DirReader 26", "FSWriter 37", "FileDecrypter 100", "FileEncrypter 56", "FileHandler 30", "FileReader 67", "HTTPServer 2",
		"PluginManager 23", "UploadManager 19",
	}, "Figure 7.10b, by Overall")
	expect.Equal(t, len(drawn(f)), 58, "executions in Figure 7.9")
}

// TestFileHosting is the system of ten components of Figure 7.7: a server takes a request for an upload, whose files are encrypted and written in the
// background, and then one for a folder, for which it waits until all files are read. Figure 7.9 and 7.10.
func TestFileHosting(t *testing.T) {
	h := &hosting{numbers: map[string]int32{}, order: map[int64]int32{}}
	background := int64(0)
	answered := h.call(1, "HTTPServer", 0, 2, func(at int64) int64 {
		at = h.call(1, "AccessControl", at, 3, nil)
		return h.call(1, "UploadManager", at, 50, func(at int64) int64 {
			return h.call(1, "PluginManager", at, 60, func(at int64) int64 {
				background = at
				return at
			})
		})
	})
	h.call(2, "FileHandler", background, 80, func(at int64) int64 {
		for range 10 {
			at = h.call(2, "FileEncrypter", at, 15, func(at int64) int64 { return h.call(2, "FSWriter", at, 10, nil) })
		}
		return at
	})
	h.call(1, "HTTPServer", answered+20, 2, func(at int64) int64 {
		at = h.call(1, "AccessControl", at, 3, nil)
		return h.call(1, "DirReader", at, 70, func(at int64) int64 {
			for range 15 {
				at = h.call(1, "FileReader", at, 12, func(at int64) int64 { return h.call(1, "FileDecrypter", at, 18, nil) })
			}
			return at
		})
	})
	expect.Equal(t, len(h.known), 10, "components")
	frame := h.watch(t)
	const whole = "at=800000000&interval=800000000&span=800000000&times=real"
	of := func(f shownFrame, values []int) map[string]int {
		m := make(map[string]int)
		for i, name := range f.Components {
			m[name[len("hosting."):]] = values[i]
		}
		return m
	}
	// What is called often takes little each time, and most of the time as a whole.
	f := frame(whole + "&metric=mean")
	expect.Deep(t, of(f, f.Hotness), map[string]int{
		"FileHandler": 100, "DirReader": 88, "PluginManager": 75, "UploadManager": 63, "FileDecrypter": 23, "FileEncrypter": 19, "FileReader": 15, "FSWriter": 13,
		"AccessControl": 4, "HTTPServer": 3,
	}, "Figure 7.10a, by Mean")
	expect.Deep(t, of(f, f.Colour), map[string]int{
		"FileHandler": 255, "DirReader": 197, "PluginManager": 143, "UploadManager": 101, "FileDecrypter": 13, "FileEncrypter": 9, "FileReader": 5, "FSWriter": 4,
		"AccessControl": 0, "HTTPServer": 0,
	}, "Figure 7.10a, colours")
	f = frame(whole + "&metric=overall&pixels=800")
	expect.Deep(t, of(f, f.Hotness), map[string]int{
		"FileDecrypter": 100, "FileReader": 67, "FileEncrypter": 56, "FSWriter": 37, "FileHandler": 30, "DirReader": 26, "PluginManager": 22, "UploadManager": 19,
		"AccessControl": 2, "HTTPServer": 1,
	}, "Figure 7.10b, by Overall")
	// Figure 7.9, with what the thesis misses: who called whom, and on which thread.
	all := drawn(f)
	expect.Equal(t, len(all), 58, "executions")
	for _, want := range []string{
		"hosting.HTTPServer 0-115 by nobody on host/1", "hosting.AccessControl 2-5 by hosting.HTTPServer on host/1", "hosting.UploadManager 5-115 by hosting.HTTPServer on host/1",
		"hosting.PluginManager 55-115 by hosting.UploadManager on host/1", "hosting.FileHandler 115-445 by nobody on host/2", "hosting.FileEncrypter 195-220 by hosting.FileHandler on host/2",
		"hosting.FSWriter 435-445 by hosting.FileEncrypter on host/2", "hosting.HTTPServer 135-660 by nobody on host/1", "hosting.DirReader 140-660 by hosting.HTTPServer on host/1",
		"hosting.FileReader 210-240 by hosting.DirReader on host/1", "hosting.FileDecrypter 642-660 by hosting.FileReader on host/1",
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is not drawn: %q", want, all)
		}
	}
	links := make(map[string]int64)
	for _, l := range f.Links {
		if l.From >= 0 {
			links[f.Components[l.From][8:]+" > "+f.Components[l.To][8:]] = l.Calls
		}
	}
	expect.Deep(t, links, map[string]int64{
		"HTTPServer > AccessControl": 2, "HTTPServer > UploadManager": 1, "UploadManager > PluginManager": 1, "FileHandler > FileEncrypter": 10, "FileEncrypter > FSWriter": 10,
		"HTTPServer > DirReader": 1, "DirReader > FileReader": 15, "FileReader > FileDecrypter": 15,
	}, "Figure 7.7, as it is seen in calls")
}
