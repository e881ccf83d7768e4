package criticalpath_test

import (
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// collect goes down some windows for the constraints towards a target; known has those that are not critical as well.
func collect(t criticalpath.Target, windows []*window.Window, lowest int64) (on map[link]bool, known *criticalpath.Known, over bool) {
	on, known = make(map[link]bool), new(criticalpath.Known)
	closure := criticalpath.NewClosure(t, lowest)
	closure.Take = func(target int64, e *window.Edge, is bool) {
		known.Add(target, e)
		if is {
			on[link{target, *e}] = true
		}
	}
	for _, w := range slices.Backward(windows) {
		closure.Down(w)
	}
	return on, known, closure.Reached()
}

// trace is the path of a target as a Tracer gives it.
type trace struct {
	steps  []criticalpath.Step
	shares map[criticalpath.Key]criticalpath.Share
	fromNs int64
}

// follow follows the paths of some targets through windows. Targets come all at once, or with their windows.
func follow(t *testing.T, c *chart, targets []criticalpath.Target, windows []*window.Window, early bool) []trace {
	t.Helper()
	out := make([]trace, len(targets))
	tracer := &criticalpath.Tracer{
		Step: func(t *criticalpath.Target, s criticalpath.Step) { out[t.Group].steps = append(out[t.Group].steps, s) },
		Done: func(target *criticalpath.Target, shares []criticalpath.Share, fromNs int64) {
			o := &out[target.Group]
			if o.shares != nil {
				t.Fatalf("target %+v is done twice", target)
			}
			o.shares, o.fromNs = make(map[criticalpath.Key]criticalpath.Share), fromNs
			for _, s := range shares {
				if _, has := o.shares[s.Key]; has {
					t.Fatalf("two shares of %+v", s.Key)
				}
				o.shares[s.Key] = s
			}
		},
	}
	if early {
		tracer.Add(targets...)
	}
	for _, w := range slices.Backward(windows) {
		for _, target := range targets {
			if !early && w.Has(target.To) {
				tracer.Add(target)
			}
		}
		tracer.Down(w, c.parts)
	}
	tracer.Finish()
	for i := range out {
		if out[i].shares == nil {
			t.Fatalf("target %+v is not done", targets[i])
		}
	}
	return out
}

// A Closure collects what the oracle does, however the chart is cut into windows, and knows whether a critical path leads
// over From.
func TestAllPaths(t *testing.T) {
	over, beside := 0, 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 1+rng.Intn(80))
		for _, target := range c.targets(rng, 5) {
			want, wantOver := c.paths(target)
			got, _, gotOver := collect(target, c.cut(rng), c.events[0])
			if !maps.Equal(got, want) {
				t.Fatalf("seed %d, %+v: got %v, want %v", seed, target, got, want)
			}
			expect.Equal(expect.Must(t), gotOver, wantOver, "seed %d, %+v: over From", seed, target)
			if target.From == criticalpath.Start {
				continue
			}
			if leads := c.leads(target.From, target.To); gotOver != leads {
				t.Fatalf("seed %d, %+v: over From %t, and a path leads from it: %t", seed, target, gotOver, leads)
			}
			if gotOver {
				over++
			} else {
				beside++
			}
		}
	}
	if over < 100 || beside < 100 {
		t.Errorf("%d paths over From, %d beside it", over, beside)
	}
}

// A Tracer follows the path that the oracle walks, however the chart is cut and with however many targets, and all of its
// time is in the shares.
//
// Where contention begins, moments may be equal, and it makes no difference how the tracer compares them. A message that was sent
// when the path is reached has waited for nothing that is left of the path: the tracer forgets it, and would pass over it in every
// constraint if it did not. Of two messages that were sent at once the second takes no time, as the first has all of it. Only the
// moment at which the preceding execution finishes matters: a message that is sent then has not waited for it.
func TestRepresentative(t *testing.T) {
	contended := 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 1+rng.Intn(80))
		targets := c.targets(rng, 1+rng.Intn(9))
		whole := follow(t, c, targets, c.windows(), true)
		for i, got := range follow(t, c, targets, c.cut(rng), rng.Intn(2) == 0) {
			if !slices.Equal(got.steps, whole[i].steps) || !maps.Equal(got.shares, whole[i].shares) || got.fromNs != whole[i].fromNs {
				t.Fatalf("seed %d, %+v: got %+v, in one window %+v", seed, targets[i], got, whole[i])
			}
			path := c.walk(targets[i])
			checkSteps(t, targets[i], got.steps, path)
			checkShares(t, targets[i], got, c.spent(targets[i], path))
			for k := range got.shares {
				if k.Busy != schema.NoCode {
					contended++
				}
			}
		}
	}
	if contended < 150 {
		t.Errorf("only %d shares of contention", contended)
	}
}

