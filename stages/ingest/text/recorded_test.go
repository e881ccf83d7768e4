package text

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

const samples = "../../../testdata/traces"

// recordings is the environment variable that names a folder of further traces, *.txt.zst.
const recordings = "TRACELAKE_RECORDINGS"

func load(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".zst") {
		return data
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if data, err = r.DecodeAll(data, nil); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// recorded says of each sample how many lines it has, and how many of them are bad.
var recorded = []struct {
	file       string
	dialect    dialect
	lines, bad int64
}{
	{"curl-8.14.1-http-fast-run-01.txt.zst", thesis, 15228, 0},
	{"curl-8.14.1-connection-refused.txt.zst", thesis, 12436, 0},
	{"curl-8.14.1-killed9-missing-exits.txt.zst", thesis, 30962, 0},
	{"curl-8.14.1-overflow-tail-dropped.txt.zst", thesis, 11272, 0},
	{"curl-8.14.1-torn-last-line.txt.zst", thesis, 5771, 1},
	{"tr1000.tmsctrace", tmsctrace, 1000, 0},
}

func TestRecorded(t *testing.T) {
	for _, c := range recorded {
		data := load(t, filepath.Join(samples, c.file))
		if f, ok := Detect(data[:min(len(data), 1<<16)]); !ok || f.Name != formatOf(c.dialect).Name {
			t.Errorf("%s: detected %q", c.file, f.Name)
		}
		got := read(newParser(c.dialect), string(data))
		if got.lines != c.lines || got.bad != c.bad || int64(len(got.events)) != c.lines-c.bad {
			t.Errorf("%s: %d lines, %d bad, %d events", c.file, got.lines, got.bad, len(got.events))
		}
		if want := plain(c.dialect, string(data)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the plain reader disagrees", c.file)
		}
		if text := write(c.dialect, got.events); c.bad == 0 && text != string(data) {
			t.Errorf("%s: written again it differs", c.file)
		}
	}
}

// TestPieces cuts traces at random line ends.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range recorded {
		data := string(load(t, filepath.Join(samples, c.file)))
		want := read(newParser(c.dialect), data)
		var pieces []string
		for rest := data; rest != ""; {
			n := min(len(rest), rng.IntN(3000))
			n += strings.IndexByte(rest[n:]+"\n", '\n') + 1
			n = min(n, len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if got := read(newParser(c.dialect), pieces...); !reflect.DeepEqual(got, want) {
			t.Errorf("%s in %d pieces: differs", c.file, len(pieces))
		}
	}
}

func TestFurtherRecordings(t *testing.T) {
	root := os.Getenv(recordings)
	if root == "" {
		t.Skipf("set %s to a folder of recorded traces (*.txt.zst) to read them too", recordings)
	}
	files := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txt.zst") {
			return err
		}
		data := load(t, path)
		if f, ok := Detect(data[:min(len(data), 1<<16)]); !ok || f.Name != "thesis" {
			t.Logf("%s is of another format", path)
			return nil
		}
		files++
		data = data[:min(len(data), 4<<20)]
		if !reflect.DeepEqual(read(newParser(thesis), string(data)), plain(thesis, string(data))) {
			t.Errorf("%s: the plain reader disagrees", path)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files in %s: %v", files, root, err)
	}
	t.Logf("%d files", files)
}

// write is the opposite of Parse for times with nine decimals.
func write(d dialect, events []event) string {
	var out bytes.Buffer
	for i, e := range events {
		if e.key.Kind == schema.Message {
			fmt.Fprintf(&out, " %s", message(e))
			continue
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%d.%09d ", e.ns/textfield.Second, e.ns%textfield.Second)
		if _, executor, ok := strings.Cut(e.key.Lifeline, "/"); ok {
			fmt.Fprintf(&out, "%s ", executor)
		} else if d == tmsctrace {
			fmt.Fprintf(&out, "%s ", e.key.Component)
		}
		fmt.Fprintf(&out, "%s %c %s", e.key.Component, "><"[e.key.Kind], e.key.Function)
		if e.mark.Direction != schema.NoMessage {
			fmt.Fprintf(&out, " %s", message(e))
		}
	}
	if len(events) > 0 {
		out.WriteByte('\n')
	}
	return out.String()
}

func message(e event) string {
	text := string(" !?"[e.mark.Direction]) + e.mark.Series
	if e.id != schema.NoValue {
		text += fmt.Sprint(e.id)
	}
	return text
}

func TestRoundTrip(t *testing.T) {
	for _, d := range []dialect{thesis, tmsctrace} {
		want := random(d, 2000)
		if got := read(newParser(d), write(d, want)).events; !reflect.DeepEqual(got, want) {
			t.Errorf("dialect %d: differs", d)
		}
	}
}

// random makes events that the dialect can write.
func random(d dialect, n int) []event {
	rng := rand.New(rand.NewPCG(3, uint64(d)))
	var out []event
	for line := range n {
		name := fmt.Sprintf("C%d", rng.IntN(20))
		e := event{line: line, ns: rng.Int64N(1 << (1 + rng.IntN(62))), id: schema.NoValue,
			key: schema.EventKey{Component: name, Lifeline: name, Function: strings.Repeat("é", 1+rng.IntN(9)), Kind: uint8(rng.IntN(2))}}
		messages := rng.IntN(2)
		if d == tmsctrace {
			messages = rng.IntN(4)
			if rng.IntN(2) == 0 {
				e.key.Lifeline += "/worker"
			}
		}
		if messages == 0 {
			out = append(out, e)
		}
		for range messages {
			e.mark = schema.MessageMark{Direction: uint8(1 + rng.IntN(2)), Series: "s" + strings.Repeat("-", rng.IntN(12))}
			e.mark.Label = e.mark.Series
			e.id = rng.Int64N(1 << (1 + rng.IntN(59)))
			out = append(out, e)
			e.key.Kind = schema.Message
		}
	}
	return out
}
