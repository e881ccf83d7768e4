package views_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/views"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/tiles"
	"github.com/tracelake/tracelake/testdata/expect"
)

const originNs = int64(1_600_000_000_000_000_000)

// nested makes executions of a few lifelines in the order of their finish: calls nest, and some take no time.
func nested(rng *rand.Rand, n int, lines []string) *schema.Executions {
	names := new(schema.Names)
	x := schema.NewExecutions(names)
	type call struct{ startNs, seq int64 }
	open := make(map[string][]call)
	now, seq := originNs, int64(0)
	for len(x.Execution) < n {
		line := lines[rng.Intn(len(lines))]
		now += int64(rng.Intn(3))
		if rng.Intn(200) == 0 {
			now += int64(rng.Intn(5000))
		}
		seq++
		calls := open[line]
		if d := len(calls); d == 0 || d < 4 && rng.Intn(2) == 0 {
			open[line] = append(calls, call{now, seq})
			continue
		}
		c := calls[len(calls)-1]
		open[line] = calls[:len(calls)-1]
		i := len(x.Execution)
		schema.Extend(x, 1)
		x.Execution[i], x.FinishSeq[i], x.StartNs[i], x.FinishNs[i], x.Depth[i] = c.seq, seq, c.startNs, now, int64(len(calls)-1)
		x.DurationNs[i], x.Lifeline[i], x.Component[i] = now-c.startNs, names.Lifelines.Code(line), names.Components.Code(line)
		x.Function[i], x.Fragment[i] = names.Functions.Code(fmt.Sprint("f", rng.Intn(9))), names.Fragments.Code("f")
		x.Peer[i], x.Type[i], x.Parent[i] = schema.NoCode, schema.NoCode, schema.NoValue
	}
	return x
}

// lakeOf makes a lake with run a, whose executions lie in a bucket each, in small row groups.
func lakeOf(t *testing.T, buckets []*schema.Executions, groupRows int) *lake.Lake {
	return lakeWith(t, buckets, nil, groupRows)
}

// lakeWith makes the same with messages.
func lakeWith(t *testing.T, buckets []*schema.Executions, all *schema.Messages, groupRows int) *lake.Lake {
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	staging := expect.Value(l.Stage("views", lake.Run("a"), "0123456789abcdef0123"))(t)
	manifest := func(table string) *lake.Manifest {
		return &lake.Manifest{Table: table, Stage: "views", Fingerprint: "0123456789abcdef0123"}
	}
	described, executions, sums, messages := manifest("runs"), manifest("executions"), manifest("tiles"), manifest("messages")
	described.Files = append(described.Files, expect.Value(lake.Write(staging, "runs", lake.NoBucket, []schema.Run{{StartNs: originNs}}))(t))
	for i, x := range buckets {
		b := tiles.NewBuilder(x.Names)
		b.Add(x)
		for _, table := range []struct {
			m    *lake.Manifest
			rows schema.Columns
		}{{executions, x}, {sums, b.Tiles()}} {
			w := expect.Value(staging.CreateTable(table.m.Table, i, 0, table.rows))(t)
			w.SetGroupRows(groupRows)
			all := table.rows
			expect.OK(t, w.WriteFull(all))
			expect.OK(t, w.Finish(all))
			table.m.Files = append(table.m.Files, w.File)
		}
	}
	if all != nil {
		w := expect.Value(staging.CreateTable("messages", lake.NoBucket, 0, all))(t)
		w.SetGroupRows(groupRows)
		expect.OK(t, w.WriteFull(all))
		expect.OK(t, w.Finish(all))
		messages.Files = append(messages.Files, w.File)
	}
	expect.OK(t, staging.Commit(described, executions, sums, messages))
	return l
}

// clone copies executions, since writing a table takes the rows that are written out of it.
func clone(x *schema.Executions) *schema.Executions {
	c := schema.NewExecutions(x.Names)
	schema.AppendRows(c, x, 0, schema.Rows(x))
	return c
}

