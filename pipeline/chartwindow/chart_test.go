package chartwindow_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// run is the constraints of a run in some buckets, and all of them in words by target.
type run struct {
	buckets []*schema.Constraints
	into    map[int64][]string
	lo, hi  int64 // of sources and targets
}

// random makes constraints into n events: gaps of sequence numbers, which start below 0; some events without
// constraints, some with many; names and nulls.
func random(rng *rand.Rand, n, buckets int) *run {
	r := &run{into: make(map[int64][]string)}
	for range buckets {
		r.buckets = append(r.buckets, schema.NewConstraints(new(schema.Names)))
	}
	seq, ns := -rng.Int63n(50), int64(1000)
	r.lo = seq
	for range n {
		seq, ns = seq+1+rng.Int63n(3)*rng.Int63n(9), ns+rng.Int63n(9)
		c := r.buckets[rng.Intn(buckets)]
		component := "c" + fmt.Sprint(rng.Intn(9))
		for k := range rng.Intn(4) * (1 + rng.Intn(2)*rng.Intn(3)) {
			schema.Extend(c, 1)
			i := len(c.Target) - 1
			c.Target[i], c.Source[i], c.TargetNs[i], c.DurationNs[i] = seq, seq-1-rng.Int63n(40), ns, rng.Int63n(9)
			c.SlackNs[i], c.Critical[i] = rng.Int63n(5)-1, rng.Intn(2) == 0
			if c.SlackNs[i] < 0 {
				c.SlackNs[i] = schema.NoValue
			}
			c.Component[i], c.Function[i] = c.Names.Components.Code(component), c.Names.Functions.Code("f"+fmt.Sprint(rng.Intn(5)))
			c.Sender[i], c.Label[i] = schema.NoCode, schema.NoCode
			if c.Kind[i] = schema.OnLifeline; k > 0 {
				c.Kind[i], c.Sender[i] = schema.ByMessage, c.Names.Components.Code("c"+fmt.Sprint(rng.Intn(9)))
				if rng.Intn(3) > 0 {
					c.Label[i] = c.Names.Messages.Code("m" + fmt.Sprint(rng.Intn(5)))
				}
			} else if rng.Intn(3) == 0 {
				c.Function[i] = schema.NoCode
			}
			r.lo, r.hi = min(r.lo, c.Source[i]), seq+1
			r.into[seq] = append(r.into[seq], row(c, i))
		}
	}
	return r
}

// words are what a constraint is.
func words(e window.Edge, p window.Part, n *schema.Names, want chartwindow.Want) string {
	out := fmt.Sprint(e.Source, e.TargetNs, e.DurationNs)
	if want.Flags || want.Parts {
		out += fmt.Sprint(" flags ", e.Flags&^window.Idle)
	}
	if want.Bounds {
		out += fmt.Sprint(" bound ", e.BoundNs)
	}
	if want.Parts {
		out += fmt.Sprintf(" of %s %s, idle %t", n.Components.Name(p.Component), name(&n.Functions, p.Function), e.Flags&window.Idle != 0)
		out += fmt.Sprintf(" from %s %s %t", name(&n.Components, p.Sender), name(&n.Messages, p.Label), p.Message)
	}
	return out
}

func name(d *schema.Dictionary, c schema.Code) string {
	if c == schema.NoCode {
		return "null"
	}
	return d.Name(c)
}

// row is a row of a table as words, with all columns.
func row(c *schema.Constraints, i int) string {
	e := window.Edge{Source: c.Source[i], TargetNs: c.TargetNs[i], DurationNs: c.DurationNs[i], BoundNs: schema.NoValue}
	if c.SlackNs[i] != schema.NoValue {
		e.BoundNs = e.DurationNs - c.SlackNs[i]
	}
	p := window.Part{Component: c.Component[i], Function: c.Function[i], Sender: c.Sender[i], Label: c.Label[i], Message: c.Kind[i] == schema.ByMessage, Kind: c.Kind[i]}
	switch {
	case p.Message:
		e.Flags = window.Message
	case p.Function == schema.NoCode:
		e.Flags = window.Idle
	}
	if c.Critical[i] {
		e.Flags |= window.Critical
	}
	return words(e, p, c.Names, chartwindow.Want{Bounds: true, Flags: true, Parts: true})
}

