package etf

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestStamp compares times with rational numbers of any size.
func TestStamp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		unit := []uint64{1, 1e3, 1e6, 1e9, 60e9, 3600e9}[random.IntN(6)]
		text := fmt.Sprint(random.Uint64() >> random.IntN(64))
		if random.IntN(2) == 0 {
			text += fmt.Sprintf(".%0*d", 1+random.IntN(25), random.Uint64()>>random.IntN(64))
		}
		if random.IntN(3) == 0 {
			text += fmt.Sprintf("E%d", random.IntN(60)-40)
		}
		if random.IntN(3) == 0 {
			text = "-" + text
		}
		want, _ := new(big.Rat).SetString(text)
		want.Mul(want, new(big.Rat).SetInt(new(big.Int).SetUint64(unit)))
		floor := new(big.Int).Div(want.Num(), want.Denom())
		got := readStamp([]byte(text), unit)
		if !got.good || got.fits != (floor.IsInt64() && floor.Int64() != -1<<63) || got.fits && !close(got.ns, floor, len(text)) {
			t.Fatalf("%s of %d ns: %+v, want %v", text, unit, got, floor)
		}
	}
	for _, bad := range []string{"", "-", ".", "1.2.3", "1e", "1e+", "0x1", "1 ", "1f5", "NaN", "Infinity", "1e5x"} {
		if readStamp([]byte(bad), 1).good {
			t.Errorf("%q is a time", bad)
		}
	}
}

// close reports whether a time is right to the nanosecond, or to 18 digits where digits beyond the 19th were cut.
func close(ns int64, want *big.Int, digits int) bool {
	d := new(big.Int).Sub(want, big.NewInt(ns))
	return d.Sign() == 0 || digits > maxDigits && (d.CmpAbs(big.NewInt(1)) == 0 || d.Mul(d, big.NewInt(1e17)).CmpAbs(want) < 0)
}

// random is a text with small numbers, so that much coincides, and the executions and messages that it says.
func random(seed uint64) (text []string, calls, messages []string) {
	r := rand.New(rand.NewPCG(seed, 1))
	type span struct{ from, to int }
	spans := make([]span, 1+r.IntN(12))
	for i := range spans {
		from := r.IntN(10)
		spans[i] = span{from, from + r.IntN(4)}
		text = append(text, fmt.Sprintf("C %d %d %d %d 1;name=f%d", i, spans[i].from, spans[i].to, i%2, i))
		calls = append(calls, fmt.Sprint("r", i%2, " f", i, " ", spans[i].from, " ", spans[i].to))
	}
	for range r.IntN(8) {
		kind, a, b := r.IntN(4), r.IntN(len(spans)), r.IntN(len(spans))
		text = append(text, fmt.Sprintf("D 0 %d %d %d;", kind, a, b))
		at := [2]int{spans[a].from, spans[b].from}
		if kind >= 2 {
			at[0] = spans[a].to
		}
		if kind%2 == 1 {
			at[1] = spans[b].to
		}
		messages = append(messages, fmt.Sprint("f", a, " ", at[0], " f", b, " ", at[1], " ", dependencyWords[kind]))
	}
	return append(text, "R 0 1 false;name=r0", "R 1 1 false;name=r1"), calls, messages
}

// TestSaysWhatItReads: every claim is an execution and every dependency a message, wherever the lines stand, and
// what is given out nests.
func TestSaysWhatItReads(t *testing.T) {
	for seed := range uint64(2000) {
		text, calls, messages := random(seed)
		rand.New(rand.NewPCG(seed, 2)).Shuffle(len(text), func(i, j int) { text[i], text[j] = text[j], text[i] })
		got := listen(t, "TU NANOSECONDS\n"+strings.Join(text, "\n"), schema.ReadingOptions{}, 1<<20, true)
		if got.err != nil {
			t.Fatal(got.err)
		}
		nests(t, got)
		gotCalls, gotMessages := said(got)
		slices.Sort(calls)
		slices.Sort(messages)
		if !slices.Equal(gotCalls, calls) || !slices.Equal(gotMessages, messages) {
			t.Fatalf("seed %d\n%s\ngot %q %q\nwant %q %q", seed, strings.Join(text, "\n"), gotCalls, gotMessages, calls, messages)
		}
	}
}