// exact is what must be drawn by itself: lane, depth, start, finish, function and number of every execution that is as wide as a pixel.
func exact(x *schema.Executions, lane int, line string, a views.Ask) (wide []string, overlap, busyNs int64) {
	for i := range x.Execution {
		from, to := x.StartNs[i]-originNs, x.FinishNs[i]-originNs
		if x.Names.Lifelines.Name(x.Lifeline[i]) != line || x.Depth[i] >= a.Depths || from > a.ToNs || to < a.FromNs {
			continue
		}
		overlap, busyNs = overlap+1, busyNs+to-from
		if to-from >= max((a.ToNs-a.FromNs)/int64(a.Pixels), 1) {
			wide = append(wide, fmt.Sprint(lane, x.Depth[i], from, to, x.Names.Functions.Name(x.Function[i]), x.Execution[i]))
		}
	}
	return wide, overlap, busyNs
}

// TestWindowsAgainstExecutions draws random windows, and holds them against all executions: what is as wide as a pixel has a box of
// its own, the others are counted once each, with their time.
func TestWindowsAgainstExecutions(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for round := range 6 {
		n := 1 + rng.Intn(3000)
		if round%3 == 2 {
			n = 15000 // level 0 does not have all then
		}
		first, second := nested(rng, n, []string{"a", "a/2", "b"}), nested(rng, n/3+1, []string{"c", "d"})
		groupRows := 200 + rng.Intn(400)
		l := lakeOf(t, []*schema.Executions{clone(first), clone(second)}, groupRows)
		cache := views.NewCache(int64(100_000 + rng.Intn(1<<21)))
		r := expect.Value(views.Open(t.Context(), l, cache, "a"))(t)
		lanes := expect.Value(r.Lanes())(t)
		total := int64(0)
		for _, lane := range lanes {
			total += lane.Executions
		}
		expect.Equal(t, int(total), n+n/3+1, "executions of all lanes")
		end := max(first.FinishNs[n-1], second.FinishNs[n/3]) - originNs
		for range 25 {
			a := views.Ask{FromNs: rng.Int63n(end + 1), Pixels: 1 + rng.Intn(300), Depths: int64(1 + rng.Intn(5))}
			a.ToNs = a.FromNs + rng.Int63n(end+1)>>rng.Intn(12)
			if rng.Intn(6) == 0 {
				a.FromNs, a.ToNs = 0, end
			}
			var want []string
			overlap, busyNs := int64(0), int64(0)
			for i, lane := range lanes {
				if rng.Intn(3) == 0 {
					continue
				}
				a.Lanes = append(a.Lanes, i)
				for _, x := range []*schema.Executions{first, second} {
					w, o, b := exact(x, i, lane.Lifeline, a)
					want, overlap, busyNs = append(want, w...), overlap+o, busyNs+b
				}
			}
			boxes := expect.Value(r.Window(a))(t)
			checkBoxes(t, a, boxes, want, overlap, busyNs)
		}
	}
}

// checkBoxes holds the boxes of a window against what they should be.
func checkBoxes(t *testing.T, a views.Ask, b *views.Boxes, want []string, overlap, busyNs int64) {
	t.Helper()
	pixelNs := max((a.ToNs-a.FromNs)/int64(a.Pixels), 1)
	var wide []string
	gotBusy := int64(0)
	for i, count := range b.Count {
		gotBusy += b.BusyNs[i]
		if count == 1 && b.BusyNs[i] >= pixelNs {
			wide = append(wide, fmt.Sprint(b.Lane[i], b.Depth[i], b.StartNs[i], b.FinishNs[i], b.Functions[b.Function[i]], b.Longest[i]))
		}
		if count < 1 || b.StartNs[i] > a.ToNs || b.FinishNs[i] < a.FromNs {
			t.Fatalf("%+v: a box of %d executions from %d to %d", a, count, b.StartNs[i], b.FinishNs[i])
		}
	}
	slices.Sort(want)
	slices.Sort(wide)
	if !slices.Equal(wide, want) {
		t.Fatalf("%+v: %d executions are drawn by themselves, want %d: %v, %v", a, len(wide), len(want), wide, want)
	}
	expect.Equal(expect.Must(t), b.Total(), overlap, "executions of %+v", a)
	expect.Equal(expect.Must(t), gotBusy, busyNs, "time of executions of %+v", a)
}

