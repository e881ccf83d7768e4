package otf1

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"unicode/utf8"

	"github.com/klauspost/compress/zlib"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// rewritten changes the text of every file but the master.
func rewritten(files map[string]string, change func(name, text string) (string, string)) map[string]string {
	out := map[string]string{"t.otf": files["t.otf"]}
	for name, text := range files {
		if name != "t.otf" {
			name, text = change(name, text)
			out[name] = text
		}
	}
	return out
}

var keyword = regexp.MustCompile(`[A-Z#]+|[0-9a-f]+|"[^"]*"|\*|,`)

// longWords are the other spellings of the keywords that the generated traces have; G, L, T and C are fields there
// unless they begin a line.
var longWords = map[string]string{"E": "ENTER", "S": "SEND", "R": "RECEIVE", "T": "TAG", "C": "COMM", "NM": "NAME", "G": "GROUP",
	"DF": "DEFFUNCTION", "DFG": "DEFFUNCTIONGROUP", "DP": "DEFPROCESS", "DPG": "DEFPROCESSGROUP", "DTR": "DEFTIMERRESOLUTION"}

// spelled writes every record in other words, with blanks between.
func spelled(rng *rand.Rand, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		for i, word := range keyword.FindAllString(line, -1) {
			if other := longWords[word]; other != "" && rng.IntN(3) > 0 {
				word = other
			} else if word == "L" {
				word = [...]string{"LEAVE", "LEN"}[min(i, 1)]
			}
			out.WriteString(word + strings.Repeat(" ", rng.IntN(2)) + strings.Repeat("\t", rng.IntN(2)))
		}
		out.WriteString([...]string{"\n", "\r\n", " \n", "\n\n", "\n \n"}[rng.IntN(5)])
	}
	return out.String()
}

// squeezer compresses: one for all texts, since a new one is more work than a short text is.
var squeezer = zlib.NewWriter(nil)

// squeezed compresses as the library does: with flushes, and without an end.
func squeezed(t testing.TB, text string, finished bool) string {
	t.Helper()
	var out bytes.Buffer
	squeezer.Reset(&out)
	for piece := range slices.Chunk([]byte(text), 5000) {
		expect.Value(squeezer.Write(piece))(t)
		expect.OK(t, squeezer.Flush())
	}
	if finished {
		expect.OK(t, squeezer.Close())
	}
	return out.String()
}

// told puts into a stream what says nothing new: snapshots, key-values, the process again.
func told(rng *rand.Rand, text string) string {
	var out strings.Builder
	process := "*0\n"
	for line := range strings.Lines(text) {
		if line[0] == '*' {
			process = line
		}
		if strings.Contains("ELSR*", line[:1]) && rng.IntN(3) == 0 {
			out.WriteString([...]string{"TE1O1\n", "TSEND 1 OTIME 1 LEN 1 TAG 1 COMM 1\n", "N\n", "K1Y8V55\n", "PB\n", ""}[rng.IntN(6)])
		}
		if out.WriteString(line); line[0] == '*' && rng.IntN(3) == 0 {
			out.WriteString(process)
		}
	}
	return out.String()
}

// later adds a number to every time.
func later(text string, by uint64) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if hexDigit[line[0]] < 16 {
			line = fmt.Sprintf("%x\n", hexOf(strings.TrimSpace(line))+by)
		}
		out.WriteString(line)
	}
	return out.String()
}

// TestRewritten reads traces that say the same in other ways.
func TestRewritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 60 {
		files := random(rng)
		if i == 0 {
			files = corpus(40_000, 3)
		}
		want := read(folder(files), "t.otf")
		for name, change := range map[string]func(name, text string) (string, string){
			"spelled":    func(name, text string) (string, string) { return name, spelled(rng, text) },
			"unfinished": func(name, text string) (string, string) { return name + ".z", squeezed(t, text, false) },
			"finished":   func(name, text string) (string, string) { return name + ".z", squeezed(t, text, true) },
			"later": func(name, text string) (string, string) {
				if strings.HasSuffix(name, ".events") {
					text = later(text, 1<<40)
				}
				return name, text
			},
			"told": func(name, text string) (string, string) {
				if strings.HasSuffix(name, ".events") {
					text = told(rng, text)
				}
				return name, text
			},
		} {
			other := rewritten(files, change)
			got := read(folder(other), "t.otf")
			if !slices.Equal(got.Events, want.Events) || got.Err != nil || len(got.Ledger.Losses("")) > 0 {
				t.Fatalf("trace %d %s: %s; %v %v", i, name, firstOther(got.Events, want.Events), got.Err, got.Ledger.Losses(""))
			}
		}
		if got := read(slowFS{folder(files)}, "t.otf"); !slices.Equal(got.Events, want.Events) {
			t.Fatalf("trace %d byte by byte: %s", i, firstOther(got.Events, want.Events))
		}
	}
}

