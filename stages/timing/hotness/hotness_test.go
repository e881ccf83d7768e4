package hotness

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

const ms = 1_000_000

// The components of the example of the thesis: one lane for a program that calls, three for one that runs in parallel.
const (
	fileHandler = iota
	fileEncrypter
	fsWriter
)

var example = []uint32{fileHandler, fileEncrypter, fsWriter}

// played is a machine after some rows, whose times are ms.
func played(rows ...Row) *Machine {
	m := new(Machine)
	for _, r := range rows {
		r.TimeNs *= ms
		m.Apply(r, example)
	}
	return m
}

// times are raw and real times of all components up to a time, in ms.
func times(m *Machine, until int64) (all [][2]int64) {
	for _, s := range m.SumsAt(until * ms) {
		all = append(all, [2]int64{s.BusyNs / ms, s.SelfNs / ms})
	}
	return all
}

// sequential is the example as it calls: each component calls the next one (Figure 7.3), with the times of Table 7.2.
var sequential = []Row{
	{1000, 0, fileHandler, Enter}, {1250, 0, fileEncrypter, Enter}, {1700, 0, fsWriter, Enter},
	{2005, 0, fsWriter, Exit}, {2556, 0, fileEncrypter, Exit}, {2812, 0, fileHandler, Exit},
}

// TestTable72 is Table 7.2: raw and real execution times of the sequential example.
func TestTable72(t *testing.T) {
	expect.Deep(t, times(played(sequential...), 3000), [][2]int64{{1812, 506}, {1306, 1001}, {305, 305}}, "times")
}

// TestTable73 is Table 7.3: in parallel raw and real times are the same.
func TestTable73(t *testing.T) {
	m := played(Row{0, 0, fileHandler, Enter}, Row{250, 1, fileEncrypter, Enter}, Row{300, 2, fsWriter, Enter},
		Row{507, 0, fileHandler, Exit}, Row{603, 2, fsWriter, Exit}, Row{1255, 1, fileEncrypter, Exit})
	expect.Deep(t, times(m, 2000), [][2]int64{{507, 507}, {1005, 1005}, {303, 303}}, "times")
}

// TestTable74 is Table 7.4: an execution from 3444 to 4449 ms, cut by windows of 1500 ms.
func TestTable74(t *testing.T) {
	rows := []Row{{3444, 0, fileEncrypter, Enter}, {4449, 0, fileEncrypter, Exit}}
	for _, c := range []struct{ from, to, want int64 }{{1900, 3400, 0}, {3000, 4500, 1005}, {2500, 4000, 556}, {4000, 5500, 449}} {
		load := window(rows, c.from, c.to)[fileEncrypter]
		expect.Equal(t, load.BusyNs/ms, c.want, "from %d to %d ms", c.from, c.to)
		expect.Equal(t, Cut(3444, 4449, c.from, c.to), c.want, "the execution alone, from %d to %d ms", c.from, c.to)
	}
}

// window plays rows up to both ends of a window, in ms.
func window(rows []Row, from, to int64) []Load {
	upTo := func(until int64) []Sum {
		var seen []Row
		for _, r := range rows {
			if r.TimeNs <= until {
				seen = append(seen, r)
			}
		}
		return played(seen...).SumsAt(until * ms)
	}
	loads := Window(upTo(from), upTo(to))
	for len(loads) < len(example) {
		loads = append(loads, Load{})
	}
	return loads
}

// TestTable75 is Table 7.5 for the times that the thesis expects: FileHandler runs twice for 500 ms. It prints 49/29/100, 100/100/98 and
// 30/0/28, by the noise of its measurement and by rounding to zero.
func TestTable75(t *testing.T) {
	m := played(Row{0, 0, fileHandler, Enter}, Row{500, 0, fileHandler, Exit}, Row{500, 1, fileEncrypter, Enter},
		Row{600, 2, fsWriter, Enter}, Row{700, 0, fileHandler, Enter}, Row{900, 2, fsWriter, Exit}, Row{1200, 0, fileHandler, Exit},
		Row{1500, 1, fileEncrypter, Exit})
	loads := Window(nil, m.SumsAt(2000*ms))
	for word, want := range map[string][]int{"mean": {50, 100, 30}, "normalised": {29, 100, 0}, "overall": {100, 100, 30}, "self": {100, 100, 30}, "calls": {100, 50, 50}} {
		metric, _ := MetricOf(word)
		expect.Slice(t, metric.Hotness(loads, false), want, "%s", word)
	}
}

// TestFigure612 is the example of section 6.2.6: A runs three times, B once for twice as long. The hotness of an idle component is 0.
func TestFigure612(t *testing.T) {
	loads := []Load{{BusyNs: 30, Calls: 3}, {BusyNs: 20, Calls: 1}, {}}
	for word, want := range map[string][]int{"overall": {100, 67, 0}, "mean": {50, 100, 0}, "normalised": {0, 100, 0}} {
		metric, _ := MetricOf(word)
		expect.Slice(t, metric.Hotness(loads, false), want, "%s", word)
	}
	alone, _ := MetricOf("normalised")
	expect.Slice(t, alone.Hotness(loads[:1], false), []int{100}, "one component")
}

