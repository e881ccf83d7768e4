package faults_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recorded makes the columns of a run: calls of functions 0 to 4 on one lifeline. A call has subject 2f, its exit 2f+1.
// Every seventh event has no subject, and the calls of function 0 are no candidates.
func recorded(rng *rand.Rand, calls int) (c faults.Columns) {
	for i := range calls {
		f := uint32(rng.IntN(5))
		c.Subject = append(c.Subject, 2*f, 2*f+1)
		if i%7 == 0 {
			c.Subject[2*i] = schema.NoCode
		}
		c.Function = append(c.Function, f, f)
		c.Kind = append(c.Kind, schema.Enter, schema.Exit)
		c.SinceCallNs = append(c.SinceCallNs, schema.NoValue, 1+rng.Int64N(1000))
		c.Candidate = append(c.Candidate, f != 0, true)
	}
	return c
}

func run(t testing.TB, number uint64, c faults.Columns) *faults.Run {
	t.Helper()
	r := expect.Value(faults.NewRun(number, c))(t)
	return r
}

func plan(t testing.TB, p *faults.Pool, f faults.Fault, seed uint64) faults.Plan {
	t.Helper()
	got := expect.Value(p.Plan(f, seed))(t)
	return got
}

func injections(t testing.TB, p faults.Plan, r *faults.Run) []faults.Injection {
	t.Helper()
	got := expect.Value(p.Injections(r))(t)
	return got
}

// oneOfEach are faults of all kinds.
var oneOfEach = []faults.Fault{
	{Kind: faults.Noise, DeltaNs: 4000},
	{Kind: faults.Spikes, DeltaNs: 1_000_000, Events: 5},
	{Kind: faults.Chain, DeltaNs: -1_000_000, Events: 10},
	{Kind: faults.Delay, Factor: 1.5},
	{Kind: faults.Alternate, Factor: 10},
}

func TestSeeds(t *testing.T) {
	r := run(t, 3, recorded(rand.New(rand.NewPCG(21, 22)), 300))
	p := faults.NewPool(r)
	for _, f := range oneOfEach {
		first, differ := injections(t, plan(t, p, f, 7), r), false
		expect.Slice(t, injections(t, plan(t, p, f, 7), r), first, "%s: with the same seed", f.Kind)
		for seed := range uint64(7) {
			differ = differ || !slices.Equal(injections(t, plan(t, p, f, seed), r), first)
		}
		if !differ {
			t.Errorf("%s: seven seeds give the same faults", f.Kind)
		}
	}
}

// The stream of a seed is a promise: figures that were measured with it can be measured again.
func TestStreams(t *testing.T) {
	r := run(t, 1, faults.Columns{
		Subject: []uint32{0, 1, 0}, Function: make([]uint32, 3), Kind: make([]schema.Kind, 3), SinceCallNs: make([]int64, 3),
	})
	got := injections(t, plan(t, faults.NewPool(r), faults.Fault{Kind: faults.Noise, DeltaNs: 1_000_000}, 1), r)
	want := []faults.Injection{{Event: 2, DeltaNs: 201429}, {Event: 0, DeltaNs: -411837}, {Event: 1, DeltaNs: -633670}}
	expect.Slice(t, got, want, "noise")
}

func TestOnlyCandidates(t *testing.T) {
	c := recorded(rand.New(rand.NewPCG(23, 24)), 200)
	r := run(t, 1, c)
	p := faults.NewPool(r)
	for seed := range uint64(50) {
		for _, f := range oneOfEach {
			for _, in := range injections(t, plan(t, p, f, seed), r) {
				if !c.Candidate[in.Event] || c.Subject[in.Event] == schema.NoCode {
					t.Fatalf("%s: event %d is no candidate", f.Kind, in.Event)
				}
			}
		}
	}
}

// Mean and standard deviation of n draws are within 5 standard errors: σ/√n and σ/√2n. The noise of two runs has no
// correlation but by chance, 1/√n; nor has that of two seeds.
func TestNoise(t *testing.T) {
	const n, sigma = 100_000, 1e6
	c := faults.Columns{
		Subject: make([]uint32, n), Function: make([]uint32, n), Kind: make([]schema.Kind, n), SinceCallNs: make([]int64, n),
	}
	noise := func(number, seed uint64) []int64 {
		r, all := run(t, number, c), make([]int64, n)
		for _, in := range injections(t, plan(t, faults.NewPool(r), faults.Fault{Kind: faults.Noise, DeltaNs: sigma}, seed), r) {
			all[in.Event] = in.DeltaNs
		}
		return all
	}
	product := func(a, b []int64) (sum float64) {
		for i := range a {
			sum += float64(a[i]) / sigma * float64(b[i]) / sigma
		}
		return sum / n
	}
	first, mean := noise(0, 0), 0.0
	for _, ns := range first {
		mean += float64(ns) / sigma / n
	}
	if math.Abs(mean) > 5/math.Sqrt(n) {
		t.Errorf("mean %v σ", mean)
	}
	if sd := math.Sqrt(product(first, first)); math.Abs(sd-1) > 5/math.Sqrt(2*n) {
		t.Errorf("standard deviation %v σ", sd)
	}
	for _, other := range [][]int64{noise(1, 0), noise(0, 1), noise(1, 1)} {
		if r := product(first, other); math.Abs(r) > 5/math.Sqrt(n) {
			t.Errorf("correlation %v with another run or seed", r)
		}
	}
}