// TestFewNarrowOnesHaveTheirPixel checks that a window of few row groups has no box of narrow executions that is wider than two pixels.
func TestFewNarrowOnesHaveTheirPixel(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	x := nested(rng, 4000, []string{"a", "b"})
	l := lakeOf(t, []*schema.Executions{clone(x)}, 4000)
	r := expect.Value(views.Open(t.Context(), l, views.NewCache(1<<24), "a"))(t)
	end := x.FinishNs[3999] - originNs
	for range 50 {
		a := views.Ask{FromNs: rng.Int63n(end), Pixels: 100, Lanes: []int{0, 1}, Depths: 9}
		a.ToNs = a.FromNs + end>>rng.Intn(6)
		pixelNs := max((a.ToNs-a.FromNs)/100, 1)
		b := expect.Value(r.Window(a))(t)
		for i := range b.Count {
			if wide := b.FinishNs[i] - max(b.StartNs[i], a.FromNs); wide >= 2*pixelNs && b.Count[i] > 1 {
				t.Fatalf("%d executions in a box of %d ns; a pixel is %d ns", b.Count[i], wide, pixelNs)
			}
		}
	}
}

// TestRelatedAgainstExecutions holds what stands around executions against a look at all of them.
func TestRelatedAgainstExecutions(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	const n = 3000
	x := nested(rng, n, []string{"a", "b"})
	numbers, order := make(map[[2]schema.Code]int64), make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(x.Execution[a] - x.Execution[b]) })
	for _, i := range order {
		of := [2]schema.Code{x.Component[i], x.Function[i]}
		numbers[of]++
		x.Number[i] = numbers[of]
		for j := i + 1; j < n && x.Depth[i] > 0; j++ { // the caller is the first of its depth that finishes later and began before
			if x.Lifeline[j] == x.Lifeline[i] && x.Depth[j] == x.Depth[i]-1 && x.Execution[j] < x.Execution[i] {
				x.Parent[i] = x.Execution[j]
				break
			}
		}
	}
	l := lakeOf(t, []*schema.Executions{clone(x)}, 150)
	r := expect.Value(views.Open(t.Context(), l, views.NewCache(1<<22), "a"))(t)
	told := 0
	for range 200 {
		i := rng.Intn(n)
		one := expect.Value(r.Execution(x.Execution[i], x.StartNs[i]-originNs))(t)
		at := expect.Value(r.ExecutionAt(x.FinishSeq[i], x.FinishNs[i]-originNs))(t)
		expect.Deep(t, at, one, "the execution that an event ends")
		got := expect.Value(r.Related(one))(t)
		calls, before, after := int64(0), int64(0), int64(0)
		for j := range x.Parent {
			if x.Parent[j] == x.Execution[i] {
				calls++
			}
			if x.Component[j] == x.Component[i] && x.Function[j] == x.Function[i] {
				switch x.Number[j] - x.Number[i] {
				case -1:
					before = x.Execution[j]
				case 1:
					after = x.Execution[j]
				}
			}
		}
		expect.Equal(t, got.Calls, calls, "calls of %d", x.Execution[i])
		expect.Equal(t, len(got.Callees), int(min(calls, 50)), "callees of %d", x.Execution[i])
		for _, c := range []struct {
			got  *views.Neighbour
			want int64
		}{{got.Before, before}, {got.After, after}} {
			if c.got != nil {
				told++
				expect.Equal(t, c.got.Execution, c.want, "neighbour of %d", x.Execution[i])
			} else {
				expect.Equal(t, 0, c.want, "neighbour of %d", x.Execution[i])
			}
		}
	}
	if told < 300 {
		t.Errorf("only %d neighbours were told", told)
	}
}