// TestColours has the values of section 6.2.7 and 7.1.2: colours are cut to whole numbers when they are drawn.
func TestColours(t *testing.T) {
	for h, want := range map[int]float64{0: 0, 20: 10.2, 80: 163.2, 100: 255} {
		expect.Equal(t, Quadratic(h), want, "c(%d)", h)
	}
	for h, want := range map[int]int{100: 255, 98: 244, 29: 21} {
		expect.Equal(t, int(Quadratic(h)), want, "drawn c(%d)", h)
	}
	expect.Equal(t, Linear(40), 102.0, "l(40)")
	levels := make(map[int]bool)
	for h := range 101 {
		levels[Steps(h, 5)] = true
	}
	expect.Equal(t, len(levels), 6, "levels of s_5")
	expect.Equal(t, Steps(100, 5), 255, "s_5(100)")
	expect.Equal(t, Steps(99, 5), 204, "s_5(99)")
}

// call is an execution or a call within one, as the oracle keeps it.
type call struct {
	lane, key  uint32
	start, end int64 // end -1: it runs
	outer      bool
	away       bool
	children   []*call // directly below it, of any component
}

// oracle plays rows by lists of calls, and measures every window by walking over all of them.
type oracle struct {
	open map[uint32][]*call
	all  []*call
	keys []uint32
}

func (o *oracle) apply(r Row) {
	stack := o.open[r.Lane]
	if r.Kind != Exit {
		c := &call{r.Lane, r.Key, r.TimeNs, -1, true, r.Kind == Away, nil}
		if n := len(stack); n > 0 {
			c.outer = o.keys[stack[n-1].key] != o.keys[r.Key]
			stack[n-1].children = append(stack[n-1].children, c)
		}
		o.open[r.Lane], o.all = append(stack, c), append(o.all, c)
		return
	}
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].key == r.Key {
			for _, c := range stack[i:] {
				c.end = r.TimeNs
			}
			o.open[r.Lane] = stack[:i]
			return
		}
	}
}

// loads measures a window, with now as the end of what runs.
func (o *oracle) loads(from, to, now int64) []Load {
	all := make([]Load, len(o.keys))
	durations := make([][]int64, len(o.keys))
	endOf := func(c *call) int64 {
		if c.end < 0 {
			return now
		}
		return c.end
	}
	for _, c := range o.all {
		k := o.keys[c.key]
		l, end := &all[k], endOf(c)
		if !c.away {
			l.SelfNs += Cut(c.start, end, from, to)
			for _, below := range c.children {
				l.SelfNs -= Cut(below.start, endOf(below), from, to)
			}
		}
		if c.outer {
			l.BusyNs += Cut(c.start, end, from, to)
			if c.start <= to && (c.end < 0 || c.end > from) {
				l.Calls++
			}
			if c.end >= 0 && c.end > from && c.end <= to {
				durations[k] = append(durations[k], c.end-c.start)
			}
		}
	}
	for i, d := range durations {
		if len(d) > 0 {
			slices.Sort(d)
			all[i].P95Ns = d[(19*len(d)+19)/20-1]
		}
	}
	return all
}

// randomRows are rows of a few lanes, of which some exits are lost and some have no call, in the order of time.
func randomRows(rng *rand.Rand, keys, n int) (rows []Row) {
	at := int64(0)
	for range n {
		at += rng.Int64N(50)
		rows = append(rows, Row{at, uint32(rng.IntN(3)), uint32(rng.IntN(keys)), []Kind{Enter, Enter, Away, Exit, Exit, Exit}[rng.IntN(6)]})
	}
	return rows
}

// TestOracle compares random windows of random rows with a walk over all calls: nested and open ones, lost exits, windows that begin before the
// first row and end behind the last. The machine that goes on from its own bytes is the same.
func TestOracle(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 17))
		keys := make([]uint32, 2+rng.IntN(5))
		for i := range keys {
			keys[i] = uint32(rng.IntN(len(keys)))
		}
		rows := randomRows(rng, len(keys), 1+rng.IntN(120))
		last := rows[len(rows)-1].TimeNs
		o := &oracle{open: make(map[uint32][]*call), keys: keys}
		for _, r := range rows {
			o.apply(r)
		}
		for range 5 {
			from := rng.Int64N(last+20) - 5
			to := from + rng.Int64N(last+20)
			now := max(last, to)
			sums := func(until int64) []Sum {
				m := new(Machine)
				for _, r := range rows {
					if r.TimeNs <= until {
						m.Apply(r, keys)
					}
					if rng.IntN(10) == 0 {
						m = m.Clone()
					}
				}
				return m.SumsAt(until)
			}
			got := Window(sums(from), sums(to))
			for len(got) < len(keys) {
				got = append(got, Load{})
			}
			want := o.loads(from, to, now)
			for i := range want { // the machine knows the percentile by its bucket
				if want[i].P95Ns > 0 {
					want[i].P95Ns = bucketEnd(bucketOf(want[i].P95Ns))
				}
			}
			expect.Slice(t, got, want, "seed %d: from %d to %d", seed, from, to)
		}
	}
}

