package text

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
	"github.com/tracelake/tracelake/testdata/expect"
)

const samples = "../../../testdata/traces"

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
		data := readertest.Load(t, filepath.Join(samples, c.file))
		if f, ok := Detect(data[:min(len(data), 1<<16)]); !ok || f.Name != formatOf(c.dialect).Name {
			t.Errorf("%s: detected %q", c.file, f.Name)
		}
		got := readertest.Parse(newParser(c.dialect), string(data))
		if got.Lines != c.lines || got.Bad != c.bad || int64(len(got.Events)) != c.lines-c.bad {
			t.Errorf("%s: %d lines, %d bad, %d events", c.file, got.Lines, got.Bad, len(got.Events))
		}
		expect.Deep(t, got, plain(c.dialect, string(data)), "%s: the plain reader", c.file)
		if text := write(c.dialect, got.Events); c.bad == 0 && text != string(data) {
			t.Errorf("%s: written again it differs", c.file)
		}
	}
}

// TestPieces cuts traces at random line ends.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, c := range recorded {
		data := string(readertest.Load(t, filepath.Join(samples, c.file)))
		want := readertest.Parse(newParser(c.dialect), data)
		var pieces []string
		for rest := data; rest != ""; {
			n := min(len(rest), rng.IntN(3000))
			n += strings.IndexByte(rest[n:]+"\n", '\n') + 1
			n = min(n, len(rest))
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		expect.Deep(t, readertest.Parse(newParser(c.dialect), pieces...), want, "%s in %d pieces", c.file, len(pieces))
	}
}

func TestFurtherRecordings(t *testing.T) {
	root := readertest.Recordings(t)
	files := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txt.zst") {
			return err
		}
		data := readertest.Load(t, path)
		if f, ok := Detect(data[:min(len(data), 1<<16)]); !ok || f.Name != "thesis" {
			t.Logf("%s is of another format", path)
			return nil
		}
		files++
		data = data[:min(len(data), 4<<20)]
		expect.Deep(t, readertest.Parse(newParser(thesis), string(data)), plain(thesis, string(data)), "%s: the plain reader", path)
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
		if e.Key.Kind == schema.Message {
			fmt.Fprintf(&out, " %s", message(e))
			continue
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%d.%09d ", e.Ns/textfield.Second, e.Ns%textfield.Second)
		if _, executor, ok := strings.Cut(e.Key.Lifeline, "/"); ok {
			fmt.Fprintf(&out, "%s ", executor)
		} else if d == tmsctrace {
			fmt.Fprintf(&out, "%s ", e.Key.Component)
		}
		fmt.Fprintf(&out, "%s %c %s", e.Key.Component, "><"[e.Key.Kind], e.Key.Function)
		if e.Mark.Direction != schema.NoMessage {
			fmt.Fprintf(&out, " %s", message(e))
		}
	}
	if len(events) > 0 {
		out.WriteByte('\n')
	}
	return out.String()
}

func message(e event) string {
	text := string(" !?"[e.Mark.Direction]) + e.Mark.Series
	if e.ID != schema.NoValue {
		text += fmt.Sprint(e.ID)
	}
	return text
}

func TestRoundTrip(t *testing.T) {
	for _, d := range []dialect{thesis, tmsctrace} {
		want := random(d, 2000)
		expect.Deep(t, readertest.Parse(newParser(d), write(d, want)).Events, want, "dialect %d", d)
	}
}

// random makes events that the dialect can write.
func random(d dialect, n int) []event {
	rng := rand.New(rand.NewPCG(3, uint64(d)))
	var out []event
	for line := range n {
		name := fmt.Sprintf("C%d", rng.IntN(20))
		e := event{Line: line, Ns: rng.Int64N(1 << (1 + rng.IntN(62))), ID: schema.NoValue,
			Key: schema.EventKey{Component: name, Lifeline: name, Function: strings.Repeat("é", 1+rng.IntN(9)), Kind: uint8(rng.IntN(2))}}
		messages := rng.IntN(2)
		if d == tmsctrace {
			messages = rng.IntN(4)
			if rng.IntN(2) == 0 {
				e.Key.Lifeline += "/worker"
			}
		}
		if messages == 0 {
			out = append(out, e)
		}
		for range messages {
			e.Mark = schema.MessageMark{Direction: uint8(1 + rng.IntN(2)), Series: "s" + strings.Repeat("-", rng.IntN(12))}
			e.Mark.Label = e.Mark.Series
			e.ID = rng.Int64N(1 << (1 + rng.IntN(59)))
			out = append(out, e)
			e.Key.Kind = schema.Message
		}
	}
	return out
}
