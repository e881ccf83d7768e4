package reconcile_test

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/offset"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recorded is a trace of curl, or the test is skipped.
func recorded(t *testing.T, name string) []string {
	t.Helper()
	dir := os.Getenv("TRACELAKE_RECORDINGS")
	if dir == "" {
		t.Skip("TRACELAKE_RECORDINGS does not name the recordings: clocks are not compared on a real trace")
	}
	packed, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no recording: %v", err)
	}
	r := expect.Value(zstd.NewReader(nil))(t)
	defer r.Close()
	text := expect.Value(r.DecodeAll(packed, nil))(t)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// split is a trace torn in two units: the tool, whose clock is right, and the library, whose clock shows
// t + 12.345 s + 80 ppm t.
type split struct {
	tool, library strings.Builder
	whole         strings.Builder // by the right clock
	pair          *offset.Pair    // library to tool, by the list of messages itself
	forth, back   int64
}

const offsetNs, drift = 12_345_000_000, 80e-6

// shown is what the clock of the library shows at a time.
func shown(t int64) int64 { return t + offsetNs + int64(math.Floor(drift*float64(t))) }

// tear splits the lines; every message between the units takes longer by what latency says, and all that comes after is
// later.
func tear(t *testing.T, lines []string, latency func() int64) *split {
	s := &split{}
	type sent struct {
		library bool
		at      int64
	}
	open := make(map[string]sent)
	late := int64(0)
	for _, line := range lines {
		time, rest, _ := strings.Cut(line, " ")
		digits := strings.Replace(time, ".", "", 1)
		at, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || len(digits)-strings.IndexByte(time, '.') != 9 {
			t.Fatalf("%q: %v", line, err)
		}
		library := strings.HasPrefix(rest, "lib_")
		fields := strings.Fields(rest)
		id := fields[len(fields)-1]
		other, crossing := open[id[1:]]
		if crossing = crossing && id[0] == '?' && other.library != library; crossing {
			late += latency()
		}
		at += late
		fmt.Fprintf(&s.whole, "%d.%09d %s\n", at/1e9, at%1e9, rest)
		if library {
			at = shown(at)
		}
		if id[0] == '!' {
			open[id[1:]] = sent{library, at}
		} else if crossing {
			s.note(other.library, other.at, at)
		}
		out := &s.tool
		if library {
			out = &s.library
		}
		fmt.Fprintf(out, "%d.%09d %s\n", at/1e9, at%1e9, rest)
	}
	return s
}

func (s *split) note(fromLibrary bool, sent, received int64) {
	if s.pair == nil {
		origin, other := received, sent
		if fromLibrary {
			origin, other = sent, received
		}
		s.pair = offset.NewPair(origin, other)
	}
	if fromLibrary {
		s.forth++
		s.pair.Before(sent, received)
	} else {
		s.back++
		s.pair.After(received, sent)
	}
}

// TestCurl finds the relation of the two clocks from the messages of a real run: with the latencies of the text, which are
// 1 ns, and with random ones. The truth is within the bounds, and they are those of the messages themselves.
func TestCurl(t *testing.T) {
	lines := recorded(t, "curl-quiet/8.14.1/http-fast/run-01.txt.zst")
	random := rand.New(rand.NewSource(6))
	slow := func() int64 { return 10_000 + random.Int63n(190_000) }
	for i, latency := range []func() int64{func() int64 { return 0 }, slow} {
		name := []string{"as recorded", "slow"}[i]
		s := tear(t, lines, latency)
		j := two(t, s.tool.String(), s.library.String())
		j.Units[0].Name, j.Units[1].Name = "tool", "library"
		o := reconciled(t, j)
		b := o.Bounds[0]
		t.Logf("%s: %d events, %d and %d messages; offset %d in [%d, %d], drift %.3f ppm in [%.3f, %.3f], gap %d, moved %d by up to %d ns", name, o.Run.Events,
			b.Forth, b.Back, b.OffsetNs, *b.OffsetLeastNs, *b.OffsetMostNs, b.DriftPpm, *b.DriftLeastPpm, *b.DriftMostPpm, *b.GapNs, b.Moved, b.FarthestNs)
		within(t, b)
		exact := s.pair.Bounds()
		for what, d := range map[string]float64{
			"least offset": exact.MinOffset - float64(*b.OffsetLeastNs), "most offset": exact.MaxOffset - float64(*b.OffsetMostNs), "offset": exact.Offset - float64(b.OffsetNs),
			"least drift": exact.MinDrift*1e9 - 1e3**b.DriftLeastPpm, "most drift": exact.MaxDrift*1e9 - 1e3**b.DriftMostPpm, "gap": exact.Gap - float64(*b.GapNs),
			"forth": float64(s.forth - b.Forth), "back": float64(s.back - b.Back),
		} {
			if math.Abs(d) > 1 {
				t.Errorf("%s: the %s of the messages themselves is %g away", name, what, d)
			}
		}
		ingested(t, j.Lake, "whole", s.whole.String())
		whole := rows[schema.Run](t, j.Lake, "runs", "whole")[0]
		if !b.Possible || o.Run.Events != whole.Events || o.Run.Messages != whole.Messages || o.Run.Executions != whole.Executions ||
			len(o.Losses) != 1 || o.Losses[0].Reason != schema.InferredCallback.Name {
			t.Errorf("%s: %+v %+v, and not %+v", name, o.Run, o.Losses, whole)
		}
		for _, r := range rows[occurrence](t, j.Lake, "occurrences", "both") {
			if *r.LeftSeq >= *r.RightSeq {
				t.Fatalf("%s: %v", name, r)
			}
		}
	}
}

// within checks that truth and estimate respect the bounds. The library shows b = a + offset + drift a, so that the tool
// shows a = (b - offset) / (1 + drift): at the origin less by a - b, and running slow by 1 - 1 / (1 + drift).
func within(t *testing.T, b schema.ClockBound) {
	t.Helper()
	truth := float64(b.OriginNs-offsetNs)/(1+drift) - float64(b.OriginNs)
	for what, offset := range map[string]float64{"truth": truth, "estimate": float64(b.OffsetNs)} {
		if offset < float64(*b.OffsetLeastNs)-1 || offset > float64(*b.OffsetMostNs)+1 {
			t.Errorf("the %s %f is not from %d to %d", what, offset, *b.OffsetLeastNs, *b.OffsetMostNs)
		}
	}
	for what, ppm := range map[string]float64{"truth": (1/(1+drift) - 1) * 1e6, "estimate": b.DriftPpm} {
		if ppm < *b.DriftLeastPpm || ppm > *b.DriftMostPpm {
			t.Errorf("the %s %f ppm is not from %f to %f", what, ppm, *b.DriftLeastPpm, *b.DriftMostPpm)
		}
	}
}