// write writes tables as files with row groups of so many rows; fresh is an empty table with the names of another.
func write[T schema.Columns](t *testing.T, groupRows int, tables []T, fresh func(T) T) (*lake.Lake, *lake.Manifest) {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	m := new(lake.Manifest)
	for i, table := range tables {
		var file bytes.Buffer
		w, part := parquet.NewWriter(&file, table), fresh(table)
		w.GroupRows = groupRows
		for row := range schema.Rows(table) {
			appendRow(part, table, row)
			expect.OK(t, w.WriteFull(part))
		}
		s := expect.Value(w.Close(part))(t)
		sum := fmt.Sprintf("%08x", crc32.Checksum(file.Bytes(), crc32.MakeTable(crc32.Castagnoli)))
		f := lake.File{Path: fmt.Sprintf("%d.parquet", i), Bucket: i, Rows: s.Rows, Bytes: int64(file.Len()), Crc32c: sum}
		expect.OK(t, os.WriteFile(filepath.Join(l.Dir, f.Path), file.Bytes(), 0o666))
		m.Files = append(m.Files, f)
	}
	return l, m
}

func appendRow(to, from schema.Columns, row int) {
	source := from.Columns()
	for i, c := range to.Columns() {
		switch {
		case c.Ints != nil:
			*c.Ints = append(*c.Ints, (*source[i].Ints)[row])
		case c.Codes != nil:
			*c.Codes = append(*c.Codes, (*source[i].Codes)[row])
		case c.Enum != nil:
			*c.Enum = append(*c.Enum, (*source[i].Enum)[row])
		default:
			*c.Bools = append(*c.Bools, (*source[i].Bools)[row])
		}
	}
}

func constraintsLike(c *schema.Constraints) *schema.Constraints {
	return schema.NewConstraints(c.Names)
}

// Windows of any size have the constraints of the table, whatever the row groups; up and down.
func TestWindows(t *testing.T) {
	for seed := range int64(12) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(80), 1+rng.Intn(3))
		l, m := write(t, []int{1, 2, 3, 7, 50, 1000}[rng.Intn(6)], r.buckets, constraintsLike)
		want := chartwindow.Want{Bounds: rng.Intn(3) > 0, Flags: rng.Intn(3) > 0, Parts: rng.Intn(3) > 0}
		c := expect.Value(chartwindow.Open(l, m, want, 1+rng.Intn(3)))(t)
		if len(r.into) > 0 && c.Span() != (chartwindow.Range{Lo: min(r.lo, c.Span().Lo), Hi: r.hi}) {
			t.Fatalf("seed %d: span %v, want %d to %d", seed, c.Span(), r.lo, r.hi)
		}
		for _, edges := range []int64{1, 1 + rng.Int63n(60), 1 << 18} {
			r.sweep(t, c, want, c.Windows(c.Span(), edges), true)
			lo := c.Span().Lo + rng.Int63n(c.Span().Hi-c.Span().Lo+1) - 5
			some := c.Windows(chartwindow.Range{Lo: lo, Hi: lo + rng.Int63n(60)}, edges)
			rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
			r.sweep(t, c, want, some, false)
		}
		c.Close()
	}
}

// sweep goes over windows up and down and compares every constraint.
func (r *run) sweep(t *testing.T, c *chartwindow.Chart, want chartwindow.Want, windows []chartwindow.Range, all bool) {
	t.Helper()
	var order []chartwindow.Range
	var got []window.Window
	keep := func(w *window.Window) error {
		order = append(order, chartwindow.Range{Lo: w.Lo, Hi: w.Hi})
		got = append(got, window.Window{Lo: w.Lo, Hi: w.Hi, First: slices.Clone(w.First), Edges: slices.Clone(w.Edges)})
		return nil
	}
	expect.OK(t, c.Up(t.Context(), windows, keep))
	expect.Slice(expect.Must(t), order, windows, "windows on the way up")
	order = nil
	expect.OK(t, c.Down(t.Context(), windows, keep))
	slices.Reverse(order)
	expect.Slice(expect.Must(t), order, windows, "windows on the way down")
	seen := int64(0)
	for i := range got {
		seen += r.compare(t, c, want, &got[i])
	}
	if all && seen != 2*c.Rows() {
		t.Fatalf("%d constraints in both sweeps over %v, not %d", seen, windows, 2*c.Rows())
	}
}