// checkSteps compares steps with the constraints of a path; a constraint may have several steps.
func checkSteps(t *testing.T, target criticalpath.Target, steps []criticalpath.Step, path []link) {
	t.Helper()
	for _, x := range path {
		atNs, fromNs := x.edge.TargetNs, max(x.edge.SourceNs(), target.FromNs)
		for done := false; !done; done = atNs == fromNs {
			if len(steps) == 0 {
				t.Fatalf("%+v: no step for %+v", target, x)
			}
			s := steps[0]
			message := x.edge.Flags&window.Message != 0
			if s.Source != x.edge.Source || s.Target != x.target || s.TargetNs != atNs || s.Part != x.edge.Part || s.Message != message {
				t.Fatalf("%+v: step %+v for %+v", target, s, x)
			}
			steps, atNs = steps[1:], s.SourceNs
		}
	}
	if len(steps) > 0 {
		t.Fatalf("%+v: more steps: %+v", target, steps)
	}
}

// checkShares compares shares with what every nanosecond is spent on; together they are the time from the start of the path.
func checkShares(t *testing.T, target criticalpath.Target, got trace, want map[criticalpath.Key]int64) {
	t.Helper()
	sum, steps := int64(0), int64(0)
	for k, s := range got.shares {
		sum, steps = sum+s.Ns, steps+s.Steps
		expect.Equal(expect.Must(t), s.Ns, want[k], "%+v: ns of %+v", target, k)
	}
	for k, ns := range want {
		expect.Equal(expect.Must(t), got.shares[k].Ns, ns, "%+v: %+v", target, k)
	}
	if sum != target.ToNs-got.fromNs || steps != int64(len(got.steps)) {
		t.Fatalf("%+v: shares of %d ns and %d steps from %d on, %d steps", target, sum, steps, got.fromNs, len(got.steps))
	}
}

// The constraints that a Closure collects have the representative path in them, and Through turns it over From.
func TestThrough(t *testing.T) {
	turned := 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(80))
		for _, target := range c.targets(rng, 5) {
			target.Group = 0
			ask := []criticalpath.Target{target}
			_, known, over := collect(target, c.cut(rng), c.events[0])
			plain := follow(t, c, ask, []*window.Window{known.Window()}, true)[0]
			if want := follow(t, c, ask, c.windows(), true)[0]; !slices.Equal(plain.steps, want.steps) {
				t.Fatalf("seed %d, %+v: got %+v, want %+v", seed, target, plain.steps, want.steps)
			}
			if !over || target.From == target.To {
				continue
			}
			got := follow(t, c, ask, []*window.Window{criticalpath.Through(known, target.From).Window()}, true)[0]
			checkThrough(t, c, target, got)
			if !slices.Equal(got.steps, plain.steps) {
				turned++
			}
		}
	}
	if turned < 20 {
		t.Errorf("only %d paths turned", turned)
	}
}

// checkThrough checks that steps lead from From to To over critical constraints.
func checkThrough(t *testing.T, c *chart, target criticalpath.Target, got trace) {
	t.Helper()
	at, atNs := target.To, target.ToNs
	for _, s := range got.steps {
		if s.TargetNs != atNs || s.Target != at || !slices.ContainsFunc(c.critical(at), func(e window.Edge) bool { return e.Source == s.Source }) {
			t.Fatalf("%+v: step %+v at event %d, %d", target, s, at, atNs)
		}
		if atNs = s.SourceNs; atNs == c.timeNs[s.Source] {
			at = s.Source
		}
	}
	if at != target.From || atNs != target.FromNs {
		t.Fatalf("%+v: the path ends at %d, %d", target, at, atNs)
	}
}

// Damaged charts neither stop nor break a walk: every target is done once, and its time is all there.
func TestDamaged(t *testing.T) {
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 1+rng.Intn(80))
		c.damage(rng)
		targets := c.targets(rng, 5)
		targets[0].To += rng.Int63n(900) - 450 // perhaps no event at all
		for i, got := range follow(t, c, targets, c.cut(rng), true) {
			sum := int64(0)
			for _, s := range got.shares {
				sum += s.Ns
			}
			if len(got.steps) > len(c.events)*4 || sum > 1<<40 {
				t.Fatalf("seed %d, %+v: %+v", seed, targets[i], got)
			}
		}
		for i, target := range targets {
			_, known, _ := collect(target, c.cut(rng), c.events[0])
			target.Group = 0
			follow(t, c, []criticalpath.Target{target}, []*window.Window{criticalpath.Through(known, targets[i].From).Window()}, true)
		}
	}
}