// TestEnded compares the calls that rows end with the lists of the oracle: how long each took, and how long without the calls that it made.
func TestEnded(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 18))
		keys := make([]uint32, 2+rng.IntN(5))
		for i := range keys {
			keys[i] = uint32(rng.IntN(len(keys)))
		}
		o, m := &oracle{open: make(map[uint32][]*call), keys: keys}, new(Machine)
		for i, r := range randomRows(rng, len(keys), 150) {
			stack := slices.Clone(o.open[r.Lane])
			got, is := m.Ended(r)
			o.apply(r)
			m.Apply(r, keys)
			if rng.IntN(10) == 0 {
				m = m.Clone()
			}
			var want Call
			some := false
			if r.Kind == Exit && len(stack) > len(o.open[r.Lane]) {
				c := stack[len(o.open[r.Lane])] // the outermost that ended
				want, some = Call{c.key, c.end - c.start, c.end - c.start}, !c.away
				for _, below := range c.children {
					want.OwnNs -= below.end - below.start
				}
			}
			if is != some || is && got != want {
				t.Fatalf("seed %d, row %d: %+v (%v), and by lists %+v (%v)", seed, i, got, is, want, some)
			}
		}
	}
}

// TestDifference has a component that became slower, one that became faster, one that is new and one that is gone, within a window of a fifth of the
// baseline's length.
func TestDifference(t *testing.T) {
	now := Side{[]Load{{BusyNs: 40, SelfNs: 4, Calls: 2, P95Ns: 30}, {BusyNs: 5, SelfNs: 5, Calls: 1, P95Ns: 5}, {BusyNs: 10, SelfNs: 10, Calls: 2, P95Ns: 7}, {}}, 100}
	base := Side{[]Load{{BusyNs: 100, SelfNs: 20, Calls: 10, P95Ns: 10}, {BusyNs: 50, SelfNs: 50, Calls: 5, P95Ns: 10}, {}, {BusyNs: 10, SelfNs: 10, Calls: 5, P95Ns: 3}}, 500}
	for word, want := range map[string][]int{
		"overall": {100, -25, 50, -10}, "mean": {100, -50, 0, 0}, "normalised": {100, -50, 0, 0}, "self": {0, -50, 100, -20}, "calls": {0, 0, 100, -50}, "p95": {100, -25, 0, 0},
	} {
		metric, _ := MetricOf(word)
		expect.Slice(t, metric.Difference(now, base, false), want, "%s", word)
	}
	self, _ := MetricOf("overall")
	expect.Slice(t, self.Difference(now, base, true), []int{0, -50, 100, -20}, "overall, real times")
	// Where nearly nothing changed, the greatest of small differences is not 100.
	calm := Side{[]Load{{BusyNs: 1010, Calls: 10}, {BusyNs: 500, Calls: 10}}, 1000}
	before := Side{[]Load{{BusyNs: 1000, Calls: 10}, {BusyNs: 500, Calls: 10}}, 1000}
	expect.Slice(t, self.Difference(calm, before, false), []int{4, 0}, "1 %% more")
	expect.Slice(t, self.Difference(Side{}, Side{}, false), []int{}, "nothing")
	p95, _ := MetricOf("p95")
	runs := Side{[]Load{{BusyNs: 100, Calls: 1}, {BusyNs: 10, Calls: 1, P95Ns: 20}}, 100}
	ended := Side{[]Load{{BusyNs: 500, Calls: 1, P95Ns: 500}, {BusyNs: 10, Calls: 1, P95Ns: 10}}, 500}
	expect.Slice(t, p95.Difference(runs, ended, false), []int{0, 8}, "one that has not ended yet")
	expect.Slice(t, self.Difference(Side{Loads: now.Loads}, Side{}, false), []int{0, 0, 0, 0}, "a window without length")
}

// TestBuckets sees that buckets follow each other without a gap, and none is wider than an eighth.
func TestBuckets(t *testing.T) {
	before := int64(-1)
	for b := range bucketOf(1<<62) + 1 {
		end := bucketEnd(b)
		if bucketOf(before+1) != b || bucketOf(end) != b || end-before > max(1, (before+8)/8+1) {
			t.Fatalf("bucket %d reaches from %d (in %d) to %d (in %d)", b, before+1, bucketOf(before+1), end, bucketOf(end))
		}
		before = end
	}
}

// FuzzRestore sees that damaged bytes give an error and no panic.
func FuzzRestore(f *testing.F) {
	f.Add(played(sequential[:3]...).AppendTo(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Restore(b); err == nil {
			m.SumsAt(1)
			again, err := Restore(m.AppendTo(nil))
			expect.OK(t, err)
			expect.Deep(t, again, m, "restored again")
		}
	})
}