// slowFS has files that give a byte at a time.
type slowFS struct{ fs.FS }

type slowFile struct {
	fs.File
	slow io.Reader
}

func (f slowFile) Read(p []byte) (int, error) { return f.slow.Read(p) }

func (s slowFS) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return slowFile{f, iotest.OneByteReader(f)}, nil
}

// TestDamaged reads a compressed stream that is cut and one whose bytes are spoilt: what comes before is kept.
func TestDamaged(t *testing.T) {
	files := corpus(20_000, 1)
	want := read(folder(files), "t.otf").Events
	whole := squeezed(t, files["t.1.events"], false)
	delete(files, "t.1.events")
	spoilt := []byte(whole)
	for i := len(spoilt) / 2; i < len(spoilt)/2+64; i++ {
		spoilt[i] ^= 0xff
	}
	for _, c := range []struct {
		name, data string
		reason     schema.Reason
	}{
		{"cut", whole[:len(whole)*2/3], schema.TornRecord},
		{"spoilt", string(spoilt), schema.BadRecord},
		{"no zlib", "x\x01" + whole, schema.BadRecord},
	} {
		files["t.1.events.z"] = c.data
		out := read(folder(files), "t.otf")
		n := len(out.Events)
		if n == 0 != (c.name == "no zlib") || n >= len(want) || out.Err != nil || out.Ledger.Count(c.reason) == 0 {
			t.Errorf("%s: %d events of %d, %v, %v", c.name, n, len(want), out.Err, out.Ledger.Losses(""))
		}
		if c.name == "cut" && !slices.Equal(out.Events, want[:n]) {
			t.Errorf("%s: %s", c.name, firstOther(out.Events, want[:n]))
		}
	}
}

// TestUnreadable stops at a file that cannot be read, and at an error of the taker.
func TestUnreadable(t *testing.T) {
	files := folder(corpus(1000, 2))
	out := read(brokenFS{files}, "t.otf")
	if out.Err == nil || !errors.Is(out.Err, errDisk) || !strings.HasPrefix(out.Err.Error(), "t.2.events:") {
		t.Errorf("error %v", out.Err)
	}
	full := errors.New("full")
	for _, stop := range []int{0, 1, 2} {
		r := Format().NewReader(&schema.Reading{Traces: []schema.Trace{{FS: folder(corpus(40_000, 1)), Path: "t.otf"}}, Ledger: new(schema.Ledger)})
		calls := 0
		err := r.Read(func(*schema.Block) (*schema.Block, error) {
			if calls++; calls > stop {
				return nil, full
			}
			return new(schema.Block), nil
		})
		if err != full {
			t.Errorf("stop after %d blocks: %v", stop, err)
		}
	}
}

var errDisk = errors.New("the disk is gone")

type brokenFS struct{ fs.FS }

func (b brokenFS) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if err != nil || name != "t.2.events" {
		return f, err
	}
	return slowFile{f, io.MultiReader(io.LimitReader(f, 500), iotest.ErrReader(errDisk))}, nil
}

// TestLongLines has a record longer than a buffer, which is read, and one too long, which is cut and counted.
func TestLongLines(t *testing.T) {
	files := corpus(2000, 1)
	want := read(folder(files), "t.otf").Events
	for length, reason := range map[int]schema.Reason{3 * firstBuffer: schema.SkippedRecord, longestLine + 100: schema.SkippedRecord} {
		files["t.1.events"] = corpus(2000, 1)["t.1.events"]
		first := strings.Index(files["t.1.events"], "E")
		files["t.1.events"] = files["t.1.events"][:first] + "#\"" + strings.Repeat("x", length) + "\"\n" + files["t.1.events"][first:]
		out := read(folder(files), "t.otf")
		if !slices.Equal(out.Events, want) || out.Ledger.Count(reason) != 1 {
			t.Errorf("%d bytes: %s, %v", length, firstOther(out.Events, want), out.Ledger.Losses(""))
		}
	}
	files = corpus(10, 1)
	files["t.0.def"] += "DPG2M" + strings.Repeat("1,", longestLine/2) + "NM\"all\"\nDP2NM\"p\"\n"
	if out := read(folder(files), "t.otf"); out.Ledger.Count(schema.BadRecord) != 1 || out.Err != nil {
		t.Errorf("definition: %v %v", out.Ledger.Losses(""), out.Err)
	}
}

