package rootcause

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// tree is a random call tree: every function but the first is called by one before it, in its own component.
func tree(r *rand.Rand, n int) program {
	p := program{[]string{"c0.f0"}, make(map[string]work)}
	name := func(i int) string { return fmt.Sprintf("c%d.f%d", i, i) }
	for i := range n {
		p.functions[name(i)] = own(float64(50+r.IntN(400))*us, float64(50+r.IntN(400))*us)
	}
	for i := 1; i < n; i++ {
		caller := name(max(0, i-1-r.IntN(min(i, 40))))
		p.functions[caller] = p.functions[caller].calling(name(i), float64(1+r.IntN(8)/7))
	}
	return p
}

// faulty is a program in which some functions take more time, or less, and are called more often.
func faulty(r *rand.Rand, p program, faults int, factor func() float64) (program, []string) {
	var names []string
	for _, i := range r.Perm(len(p.functions))[:faults] {
		name := fmt.Sprintf("c%d.f%d", i, i)
		names = append(names, name)
		w, by := p.functions[name], factor()
		slow := work{calls: w.calls}
		for _, ns := range w.own {
			slow.own = append(slow.own, ns*by)
		}
		p = p.with(name, slow)
	}
	slices.Sort(names)
	return p, names
}

// The simulation of the reference, without noise: 600 nodes, 6 faults of +40 % own time. All are found, and nothing else,
// their shares add up to 1, and no change is left over.
func TestFaultsInATree(t *testing.T) {
	most := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := tree(r, 600)
		slow, names := faulty(r, p, 6, func() float64 { return 1.4 })
		s := compare(p, slow)
		var found []string
		sum := 0.0
		for _, f := range Find(s, defaults()) {
			found = append(found, f.Component+"."+f.Function)
			if f.Share != nil {
				sum += *f.Share
			}
			most = max(most, int(f.Inherited))
		}
		slices.Sort(found)
		reached := slices.ContainsFunc(s, func(s Subject) bool { return s.Initial && s.Change.Verdict == schema.Regressed })
		if !slices.Equal(found, names) || reached && math.Abs(sum-1) > 1e-6 {
			t.Errorf("seed %d: found %v of %v, shares %v", seed, found, names, sum)
		}
		none(t, s)
	}
	if most < 5 {
		t.Errorf("at most %d changes were folded: the trees are too flat to tell", most)
	}
}

// random is a random comparison with changes of all kinds.
func random(seed uint64) (base, cand program) {
	r := rand.New(rand.NewPCG(seed, 2))
	base = tree(r, 30+r.IntN(60))
	cand, _ = faulty(r, base, 1+r.IntN(8), func() float64 { return .3 + 2*r.Float64() })
	for range r.IntN(3) {
		i := r.IntN(len(base.functions))
		name := fmt.Sprintf("c%d.f%d", i, i)
		w := cand.functions[name]
		switch r.IntN(3) {
		case 0:
			w = w.calling("new.f", 2)
			cand = cand.with("new.f", own(300*us))
		case 1:
			w.calls = slices.Clone(w.calls)
			for k := range w.calls {
				w.calls[k].times += 2
			}
		case 2:
			w.own = append(slices.Clone(w.own), 400*us)
		}
		cand = cand.with(name, w)
	}
	return base, cand
}

// The two parts of the account are the difference of the mean costs of the parts.
func TestTheAccountIsExact(t *testing.T) {
	for seed := range uint64(60) {
		s := compare(random(seed))
		for _, f := range Find(s, defaults()) {
			want := 0.0
			for _, one := range s {
				c := one.Change
				own := c.Level == f.Level && one.Function == f.Function
				if f.Verdict == schema.CountChanged { // a caller that calls otherwise: of all that it calls
					own = c.Level == schema.LevelTransition
				}
				if c.Finding != nil && *c.Finding == f.Finding && own && one.Awaited == "" {
					want += meanOfRuns(one.Cand, nil).CostNs - meanOfRuns(one.Base, nil).CostNs
				}
			}
			if got := f.SlowerNs + f.CalledNs; math.Abs(float64(got)-want) > 1 {
				t.Errorf("seed %d: %s.%s: %d + %d is not %v", seed, f.Component, f.Function, f.SlowerNs, f.CalledNs, want)
			}
		}
	}
}