// said is the executions and messages of events, sorted.
func said(got *told) (calls, messages []string) {
	keys, marks := got.reader.Keys(), got.reader.Marks()
	start := map[string]int64{}
	sent := map[int64][2]string{}
	for i, ns := range got.block.TimeNs {
		k, m := keys.At(got.block.Key[i]), marks[got.block.Mark[i]]
		switch k.Kind {
		case schema.Enter:
			start[k.Function] = ns
		case schema.Exit:
			calls = append(calls, fmt.Sprint(k.Component, " ", k.Function, " ", start[k.Function], " ", ns))
		}
		if m.Direction != schema.NoMessage {
			ends := sent[got.block.MessageID[i]]
			ends[m.Direction-schema.Send] = fmt.Sprint(k.Function, " ", ns)
			if sent[got.block.MessageID[i]] = ends; ends[0] != "" && ends[1] != "" {
				messages = append(messages, ends[0]+" "+ends[1]+" "+m.Label)
			}
		}
	}
	slices.Sort(calls)
	slices.Sort(messages)
	return calls, messages
}

// TestLittleMemory reads more than fits into the memory it is given, and gets the same.
func TestLittleMemory(t *testing.T) {
	text := string(large(5_000))
	much, little := listen(t, text, schema.ReadingOptions{}, 1<<30, true), listen(t, text, schema.ReadingOptions{}, 1<<16, true)
	if much.err != nil || little.err != nil {
		t.Fatal(much.err, little.err)
	}
	expect.Slice(t, much.lines(), little.lines(), "events with little memory")
	if len(much.lines()) < 10_000 {
		t.Error(len(much.lines()), "events")
	}
}

// TestManyLanes: claims of which 300 overlap at a time, none in another, need as many lifelines and no more.
func TestManyLanes(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "C %d %d %d 0 1;name=f\n", i, i, i+300)
	}
	got := listen(t, b.String(), schema.ReadingOptions{}, 1<<20, true)
	nests(t, got)
	lifelines := map[string]bool{}
	for _, k := range schema.KeysSince(got.reader.Keys(), 0) {
		lifelines[k.Lifeline] = true
	}
	if len(lifelines) != 300 || len(got.block.TimeNs) != 6000 {
		t.Error(len(lifelines), "lifelines,", len(got.block.TimeNs), "events")
	}
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]bool{
		"TU SECONDS\n": true, "# x\n\nO 5\nT a=b\nR 0 1.0 true;": true, "C 0 0.0 1.0 0 1.0;p1=true": true, "C 0 0 1 0 0 1;": true, "": false,
		"O 5\n": false, "C 0 0.0 1.0 0;": false, "S 0; name = s1": true, "F 0 0 16.0 1.0 0.0 0.0": true, "E x 5;": false, "R 0 1 yes;": false,
		"TU FOO": false, "O x\nTU SECONDS": false, "hello": false, "1 2 E 0x3 0x4": false, "E 1 2": true, "D 1 2 3 4;": true,
	} {
		if Detect([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestLongLines(t *testing.T) {
	long := "TSP 0 0 " + strings.Repeat("(0, 1) ", maxLine/4) + "\n"
	got := listen(t, long+"C 0 0 1 0 1;x="+strings.Repeat("y", 3*window)+",name=a\nR 0 1 false;name=r\n"+long, schema.ReadingOptions{}, 1<<20, true)
	if lines := got.lines(); got.err != nil || len(lines) != 2 || lines[1] != "1000000000 r exit r.a" || got.losses() != "skipped_record 2 t.etf:1:1: a line of a time series" {
		t.Error(got.err, lines, got.losses())
	}
}

func TestStrict(t *testing.T) {
	got := listen(t, "TU SECONDS\nC 1 2 x 0 1;\n", schema.ReadingOptions{}, 1<<20, true)
	if got.err == nil || got.err.Error() != "t.etf:2:1: expected a time" {
		t.Error(got.err)
	}
}

// TestSetsMetAgain declares a resource and a signal twice, with more sets of attributes between than are kept in mind: alike they are no
// defect, and another attribute is one.
func TestSetsMetAgain(t *testing.T) {
	var between strings.Builder
	for i := range 3 << extensions {
		fmt.Fprintf(&between, "E %d 1;id=%d,name=e\n", i, i)
	}
	for again, defects := range map[string]int64{"kind=x": 0, "kind=y": 2} {
		text := "R 0 1 false;name=r,kind=x\nS 0;name=s,kind=x\n" + between.String() + "R 0 1 false;name=r," + again + "\nS 0;name=s," + again + "\n"
		got := readertest.Read(Format(), readertest.Reading(fstest.MapFS{"t": {Data: []byte(text)}}, "t"))
		expect.OK(t, got.Err)
		expect.Equal(t, got.Ledger.Count(schema.DuplicateDef), defects, "defects of %s", again)
	}
}