// compare compares the constraints of a window with the rows of the tables.
func (r *run) compare(t *testing.T, c *chartwindow.Chart, want chartwindow.Want, w *window.Window) (seen int64) {
	t.Helper()
	parts := c.Parts()
	for target := w.Lo; target < w.Hi; target++ {
		got, rows := w.Into(target), r.into[target]
		expect.Equal(expect.Must(t), len(got), len(rows), "constraints of event %d", target)
		for i := range got {
			var p window.Part
			if want.Parts {
				p = parts[got[i].Part]
			}
			expect.Equal(expect.Must(t), words(got[i], p, c.Names, want), strip(rows[i], want), "event %d", target)
			seen++
		}
	}
	return seen
}

// strip leaves what a walk asks for of the words of a row.
func strip(words string, want chartwindow.Want) string {
	before, parts, _ := strings.Cut(words, " of ")
	before, bound, _ := strings.Cut(before, " bound ")
	before, flags, _ := strings.Cut(before, " flags ")
	if want.Flags || want.Parts {
		before += " flags " + flags
	}
	if want.Bounds {
		before += " bound " + bound
	}
	if want.Parts {
		before += " of " + parts
	}
	return before
}

// Cover covers some ranges, whatever they are, and nothing else of the span.
func TestCover(t *testing.T) {
	for seed := range int64(40) {
		rng := rand.New(rand.NewSource(seed))
		l, m := write(t, 1000, random(rng, 80, 1).buckets, constraintsLike)
		c := expect.Value(chartwindow.Open(l, m, chartwindow.Want{}, 1))(t)
		defer c.Close()
		var ranges []chartwindow.Range
		for range rng.Intn(6) {
			lo := rng.Int63n(400) - 100
			ranges = append(ranges, chartwindow.Range{Lo: lo, Hi: lo + rng.Int63n(100)})
		}
		covered := make(map[int64]int)
		last := int64(-1 << 62)
		for _, w := range c.Cover(ranges, 1+rng.Int63n(40)) {
			if w.Lo < last || w.Lo >= w.Hi {
				t.Fatalf("seed %d: %v after %d", seed, w, last)
			}
			for last = w.Lo; last < w.Hi; last++ {
				covered[last]++
			}
		}
		for seq := int64(-200); seq < 600; seq++ {
			want := seq >= c.Span().Lo && seq < c.Span().Hi && slices.ContainsFunc(ranges, func(r chartwindow.Range) bool { return seq >= r.Lo && seq < r.Hi })
			if (covered[seq] == 1) != want || covered[seq] > 1 {
				t.Fatalf("seed %d: event %d is covered %d times, in %v: %t", seed, seq, covered[seq], ranges, want)
			}
		}
	}
}

// A run without constraints has no windows. Rows out of order are an error that names the file.
func TestOddFiles(t *testing.T) {
	empty := schema.NewConstraints(new(schema.Names))
	l, m := write(t, 10, []*schema.Constraints{empty}, constraintsLike)
	c, err := chartwindow.Open(l, m, chartwindow.Want{}, 1)
	if err != nil || len(c.Windows(c.Span(), 1)) > 0 {
		t.Fatalf("%v, %v", c, err)
	}
	c.Close()
	r := random(rand.New(rand.NewSource(1)), 40, 1)
	slices.Reverse(r.buckets[0].Target)
	lo := r.buckets[0].Target[20]
	l, m = write(t, 1000, r.buckets, constraintsLike)
	c = expect.Value(chartwindow.Open(l, m, chartwindow.Want{}, 1))(t)
	defer c.Close()
	err = c.Up(t.Context(), []chartwindow.Range{{Lo: lo - 20, Hi: lo + 20}}, func(*window.Window) error { return nil })
	expect.Refused(t, err, "0.parquet: row group 0 is not in the order of target_seq", "tables out of order")
}