// Without noise, all that changed an initial fragment is found: the shares add up to 1, but for what is below the margins.
func TestSharesAddUp(t *testing.T) {
	for seed := range uint64(60) {
		s := compare(random(seed))
		sum, shown := 0.0, false
		for _, f := range Find(s, defaults()) {
			if f.Share != nil {
				sum, shown = sum+*f.Share, true
			}
		}
		if shown && math.Abs(sum-1) > .05 {
			t.Errorf("seed %d: the shares are %v together", seed, sum)
		}
	}
}

func copied(subjects []Subject) []Subject {
	out := slices.Clone(subjects)
	for i := range out {
		c := *out[i].Change
		out[i].Change = &c
	}
	return out
}

func TestOrderOfSubjects(t *testing.T) {
	for seed := range uint64(40) {
		s := compare(random(seed))
		want := Find(s, defaults())
		again := copied(s)
		rand.New(rand.NewPCG(seed, 3)).Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		got := Find(again, defaults())
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: got %v, want %v", seed, told(got), told(want))
		}
		slices.SortFunc(again, func(a, b Subject) int { return int(a.Change.Rank - b.Change.Rank) })
		for i := range s {
			a, b := s[i].Change.Finding, again[i].Change.Finding
			if (a == nil) != (b == nil) || a != nil && *a != *b {
				t.Fatalf("seed %d: %s belongs to another finding", seed, s[i].Change.Subject)
			}
		}
	}
}

func TestUnchangedSubjectsChangeNothing(t *testing.T) {
	for seed := range uint64(20) {
		base, cand := random(seed)
		want := Find(compare(base, cand), defaults())
		more := compare(base, cand)
		for i := range 50 {
			at := fmt.Sprintf("apart%d", i%7)
			c := &schema.Change{Level: schema.LevelTransition, Component: at, Fragment: at + ".f", Subject: fmt.Sprint("step ", i)}
			more = append(more, judged(Subject{Change: c, Function: "f"}, &Run{5 * ms, 1}, &Run{5 * ms, 1}))
		}
		expect.Slice(t, told(Find(more, defaults())), told(want), "seed %d", seed)
	}
}

// mirrored tells findings with the sides exchanged, without their order.
func mirrored(findings []schema.Finding, sign int64) (lines []string) {
	for _, f := range findings {
		verdict := f.Verdict
		if other, has := map[string]string{schema.Regressed: schema.Improved, schema.Appeared: schema.Vanished}[verdict]; has {
			verdict = other
		}
		share := 0.0
		if f.Share != nil {
			share = *f.Share
		}
		lines = append(lines, fmt.Sprintf("%s %s %s.%s %s %+d %+d %+d %.6f %d %s %s", verdict, f.Kind, f.Component, f.Function, f.Subject,
			sign*f.EffectNs, sign*f.SlowerNs, sign*f.CalledNs, share, f.Inherited, f.InheritedAt, f.MovedFrom))
	}
	slices.Sort(lines)
	return lines
}

func TestExchangedSides(t *testing.T) {
	for seed := range uint64(60) {
		base, cand := random(seed)
		there, back := mirrored(Find(compare(base, cand), defaults()), 1), mirrored(Find(compare(cand, base), defaults()), -1)
		expect.Slice(t, there, back, "seed %d", seed)
	}
}

func TestNothingChanged(t *testing.T) {
	base, _ := random(1)
	expect.Slice(t, told(Find(compare(base, base), defaults())), nil, "findings of a run beside itself")
	expect.Slice(t, told(Find(nil, defaults())), nil, "findings of nothing")
}
