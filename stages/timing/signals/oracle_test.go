package signals

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// expected are the signals of a trace as another program computed them, in milliseconds and fractions.
type expected struct {
	Span         [2]string
	WIP          []expectedPiece `json:"wip"`
	Throughput   []expectedPiece
	Throughput20 []expectedPiece `json:"throughput_20"`
	Latency      []expectedPiece
	Usage        map[string][]expectedPiece
	Clients      map[string]map[string]string `json:"clients_histogram"`
}

// expectedPiece is from, to, value and slope.
type expectedPiece [4]string

// number reads a fraction times a factor.
func number(t *testing.T, text string, factor int64) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no fraction", text)
	}
	f, _ := r.Mul(r, big.NewRat(factor, 1)).Float64()
	return f
}

const ms = 1_000_000

// TestOracle computes the signals of generated pipelines. Times must be equal to the nanosecond, values to 1e-12.
func TestOracle(t *testing.T) {
	folder := "testdata/pipeline"
	if all := os.Getenv("TRACELAKE_CHECKS"); all != "" {
		folder = filepath.Join(all, "pipeline")
	}
	for _, path := range expect.Value(filepath.Glob(folder + "/*.expected.json"))(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var want struct{ Signals expected }
			expect.OK(t, json.Unmarshal(expect.Value(os.ReadFile(path))(t), &want))
			s := want.Signals
			trace := readClaims(t, strings.TrimSuffix(path, ".expected.json")+".etf")
			over := Span{int64(number(t, s.Span[0], ms)), int64(number(t, s.Span[1], ms))}
			agree(t, "wip", of(t, trace.items, over, 1000*ms, (*Quantity).Sum), s.WIP)
			agree(t, "throughput", of(t, trace.items, over, 1000*ms, throughput(0)), s.Throughput)
			agree(t, "average of throughput", of(t, trace.items, over, 1000*ms, throughput(20*ms)), s.Throughput20)
			agree(t, "latency", of(t, trace.items, over, ms, (*Quantity).Latency), s.Latency)
			for resource, pieces := range s.Usage {
				agree(t, resource, of(t, trace.amounts[resource], over, 1000*ms, (*Quantity).Sum), pieces)
				clients := (&Named{Signal: of(t, trace.clients[resource], over, 1000*ms, (*Quantity).Sum)}).Stream()
				got := map[string]string{}
				bars, _, err := clients.Histogram(100)
				expect.OK(t, err)
				for _, bar := range bars {
					got[fmt.Sprint(bar.From)] = big.NewRat(int64(bar.Ns), ms).RatString()
				}
				expect.Deep(t, got, s.Clients[resource], "clients of %s", resource)
			}
		})
	}
}

// of is a signal of intervals.
func of(t *testing.T, all []Interval, over Span, perNs int64, quantity func(*Quantity) Stream) Signal {
	s, _ := read(t, all, over, perNs, quantity)
	return s
}

// agree compares a signal with expected pieces: at their ends, and at the beginning and in the middle of each.
func agree(t *testing.T, what string, got Signal, want []expectedPiece) {
	t.Helper()
	near := func(got, want float64) bool {
		return got-want <= 1e-12*max(1, want, -want) && want-got <= 1e-12*max(1, want, -want)
	}
	for _, w := range want {
		from, to := int64(number(t, w[0], ms)), int64(number(t, w[1], ms))
		begins := false
		for i := range got.Pieces {
			p := &got.Pieces[i]
			begins = begins || p.FromNs == from || p.FromNs > from && p.FromNs < to && p.degree() > 0
			if lo, hi := max(p.FromNs, from), min(p.ToNs, to); lo < hi {
				here := p.from(lo, got.StepNs)
				slope := number(t, w[3], 1)
				value := number(t, w[2], 1) + slope*float64(lo-from)/ms
				if !near(here.C, value) || !near(here.B*ms/float64(got.StepNs), slope) || here.A != 0 {
					t.Errorf("%s at %d: %v, not %v with slope %v", what, lo, here, value, slope)
				}
			}
		}
		if value, _ := got.At(from); !begins && !near(value, 0) {
			t.Errorf("%s: no piece begins at %d", what, from)
		}
	}
	if from, to := got.Domain(); len(want) > 0 && (from > int64(number(t, want[0][0], ms)) || to < int64(number(t, want[len(want)-1][1], ms))) {
		t.Errorf("%s: from %d to %d", what, from, to)
	}
}

// claims are what the test reads of a trace: the claims of resources by their names, and items by the attribute id.
type claims struct {
	amounts, clients map[string][]Interval
	items            []Interval
}

func readClaims(t *testing.T, path string) claims {
	out := claims{map[string][]Interval{}, map[string][]Interval{}, nil}
	names, items := map[string]string{}, map[string]int{}
	for _, line := range strings.Split(string(expect.Value(os.ReadFile(path))(t)), "\n") {
		head, attributes, _ := strings.Cut(line, ";")
		f, said := strings.Fields(head), map[string]string{}
		for _, pair := range strings.Split(attributes, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			said[name] = value
		}
		if len(f) == 0 {
			continue
		}
		var i Interval
		switch f[0] {
		case "R":
			names[f[1]] = said["name"]
			continue
		case "C":
			i = Interval{int64(number(t, f[2], ms)), int64(number(t, f[3], ms)), number(t, f[5], 1)}
			of := names[f[4]]
			out.amounts[of], out.clients[of] = append(out.amounts[of], i), append(out.clients[of], Interval{i.FromNs, i.ToNs, 1})
		case "E":
			at := int64(number(t, f[2], ms))
			i = Interval{at, at, 1}
		default:
			continue
		}
		at, known := items[said["id"]]
		if !known {
			at = len(out.items)
			items[said["id"]] = at
			out.items = append(out.items, Interval{i.FromNs, i.ToNs, 1})
		}
		item := &out.items[at]
		item.FromNs, item.ToNs = min(item.FromNs, i.FromNs), max(item.ToNs, i.ToNs)
	}
	return out
}

// At returns the value of the signal at a time, and whether the time lies in its domain. At the end of the domain it is the
// limit from the left.
func (s *Signal) At(ns int64) (value float64, within bool) {
	i, found := slices.BinarySearchFunc(s.Pieces, ns, func(p Piece, ns int64) int { return cmp.Compare(p.FromNs, ns) })
	if !found {
		i--
	}
	if i < 0 || i >= len(s.Pieces) || ns > s.Pieces[i].ToNs {
		return 0, false
	}
	p := s.Pieces[i].from(ns, s.StepNs)
	return p.C, true
}