// Another σ gives the same noise to another scale, and fewer spikes are among more.
func TestFaultsGrowInPlace(t *testing.T) {
	r := run(t, 3, recorded(rand.New(rand.NewPCG(25, 26)), 300))
	p := faults.NewPool(r)
	small := injections(t, plan(t, p, faults.Fault{Kind: faults.Noise, DeltaNs: 1000_000}, 7), r)
	great := injections(t, plan(t, p, faults.Fault{Kind: faults.Noise, DeltaNs: 4000_000}, 7), r)
	for i, in := range small {
		if d := great[i].DeltaNs - 4*in.DeltaNs; great[i].Event != in.Event || d < -2 || d > 2 {
			t.Fatalf("%v at σ, %v at 4 σ", in, great[i])
		}
	}
	some := plan(t, p, faults.Fault{Kind: faults.Spikes, DeltaNs: 1, Events: 5}, 7)
	more := plan(t, p, faults.Fault{Kind: faults.Spikes, DeltaNs: 9, Events: 20}, 7)
	for _, l := range some.Labels {
		if !slices.Contains(more.Labels, l) {
			t.Errorf("%v is not among %v", l, more.Labels)
		}
	}
}

func TestSpikesAndChains(t *testing.T) {
	c := recorded(rand.New(rand.NewPCG(27, 28)), 100)
	r := run(t, 1, c)
	var candidates []int32
	for e, s := range c.Subject {
		if c.Candidate[e] && s != schema.NoCode {
			candidates = append(candidates, int32(e))
		}
	}
	p, hit := faults.NewPool(r), map[int32]bool{}
	for seed := range uint64(1500) {
		got := injections(t, plan(t, p, faults.Fault{Kind: faults.Spikes, DeltaNs: -3, Events: 4}, seed), r)
		expect.Equal(expect.Must(t), len(got), 4, "spikes")
		for i, in := range got {
			hit[in.Event] = true
			if in.DeltaNs != -3 || i > 0 && got[i-1].Event >= in.Event { // outward to the left
				t.Fatalf("spikes %v", got)
			}
		}
		chain := injections(t, plan(t, p, faults.Fault{Kind: faults.Chain, DeltaNs: 2, Events: 10}, seed), r)
		slices.Reverse(chain) // outward to the right
		at, _ := slices.BinarySearch(candidates, chain[0].Event)
		for i, in := range chain {
			if len(chain) != 10 || in != (faults.Injection{Event: candidates[at+i], DeltaNs: 2}) {
				t.Fatalf("chain %v from candidate %d of %v", chain, at, candidates)
			}
		}
	}
	expect.Equal(t, len(hit), len(candidates), "candidates that 6000 spikes hit")
	all := injections(t, plan(t, p, faults.Fault{Kind: faults.Chain, DeltaNs: 2, Events: len(candidates)}, 1), r)
	expect.Equal(t, len(all), len(candidates), "events of a chain of all candidates")
}

// Executions of 100, 40, 0 and 7 ns. Delay 1.5 adds half: 50, 20, 0, 3.5, which is rounded away from 0.
// Alternate 4 adds three times the first and third, and takes three quarters of the others. Times of enters do not count.
func TestFactors(t *testing.T) {
	const none = schema.NoValue
	in, out := schema.Enter, schema.Exit
	r := run(t, 1, faults.Columns{
		Subject:     []uint32{0, 1, 0, 0, 1, 1, 2, 3, 0, 1, 4, 1},
		Function:    []uint32{0, 0, 0, 0, 0, 0, 1, 1, 0, 0, schema.NoCode, 0},
		Kind:        []schema.Kind{in, out, in, in, out, out, in, out, in, out, schema.Message, out},
		SinceCallNs: []int64{30, 100, none, none, 40, 0, none, 0, none, 7, none, none},
	})
	p := faults.NewPool(r) // function 1 takes no time, so it is never chosen
	for seed := range uint64(20) {
		delay := injections(t, plan(t, p, faults.Fault{Kind: faults.Delay, Factor: 1.5}, seed), r)
		expect.Slice(expect.Must(t), delay, []faults.Injection{{Event: 1, DeltaNs: 50}, {Event: 4, DeltaNs: 20}, {Event: 9, DeltaNs: 4}}, "delay")
		alternate := injections(t, plan(t, p, faults.Fault{Kind: faults.Alternate, Factor: 4}, seed), r)
		expect.Slice(expect.Must(t), alternate, []faults.Injection{{Event: 1, DeltaNs: 300}, {Event: 4, DeltaNs: -30}, {Event: 9, DeltaNs: -5}}, "alternate")
	}
}

