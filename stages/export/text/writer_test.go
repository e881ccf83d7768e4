package text

import (
	"bytes"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
	"github.com/tracelake/tracelake/testdata/expect"
)

const none = schema.NoValue

// event makes the row of an event without a message, on a lifeline that is its component.
func call(ns int64, component, function string, kind schema.Kind) row {
	return row{ns: ns, component: component, lifeline: component, function: function, kind: kind, id: none}
}

func (r row) with(d schema.Direction, series string, id int64) row {
	r.direction, r.series, r.id = d, series, id
	return r
}

func (r row) on(lifeline string) row {
	r.lifeline = lifeline
	return r
}

// TestLines has small traces, what becomes of them, and what could not be said.
func TestLines(t *testing.T) {
	a, b := call(0, "a", "f", schema.Enter), call(5, "a", "f", schema.Exit)
	further := func(ns int64) row { return call(ns, "a", "f", schema.Message).with(schema.Receive, "r", 2) }
	invented := b
	invented.synthetic = true
	for name, c := range map[string]struct {
		rows []row
		want string
		lost Omissions
	}{
		"nothing":        {},
		"a call":         {[]row{a, b}, "0.000000000 a > f\n0.000000005 a < f\n", Omissions{}},
		"messages":       {[]row{a.with(schema.Send, "m", 12), b.with(schema.Receive, "ret", none)}, "0.000000000 a > f !m12\n0.000000005 a < f ?ret\n", Omissions{}},
		"large times":    {[]row{call(1700000000022017363, "a", "f", schema.Enter), call(math.MaxInt64, "a", "f", schema.Exit)}, "1700000000.022017363 a > f\n9223372036.854775807 a < f\n", Omissions{}},
		"negative times": {[]row{call(-7, "a", "f", schema.Enter), call(-8, "a", "g", schema.Enter), call(3, "a", "g", schema.Exit)}, "0.000000000 a > f\n0.000000000 a > g\n0.000000010 a < g\n", Omissions{Times: 1}},
		"a step back":    {[]row{call(9, "a", "f", schema.Enter), call(3, "a", "f", schema.Exit), call(-1, "a", "f", schema.Enter)}, "0.000000009 a > f\n0.000000003 a < f\n0.000000000 a > f\n", Omissions{Times: 1}},
		"invented":       {[]row{a, invented, further(0), b}, "0.000000000 a > f\n0.000000005 a < f\n", Omissions{Synthetic: 1, Messages: 1}},
		"a lifeline":     {[]row{a.on("a/1"), further(0).on("a/1"), b}, "0.000000000 a > f ?r2\n0.000000005 a < f\n", Omissions{Lifelines: 1}},

		"further message of an event":             {[]row{a, further(0), b}, "0.000000000 a > f ?r2\n0.000000005 a < f\n", Omissions{}},
		"two messages":                            {[]row{a.with(schema.Send, "m", 1), further(0), further(0), b}, "0.000000000 a > f !m1\n0.000000005 a < f\n", Omissions{Messages: 2}},
		"three rows":                              {[]row{a, further(0), further(0), b}, "0.000000000 a > f ?r2\n0.000000005 a < f\n", Omissions{Messages: 1}},
		"message of another time":                 {[]row{a, further(1), b}, "0.000000000 a > f\n0.000000005 a < f\n", Omissions{Messages: 1}},
		"message of another lifeline, then of it": {[]row{a, further(0).on("b"), further(0)}, "0.000000000 a > f\n", Omissions{Messages: 2}},
		"message without an event":                {[]row{further(0), a}, "0.000000000 a > f\n", Omissions{Messages: 1}},

		"names":       {[]row{call(0, "my component", "!f", schema.Enter), call(1, "", "?\tg\x7f\xff\u00a0", schema.Exit), call(2, "my component", "f\n", schema.Enter)}, "0.000000000 my_component > _f\n0.000000001 _ < __g__\u00a0\n0.000000002 my_component > f_\n", Omissions{Names: 5}},
		"long name":   {[]row{call(0, strings.Repeat("é", 3000), "f", schema.Enter)}, "0.000000000 " + strings.Repeat("é", 2048) + " > f\n", Omissions{Names: 1}},
		"identifiers": {identifiers(), "0.000000000 a > f !7\n0.000000000 a > f !m007\n0.000000000 a > f !m1_5\n0.000000000 a > f !m1_\n0.000000000 a > f !_\n0.000000000 a > f !m_-3\n0.000000000 a > f !m_9223372036854775807\n0.000000000 a > f !m999999999999999999\n0.000000000 a > f !a_b1\n", Omissions{Identifiers: 5, Names: 1}},
	} {
		for _, chunk := range []int{1, 2, 100} {
			if got, lost := written(t, c.rows, chunk); got != c.want || lost != c.lost {
				t.Errorf("%s in chunks of %d:\n%swant\n%s%+v", name, chunk, got, c.want, lost)
			}
		}
	}
}

func identifiers() (rows []row) {
	e := call(0, "a", "f", schema.Enter)
	for _, m := range []struct {
		series string
		id     int64
	}{{"", 7}, {"m00", 7}, {"m1", 5}, {"m1", none}, {"", none}, {"m", -3}, {"m", math.MaxInt64}, {"m", mostWhole}, {"a b", 1}} {
		rows = append(rows, e.with(schema.Send, m.series, m.id))
	}
	return rows
}