// What the user returns ends a sweep, and so does cancelling it.
func TestSweepEnds(t *testing.T) {
	r := random(rand.New(rand.NewSource(1)), 100, 2)
	l, m := write(t, 5, r.buckets, constraintsLike)
	c := expect.Value(chartwindow.Open(l, m, chartwindow.Want{}, 2))(t)
	defer c.Close()
	windows, stop, n := c.Windows(c.Span(), 3), fmt.Errorf("enough"), 0
	err := c.Down(t.Context(), windows, func(*window.Window) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	})
	if err != stop || n != 3 {
		t.Errorf("got %v after %d windows", err, n)
	}
}

// TestRowGroupsInMemory: a walk over windows holds as many row groups as the window that needs most of them, and not as many
// as each bucket needed at some time.
func TestRowGroupsInMemory(t *testing.T) {
	tighter := false
	for seed := range int64(10) {
		r := random(rand.New(rand.NewSource(seed)), 400, 9)
		l, m := write(t, 20, r.buckets, constraintsLike)
		c := expect.Value(chartwindow.Open(l, m, chartwindow.Want{Parts: true}, 2))(t)
		windows := c.Windows(c.Span(), 8)
		together, each := c.Needed(windows)
		expect.OK(t, c.Down(t.Context(), windows, func(*window.Window) error { return nil }))
		if held := c.Held(); held > together {
			t.Errorf("seed %d: %d row groups are in memory, and no window needs more than %d", seed, held, together)
		}
		tighter = tighter || together < each
		c.Close()
	}
	expect.Equal(t, tighter, true, "some windows need two row groups of a bucket, and none of all buckets")
}

// Finished finds the executions that finish in a range, or the roots among them, in files of any row groups.
func TestFinished(t *testing.T) {
	for seed := range int64(30) {
		rng := rand.New(rand.NewSource(seed))
		names := new(schema.Names)
		tables, finished := []*schema.Executions{schema.NewExecutions(names), schema.NewExecutions(names)}, [2][]int64{}
		for seq := range int64(rng.Intn(100)) {
			bucket := rng.Intn(2)
			finished[bucket] = append(finished[bucket], seq*3)
			x := tables[bucket]
			schema.Extend(x, 1)
			last := len(x.FinishSeq) - 1
			x.FinishSeq[last], x.Execution[last], x.Depth[last] = seq*3, seq, seq%3
			for _, c := range x.Columns() {
				if c.Codes != nil {
					(*c.Codes)[len(*c.Codes)-1] = c.Dict.Code("n")
				}
			}
		}
		l, m := write(t, 1+rng.Intn(9), tables, func(x *schema.Executions) *schema.Executions { return schema.NewExecutions(x.Names) })
		x := expect.Value(chartwindow.OpenFinished(l, m, new(schema.Names), "execution", "depth", "fragment"))(t)
		roots := seed%2 == 0
		if roots {
			x.OnlyRoots()
		}
		for range 20 {
			lo := rng.Int63n(320) - 10
			r := chartwindow.Range{Lo: lo, Hi: lo + rng.Int63n(90)}
			var got, want []int64
			expect.OK(t, x.In(r, func(i int) {
				got = append(got, x.Rows.Execution[i])
				expect.Equal(t, x.Rows.Names.Fragments.Name(x.Rows.Fragment[i]), "n", "fragment")
			}))
			for _, seq := range slices.Concat(finished[:]...) {
				if seq >= r.Lo && seq < r.Hi && (!roots || seq/3%3 == 0) {
					want = append(want, seq/3)
				}
			}
			expect.Slice(expect.Must(t), got, want, "seed %d, %v", seed, r)
		}
		x.Close()
	}
}
