package tiles_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/tiles"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random is executions in the order of their finish: nested ones on a few lifelines, many of one time, and some that overlap.
func random(rng *rand.Rand, n int) *schema.Executions {
	names := new(schema.Names)
	x := schema.NewExecutions(names)
	now := int64(0)
	for i := range n {
		now += int64(rng.Intn(4))
		length := int64(rng.Intn(6))
		if rng.Intn(30) == 0 {
			length = int64(rng.Intn(2000))
		}
		line := fmt.Sprint("c", rng.Intn(3))
		schema.Extend(x, 1)
		x.Execution[i], x.FinishSeq[i] = int64(2*i), int64(2*i+1)
		x.Component[i], x.Lifeline[i], x.Function[i] = names.Components.Code(line), names.Lifelines.Code(line), names.Functions.Code(fmt.Sprint("f", rng.Intn(5)))
		x.Depth[i], x.StartNs[i], x.FinishNs[i], x.DurationNs[i] = int64(rng.Intn(3)*rng.Intn(2)), now-length, now, length
	}
	return x
}

// build sums executions up, in row groups of any size.
func build(rng *rand.Rand, x *schema.Executions) *schema.Tiles {
	b, part := tiles.NewBuilder(x.Names), schema.NewExecutions(x.Names)
	for at, n := 0, schema.Rows(x); at < n; {
		end := min(n, at+1+rng.Intn(100))
		schema.Reset(part)
		schema.AppendRows(part, x, at, end)
		b.Add(part)
		at = end
	}
	return b.Tiles()
}

// place is a lifeline at a depth.
type place struct {
	line  schema.Code
	depth int64
}

// leaves are the rows of the executions of every place, in the order of their finish.
func leaves(x *schema.Executions) map[place][]int {
	of := make(map[place][]int)
	for i := range x.Execution {
		p := place{x.Lifeline[i], x.Depth[i]}
		of[p] = append(of[p], i)
	}
	return of
}

// sum is what a tile of some executions must say, computed in the most obvious way.
func sum(x *schema.Executions, rows []int) string {
	first, last, busy, longest := x.StartNs[rows[0]], x.FinishNs[rows[0]], int64(0), rows[0]
	for _, i := range rows {
		first, last, busy = min(first, x.StartNs[i]), max(last, x.FinishNs[i]), busy+x.DurationNs[i]
		if x.DurationNs[i] > x.DurationNs[longest] {
			longest = i
		}
	}
	return fmt.Sprint(first, last, busy, len(rows), x.Execution[longest], x.DurationNs[longest], x.Function[longest], x.FinishSeq[rows[len(rows)-1]])
}

// told is what a tile says.
func told(t *schema.Tiles, i int) string {
	return fmt.Sprint(t.StartNs[i], t.FinishNs[i], t.BusyNs[i], t.Executions[i], t.Longest[i], t.LongestNs[i], t.Function[i], t.LastSeq[i])
}

// TestTilesAgainstExecutions holds every tile against the executions that it stands for.
func TestTilesAgainstExecutions(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for round := range 24 {
		n := rng.Intn(200)
		if round%12 == 0 {
			n = 20000
		}
		x := random(rng, n)
		got, of := build(rng, x), leaves(x)
		width := map[int64]int{1: 16, 2: 256, 3: 4096, 4: 65536}
		done := make(map[place]map[int64]int) // leaves of which a level has told
		for i, level := range got.Level {
			p := place{got.Lifeline[i], got.Depth[i]}
			if done[p] == nil {
				done[p] = make(map[int64]int)
			}
			if level == 0 {
				continue
			}
			from := done[p][level]
			to := min(from+width[level], len(of[p]))
			expect.Equal(expect.Must(t), told(got, i), sum(x, of[p][from:to]), "tile of level %d, executions %d to %d", level, from, to)
			done[p][level] = to
		}
		expect.Equal(t, len(done), len(of), "lifelines at a depth")
		for p, levels := range done {
			top := int64(0)
			for level, end := range levels {
				if top = max(top, level); level > 0 {
					expect.Equal(t, end, len(of[p]), "executions of level %d", level)
				}
			}
			if tilesAtTop := (len(of[p]) + width[top] - 1) / width[top]; tilesAtTop > 16 {
				t.Errorf("the highest level has %d tiles", tilesAtTop)
			}
		}
	}
}

// TestLevelZeroIsComplete checks that level 0 has every execution that takes as long as its shortest one, in order, and all that a picture
// of 4,096 pixels shows wider than a pixel, unless these are too many.
func TestLevelZeroIsComplete(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for round := range 16 {
		n := rng.Intn(3000)
		if round%8 == 0 {
			n = 30000 // more than 2,048 long ones
		}
		x := random(rng, n)
		if round%8 == 0 {
			for i := range x.StartNs {
				x.StartNs[i] -= int64(rng.Intn(50)) * int64(n) / 4096
				x.DurationNs[i] = x.FinishNs[i] - x.StartNs[i]
			}
		}
		got := build(rng, x)
		kept := make(map[place][]string)
		shortest := make(map[place]int64)
		for i, level := range got.Level {
			if level == 0 {
				p := place{got.Lifeline[i], got.Depth[i]}
				if len(kept[p]) == 0 {
					shortest[p] = got.LongestNs[i]
				}
				kept[p], shortest[p] = append(kept[p], told(got, i)), min(shortest[p], got.LongestNs[i])
			}
		}
		for p, rows := range leaves(x) {
			var want []string
			wide, first, last := 0, x.StartNs[rows[0]], x.FinishNs[rows[0]]
			for _, i := range rows {
				first, last = min(first, x.StartNs[i]), max(last, x.FinishNs[i])
			}
			for _, i := range rows {
				if x.DurationNs[i] >= (last-first)/4096 {
					wide++
				}
				if len(kept[p]) > 0 && x.DurationNs[i] >= shortest[p] {
					want = append(want, sum(x, []int{i}))
				}
			}
			if !slices.Equal(kept[p], want) {
				t.Fatalf("level 0 has %d executions; %d take as long as its shortest", len(kept[p]), len(want))
			}
			if wide <= 2048 && len(want) != wide || len(want) > 2048 {
				t.Fatalf("level 0 has %d executions; %d are wide", len(want), wide)
			}
		}
	}
}