// Where clocks disagree, no step takes less than no time, and the steps add up to the time between the ends of the path.
func TestSkewed(t *testing.T) {
	backwards := 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(80))
		for _, event := range c.events {
			c.timeNs[event] += rng.Int63n(1 + rng.Int63n(30))
		}
		for target, in := range c.into {
			for i := range in {
				in[i].TargetNs, in[i].DurationNs = c.timeNs[target], c.timeNs[target]-c.timeNs[in[i].Source]
			}
		}
		targets := slices.DeleteFunc(c.targets(rng, 5), func(t criticalpath.Target) bool { return t.ToNs < t.FromNs })
		for i := range targets {
			targets[i].Group = uint32(i)
		}
		for i, got := range follow(t, c, targets, c.cut(rng), true) {
			sum := int64(0)
			for _, s := range got.shares {
				sum += s.Ns
			}
			for _, s := range got.steps {
				if s.SourceNs > s.TargetNs {
					t.Fatalf("seed %d: step %+v", seed, s)
				}
				if c.timeNs[s.Source] > c.timeNs[s.Target] {
					backwards++
				}
			}
			if sum != targets[i].ToNs-got.fromNs {
				t.Fatalf("seed %d, %+v: shares of %d ns from %d on", seed, targets[i], sum, got.fromNs)
			}
		}
	}
	if backwards < 100 {
		t.Errorf("only %d steps back in time", backwards)
	}
}

// Many paths sum up to the same whatever the order in which they come.
func TestComposition(t *testing.T) {
	names := new(schema.Names)
	for i := range components {
		names.Components.Code(string(rune('A' + i)))
		names.Functions.Code("f")
	}
	for seed := range int64(50) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 80)
		targets := c.targets(rng, 20)
		var one, other criticalpath.Composition
		want := make(map[criticalpath.Key]criticalpath.Sum)
		all := follow(t, c, targets, c.windows(), true)
		for i := range all {
			var shares []criticalpath.Share
			for k, s := range all[i].shares { // in no particular order
				shares = append(shares, s)
				sum := want[k]
				want[k] = criticalpath.Sum{
					Key: k, Occurrences: sum.Occurrences + 1, Steps: sum.Steps + s.Steps,
					TotalNs: sum.TotalNs + s.Ns, MaxNs: max(sum.MaxNs, s.Ns),
				}
			}
			one.Add(3, shares)
		}
		for _, i := range rng.Perm(len(all)) {
			other.Add(3, slices.Collect(maps.Values(all[i].shares)))
		}
		got := one.Sums(3, names, c.parts)
		if !slices.Equal(got, other.Sums(3, names, c.parts)) || len(got) != len(want) {
			t.Fatalf("seed %d: %v and %v", seed, got, other.Sums(3, names, c.parts))
		}
		for _, s := range got {
			expect.Equal(expect.Must(t), s, want[s.Key], "seed %d", seed)
		}
		if len(one.Sums(0, names, c.parts)) > 0 || one.Sums(9, names, c.parts) != nil {
			t.Fatal("sums of groups without paths")
		}
	}
}

// Paths whose lower windows never come end where the last window began, with the time so far in their shares; Open counts them until
// then.
func TestUnfinished(t *testing.T) {
	unfinished := 0
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(80))
		targets := c.targets(rng, 1+rng.Intn(9))
		cut := c.events[len(c.events)/2]
		windows := c.windows(cut)
		done := make(map[uint32]bool)
		tracer := &criticalpath.Tracer{Done: func(target *criticalpath.Target, shares []criticalpath.Share, fromNs int64) {
			done[target.Group] = true
			wantNs := target.ToNs
			for _, x := range c.walk(*target) {
				if x.target >= cut {
					wantNs = max(x.edge.SourceNs(), target.FromNs)
				}
			}
			sum := int64(0)
			for _, s := range shares {
				sum += s.Ns
			}
			if fromNs != wantNs || sum != target.ToNs-wantNs {
				t.Fatalf("seed %d, %+v: from %d on with shares of %d ns, want from %d on", seed, *target, fromNs, sum, wantNs)
			}
		}}
		tracer.Add(targets...)
		tracer.Down(windows[len(windows)-1], c.parts)
		expect.Equal(expect.Must(t), tracer.Open(), len(targets)-len(done), "seed %d: open paths", seed)
		unfinished += tracer.Open()
		tracer.Finish()
		expect.Equal(expect.Must(t), tracer.Open(), 0, "seed %d: open paths in the end", seed)
		expect.Equal(expect.Must(t), len(done), len(targets), "seed %d: paths", seed)
		tracer.Finish() // has nothing left to report
	}
	if unfinished < 100 {
		t.Errorf("only %d paths were not complete", unfinished)
	}
}