// TestMessagesAgainstAll holds the messages of windows against a look at all of them, in windows that cover few row groups and many.
func TestMessagesAgainstAll(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	x := nested(rng, 4000, []string{"a", "b", "c"})
	end := x.FinishNs[3999] - originNs
	m := schema.NewMessages(x.Names)
	const n = 3000
	schema.Extend(m, n)
	for i := range n {
		m.SendNs[i] = originNs + int64(i)*end/n
		m.ReceiveNs[i] = m.SendNs[i] + rng.Int63n(40)
		m.SenderLifeline[i], m.ReceiverLifeline[i] = schema.Code(rng.Intn(3)), schema.Code(rng.Intn(3))
		m.Label[i], m.Series[i], m.RequestSeq[i], m.RoundTripNs[i] = schema.NoCode, schema.NoCode, schema.NoValue, schema.NoValue
	}
	all := schema.NewMessages(x.Names)
	schema.AppendRows(all, m, 0, n)
	l := lakeWith(t, []*schema.Executions{clone(x)}, all, 50) // 60 row groups
	r := expect.Value(views.Open(t.Context(), l, views.NewCache(1<<22), "a"))(t)
	lanes := expect.Value(r.Lanes())(t)
	for round := range 60 {
		a := views.Ask{FromNs: rng.Int63n(end), Lanes: rng.Perm(len(lanes))[:1+rng.Intn(len(lanes))]}
		a.ToNs = a.FromNs + rng.Int63n(end)
		if round%4 == 0 {
			a.FromNs, a.ToNs = 0, end+100
		}
		total, slowest := int64(0), int64(-1)
		for i := range n {
			from, to := x.Names.Lifelines.Name(m.SenderLifeline[i]), x.Names.Lifelines.Name(m.ReceiverLifeline[i])
			asked := func(name string) bool {
				return slices.ContainsFunc(a.Lanes, func(at int) bool { return lanes[at].Lifeline == name })
			}
			if asked(from) && asked(to) && m.SendNs[i]-originNs <= a.ToNs && m.ReceiveNs[i]-originNs >= a.FromNs {
				total++
				slowest = max(slowest, m.ReceiveNs[i]-m.SendNs[i])
			}
		}
		got := expect.Value(r.Messages(a, 100000))(t)
		most := int64(-1)
		for _, one := range got.Slowest {
			most = max(most, one.ReceiveNs-one.SendNs)
		}
		expect.Equal(t, got.Total, total, "messages of %+v", a)
		expect.Equal(t, most, slowest, "the slowest of %+v", a)
		if total > 2000 && len(got.Slowest) > 1000 {
			t.Errorf("%+v: %d arrows of %d messages", a, len(got.Slowest), total)
		}
	}
}

// TestCacheIsBounded looks at many windows through a small cache.
func TestCacheIsBounded(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	x := nested(rng, 20000, []string{"a", "b"})
	l := lakeOf(t, []*schema.Executions{clone(x)}, 500)
	end := x.FinishNs[19999] - originNs
	cache := views.NewCache(600_000)
	most := int64(0)
	for range 40 {
		r := expect.Value(views.Open(t.Context(), l, cache, "a"))(t)
		from := rng.Int63n(end)
		expect.Value(r.Window(views.Ask{FromNs: from, ToNs: from + end/100, Pixels: 1000, Lanes: []int{0, 1}, Depths: 9}))(t)
		most = max(most, cache.Held())
	}
	if most > 600_000 || most < 300_000 {
		t.Errorf("the cache held %d bytes of 600,000", most)
	}
}