// TestManyTags sees that labels without end do not become marks without end.
func TestManyTags(t *testing.T) {
	files := corpus(0, 1)
	var text strings.Builder
	text.WriteString("1\n*1\nE1\n")
	for i := range 3 * manyMarks {
		fmt.Fprintf(&text, "S1L1T%xC1\nR1L1T%xC1\n", i, i)
	}
	files["t.1.events"] = text.String()
	r := Format().NewReader(&schema.Reading{Traces: []schema.Trace{{FS: folder(files), Path: "t.otf"}}, Ledger: new(schema.Ledger)})
	expect.OK(t, r.Read(func(*schema.Block) (*schema.Block, error) { return new(schema.Block), nil }))
	if n := len(r.Marks()); n != 1+manyMarks+2 || r.Marks()[n-1].Label != "world" {
		t.Errorf("%d marks", n)
	}
	if m := r.(*reader).messages; len(m.queues) > manyQueues+1 || len(m.pool) > 1 {
		t.Errorf("%d queues and %d messages are kept", len(m.queues), len(m.pool))
	}
}

// FuzzRead reads any text as a stream and as definitions: it comes to an end, and what it gives holds together and
// does not depend on how the file is cut into reads.
func FuzzRead(f *testing.F) {
	small := corpus(0, 2)
	f.Add(corpus(40, 1)["t.1.events"], small["t.0.def"][:200], false)
	f.Add("1\n*1\nE1\nS2L1T1C1\n2\nR1L1T1C1\nL\n", "DTR3\nDTRG1T5\nDP1NM\"p\"PT1\nDF1G1NM\"f\"X1\nDS1F1LN1\nDSF1NM\"/a/b\"\n", true)
	f.Add("1\n*1\nENTER 1 SCL 2\nK1Y8V5\nS2L1T1C1X1\nL1\nL\nCNT1V1\nTE1O1\nDF7G1NM\"x\"\n*ffffffffffffffff\nEffffffff\n", "DTRffffffffffffffff\nDPG1M1,2,NM\"a\"\n", false)
	f.Fuzz(func(t *testing.T, events, definitions string, zip bool) {
		name := "t.1.events"
		fsys := fstest.MapFS{"t.otf": {Data: []byte("1:1\n2:2\n")}, "t.0.def": {Data: []byte("DTR10\n" + definitions)}}
		fsys["t.2.events"] = &fstest.MapFile{Data: []byte("3\n*1\nS1L1T1C1\nE1\n*2\nR1L1T1C1\nL\n")}
		if zip {
			name, events = name+".z", squeezed(t, events, len(events)%2 == 0)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(events)}
		out := read(fsys, "t.otf")
		if len(out.Events) > 2*len(events)+2*len(definitions)+20 && !zip {
			t.Fatalf("%d events", len(out.Events))
		}
		for _, e := range out.Events {
			if e.Key.Component == "" || e.Key.Lifeline == "" || e.Key.Function == "" || (e.Mark.Direction == schema.NoMessage) != (e.ID == schema.NoValue) || !utf8.ValidString(e.String()) {
				t.Fatalf("event %+v", e)
			}
		}
		expect.Equal(t, read(slowFS{fsys}, "t.otf").String(), out.String(), "byte by byte")
	})
}

// FuzzDetect reads any beginning.
func FuzzDetect(f *testing.F) {
	f.Add([]byte("1:1,2\n2:3\n"))
	f.Add([]byte("i2:1:1\n100001:1\nx"))
	f.Fuzz(func(t *testing.T, head []byte) {
		found := Detect(head)
		if out := read(folder(map[string]string{"t.otf": string(head), "t.1.events": "1\n"}), "t.otf"); found && out.Err == nil {
			t.Error("there are no definitions, so this cannot be read")
		}
	})
}