// TestSynthetic writes invented events where they are wanted.
func TestSynthetic(t *testing.T) {
	e := call(1, "a", "f", schema.Enter)
	e.synthetic = true
	got, lost := written(t, []row{e}, 1, func(w *Writer) { w.Synthetic = true })
	if got != "0.000000001 a > f\n" || lost != (Omissions{}) {
		t.Errorf("%q %+v", got, lost)
	}
}

// samples are the recordings in the repository, and those that the environment names.
func samples(t *testing.T) (paths []string) {
	paths, err := filepath.Glob("../../../testdata/traces/curl-*.txt.zst")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d recordings, %v", len(paths), err)
	}
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" {
		t.Log("set TRACELAKE_RECORDINGS to a folder of recorded traces (*.txt.zst) to write them too; only those of the repository were written")
		return paths
	}
	expect.OK(t, filepath.WalkDir(filepath.Join(root, "curl-loaded"), func(path string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "run-01.txt.zst") {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// TestSameBytes reads recordings and writes the same bytes, whatever the chunks.
func TestSameBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	paths := samples(t)
	for _, path := range paths {
		data := readertest.Load(t, path)
		data = data[:bytes.LastIndexByte(data, '\n')+1] // one recording has a torn last line
		if got, lost := written(t, parsed(t, data), 1+rng.IntN(9000)); got != string(data) || lost != (Omissions{}) {
			t.Errorf("%s: written again it differs; %+v", path, lost)
		}
	}
	t.Logf("%d recordings", len(paths))
}

// TestSameEvents writes random events and reads them again.
func TestSameEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 300 {
		var rows []row
		ns := rng.Int64N(1e12)
		for range rng.IntN(60) {
			ns += rng.Int64N(2e9) - 1e6
			r := call(max(0, ns), string(rune('a'+rng.IntN(5))), string(rune('α'+rng.IntN(9))), schema.Kind(rng.IntN(2)))
			if d := schema.Direction(rng.IntN(3)); d != schema.NoMessage {
				r = r.with(d, []string{"", "m", "m0", "m.", "!", "?x"}[rng.IntN(6)], rng.Int64N(mostWhole/10)>>rng.IntN(55))
			}
			rows = append(rows, r)
		}
		text, lost := written(t, rows, 1+rng.IntN(20))
		if lost != (Omissions{}) {
			lost.Identifiers = 0
		}
		got := parsed(t, []byte(text))
		if lost != (Omissions{}) || !slices.EqualFunc(got, rows, alike) {
			t.Fatalf("%+v\n%s\n%v\nwant\n%v", lost, text, got, rows)
		}
	}
}

// alike compares rows whose identifiers may be cut elsewhere.
func alike(a, b row) bool {
	if a.series != b.series && a.series != b.series+"_" && a.series+"0" != b.series {
		return false
	}
	a.series, a.id = b.series, b.id
	return a == b
}

// TestErrors sees that the first error of the file stays.
func TestErrors(t *testing.T) {
	rows := make([]row, 10_000)
	for i := range rows {
		rows[i] = call(int64(i), "a", "f", schema.Enter)
	}
	for room, wantWrite := range map[int]error{0: errFull, full + 2000: errFull, 170_000: nil} {
		disk := fullDisk(room)
		w := NewWriter(&disk)
		if err := w.Write(add(schema.NewEvents(), rows...)); err != wantWrite {
			t.Errorf("%d bytes: Write gives %v", room, err)
		}
		if err := w.Close(); err != errFull {
			t.Errorf("%d bytes: Close gives %v", room, err)
		}
	}
}

// FuzzNames writes any names and identifiers: the text can be read, and is the same event.
func FuzzNames(f *testing.F) {
	f.Add("my component", "!f", "m1", int64(5), int64(-1))
	f.Add("\xff", "", "", none, int64(math.MaxInt64))
	f.Add("a", "f", strings.Repeat("Y", textfield.MaxName-1), int64(math.MinInt64+1), int64(0))
	f.Fuzz(func(t *testing.T, component, function, series string, id, ns int64) {
		r := call(ns, component, function, schema.Exit).with(schema.Receive, series, id)
		text, lost := written(t, []row{r, call(0, "b", "g", schema.Enter)}, 1)
		got := parsed(t, []byte(text))
		if len(got) != 2 || got[1].component != "b" || got[0].ns != max(ns, 0) {
			t.Fatalf("%q: %v", text, got)
		}
		if same := got[0].component == component && got[0].function == function && got[0].series == series; !same && lost.Names+lost.Identifiers == 0 {
			t.Errorf("%q: %v, and nothing is counted", text, got)
		}
		if lost.Names+lost.Identifiers == 0 && got[0].id != id {
			t.Errorf("%q: %v", text, got)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	ev := schema.NewEvents()
	for i := range 1 << 16 {
		name := string(rune('a' + rng.IntN(20)))
		add(ev, call(int64(i)*1000, "lib_component_"+name, "Curl_function_"+name, schema.Kind(i&1)).with(schema.Direction(1+i/2%2), "m", int64(i/4)))
	}
	w, events := NewWriter(discard{}), 0
	b.ReportAllocs()
	for b.Loop() {
		expect.OK(b, w.Write(ev))
		events += len(ev.Seq)
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