// One choice, several runs: the same subjects, by the same occurrences, in runs of other lengths and orders.
func TestOneFaultInSeveralRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	var columns []faults.Columns
	var runs []*faults.Run
	for i := range 4 {
		columns = append(columns, recorded(rng, 60+20*i))
		runs = append(runs, run(t, uint64(i), columns[i]))
	}
	p := faults.NewPool(runs[0])
	for _, r := range runs[1:] {
		p.Narrow(r)
	}
	for _, f := range oneOfEach {
		chosen := plan(t, p, f, 11)
		want := runs[0].Subjects(injections(t, chosen, runs[0]))
		if len(want) == 0 {
			t.Fatalf("%s: nothing injected", f.Kind)
		}
		for i, r := range runs {
			got := injections(t, chosen, r)
			if subjects := r.Subjects(got); f.Kind != faults.Noise && !slices.Equal(subjects, want) {
				t.Errorf("%s: run %d has %v, run 0 %v", f.Kind, i, subjects, want)
			}
			for _, l := range chosen.Labels {
				if n := before(columns[i], l.Subject, got); !slices.Contains(n, int(l.Occurrence)) {
					t.Errorf("%s: run %d: %v is not injected, but %v", f.Kind, i, l, n)
				}
			}
		}
	}
}

// before counts, for each injection into a subject, the candidates of the subject before it.
func before(c faults.Columns, subject uint32, all []faults.Injection) (n []int) {
	for _, in := range all {
		if c.Subject[in.Event] != subject {
			continue
		}
		count := 0
		for e := range in.Event {
			if c.Subject[e] == subject && c.Candidate[e] {
				count++
			}
		}
		n = append(n, count)
	}
	return n
}

func TestARunOutsideThePool(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	p, empty := faults.NewPool(run(t, 1, recorded(rng, 100))), run(t, 9, faults.Columns{})
	for _, f := range oneOfEach[1:] {
		_, err := plan(t, p, f, 1).Injections(empty)
		expect.Refused(t, err, "run 9", "%s", f.Kind)
	}
	expect.Equal(t, len(injections(t, plan(t, p, oneOfEach[0], 1), empty)), 0, "noise of no events")
	p.Narrow(empty)
	for _, f := range oneOfEach[1:] {
		_, err := p.Plan(f, 1)
		expect.Refused(t, err, "in common", "%s", f.Kind)
	}
}

func TestRefusedFaults(t *testing.T) {
	for _, f := range oneOfEach {
		if err := f.Check(); err != nil {
			t.Error(err)
		}
	}
	p := faults.NewPool(run(t, 1, recorded(rand.New(rand.NewPCG(33, 34)), 100)))
	for _, f := range []faults.Fault{
		{}, {Kind: "noisy", DeltaNs: 1}, {Kind: faults.Noise}, {Kind: faults.Noise, DeltaNs: -1}, {Kind: faults.Noise, DeltaNs: 1, Events: 1},
		{Kind: faults.Noise, DeltaNs: 1, Factor: 2}, {Kind: faults.Noise, DeltaNs: faults.MaxDeltaNs + 1}, {Kind: faults.Spikes, Events: 1},
		{Kind: faults.Spikes, DeltaNs: 1}, {Kind: faults.Spikes, DeltaNs: math.MinInt64, Events: 1}, {Kind: faults.Chain, DeltaNs: 1, Events: -1},
		{Kind: faults.Delay}, {Kind: faults.Delay, Factor: 1}, {Kind: faults.Delay, Factor: math.NaN()}, {Kind: faults.Delay, Factor: math.Inf(1)},
		{Kind: faults.Alternate, Factor: 2, Events: 1}, {Kind: faults.Spikes, DeltaNs: 1, Events: 1000}, {Kind: faults.Chain, DeltaNs: 1, Events: 1000},
	} {
		if _, err := p.Plan(f, 1); err == nil {
			t.Errorf("%+v: no error", f)
		}
	}
	if _, err := faults.NewRun(1, faults.Columns{Subject: []uint32{0}}); err == nil {
		t.Error("columns of different lengths: no error")
	}
}

func TestSubjects(t *testing.T) {
	r := run(t, 1, faults.Columns{
		Subject: []uint32{5, 3, 5, schema.NoCode, 8, 3, 9}, Function: make([]uint32, 7), Kind: make([]schema.Kind, 7), SinceCallNs: make([]int64, 7),
	})
	one := r.Subjects([]faults.Injection{{Event: 4, DeltaNs: 1}, {Event: 2, DeltaNs: 1}, {Event: 0, DeltaNs: -1}})
	expect.Slice(t, one, []uint32{5, 8}, "subjects")
}
