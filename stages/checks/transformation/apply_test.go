package transformation

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random is a trace of claims and events of few names, with ties, and dependencies in any direction.
func random(r *rand.Rand) *Trace {
	t := &Trace{UnitNs: 1, Resources: []Resource{{Name: "r", Capacity: 9}}}
	name := func() []spec.Pair { return []spec.Pair{{Name: "n", Value: string("pqs"[r.IntN(3)])}} }
	for range r.IntN(8) {
		from := r.Int64N(12)
		t.Claims = append(t.Claims, Claim{FromNs: from, ToNs: from + r.Int64N(5), Amount: 1, Attributes: name()})
	}
	for range r.IntN(8) {
		t.Events = append(t.Events, Event{r.Int64N(12), name()})
	}
	for range r.IntN(10) {
		end := func() End {
			if i := r.IntN(len(t.Claims) + len(t.Events)); i < len(t.Claims) {
				return End{At: i, End: r.IntN(2) == 0}
			} else {
				return End{At: i - len(t.Claims), Event: true}
			}
		}
		if len(t.Claims)+len(t.Events) > 0 {
			t.Dependencies = append(t.Dependencies, Dependency{From: end(), To: end()})
		}
	}
	return t
}

// attribute is the value of n of a state.
func (t *Trace) attribute(e End) string {
	of := t.Events
	if !e.Event {
		value, _ := get(t.Claims[e.At].Attributes, "n")
		return value
	}
	value, _ := get(of[e.At].Attributes, "n")
	return value
}

// TestOracle compares claims, events and dependencies with the definitions as loops.
func TestOracle(t *testing.T) {
	all := expect.Value(spec.ParseTransformations("f", "transformation a { claim-spec c : {n=p}, {n=q}, {n=c}; event-spec e : start {n=s}, {n=e}; }"))(t)
	followed := 0
	for seed := range uint64(2000) {
		in := random(rand.New(rand.NewPCG(seed, 5)))
		shared := seed%2 == 0
		out, report, err := Apply(in, all[0], shared)
		expect.OK(t, err)
		ends, times := in.ends()
		var want []string
		made := make([][]string, len(ends)) // by state
		taken := map[int]bool{}
		unmatched := 0
		for i, s := range ends {
			if in.attribute(s) != "p" {
				continue
			}
			found := -1
			for j, e := range ends {
				if in.attribute(e) == "q" && times[j] > times[i] && (shared || !taken[j]) {
					found = j
					break
				}
			}
			if found < 0 {
				unmatched++
				continue
			}
			taken[found] = true
			n := len(want)
			want = append(want, fmt.Sprint(times[i], "-", times[found]))
			made[i], made[found] = append(made[i], fmt.Sprint("s", n)), append(made[found], fmt.Sprint("e", n))
		}
		var got []string
		for _, c := range out.Claims {
			got = append(got, fmt.Sprint(c.FromNs, "-", c.ToNs))
		}
		expect.Slice(t, got, want, "seed %d: claims", seed)
		expect.Equal(t, report.Unmatched, unmatched, "seed %d: starts without an end", seed)
		events := 0
		for i, s := range ends {
			if !s.Event && !s.End && in.attribute(s) == "s" {
				made[i] = append(made[i], fmt.Sprint("v", events))
				expect.Equal(t, out.Events[events].TimeNs, times[i], "seed %d: time of an event", seed)
				events++
			}
		}
		expect.Equal(t, len(out.Events), events, "seed %d: events", seed)
		compareDependencies(t, in, out, ends, made, seed)
		followed += len(out.Dependencies)
	}
	if followed < 500 {
		t.Errorf("only %d dependencies were followed", followed)
	}
}

// compareDependencies walks all ways between made things past no other one.
func compareDependencies(t *testing.T, in, out *Trace, ends []End, made [][]string, seed uint64) {
	t.Helper()
	type step struct {
		to int
		ns int64
	}
	next := make([][]step, len(ends))
	for _, d := range in.Dependencies {
		if from, to := slices.Index(ends, d.From), slices.Index(ends, d.To); from < to {
			next[from] = append(next[from], step{to, 0})
		}
	}
	for i, e := range ends {
		if !e.Event && !e.End {
			next[i] = append(next[i], step{slices.Index(ends, End{At: e.At, End: true}), in.Claims[e.At].ToNs - in.Claims[e.At].FromNs})
		}
	}
	longest := map[[2]int]int64{}
	var walk func(from, at int, ns int64)
	walk = func(from, at int, ns int64) {
		for _, s := range next[at] {
			if len(made[s.to]) > 0 {
				if before, known := longest[[2]int{from, s.to}]; !known || ns+s.ns > before {
					longest[[2]int{from, s.to}] = ns + s.ns
				}
				continue
			}
			walk(from, s.to, ns+s.ns)
		}
	}
	var want []string
	if len(in.Dependencies) > 0 {
		for i := range made {
			if len(made[i]) > 0 {
				walk(i, i, 0)
			}
		}
	}
	for pair, ns := range longest {
		for _, a := range made[pair[0]] {
			for _, b := range made[pair[1]] {
				if a[0] == 'v' || b[0] == 'v' || a[1:] != b[1:] {
					want = append(want, fmt.Sprint(a, "->", b, " ", ns))
				}
			}
		}
	}
	word := func(e End) string {
		switch {
		case e.Event:
			return fmt.Sprint("v", e.At)
		case e.End:
			return fmt.Sprint("e", e.At)
		}
		return fmt.Sprint("s", e.At)
	}
	var got []string
	for _, d := range out.Dependencies {
		got = append(got, fmt.Sprint(word(d.From), "->", word(d.To), " ", d.Attributes[0].Value))
	}
	slices.Sort(got)
	slices.Sort(want)
	expect.Slice(t, got, want, "seed %d: dependencies", seed)
}

// TestWriteETF sees the text of everything, and what it cannot spell.
func TestWriteETF(t *testing.T) {
	trace := &Trace{
		Attributes: []spec.Pair{{Name: "system", Value: "a,b;c=d"}}, Resources: []Resource{{Name: "m", Capacity: 2.5, Places: true}},
		Claims: []Claim{{1, 2, 0, 1, 0.5, []spec.Pair{{Name: "name", Value: "A"}}}}, Events: []Event{{-3, nil}},
		Dependencies: []Dependency{{From: End{At: 0, End: true}, To: End{Event: true}}, {From: End{At: 0}, To: End{Event: true}}, {From: End{At: 0, End: true}, To: End{At: 0}}},
		Signals:      []Signal{{Name: "x", Pieces: []Piece{{0, 5, 1, -0.5, 0}}}},
	}
	var out bytes.Buffer
	unspelled := expect.Value(trace.WriteETF(&out))(t)
	expect.Equal(t, unspelled, 1, "a start before an event")
	expect.Slice(t, strings.Split(out.String(), "\n"), []string{
		"TU NANOSECONDS", "T system=a|b|c:d", "R 0 2.5 true;name=m", "C 0 1 2 0 0.5 1;name=A", "E 1 -3;", "D 0 8 0 1;", "D 2 2 0 0;", "S 0;name=x", "F 0 0 5 1 -0.5 0", "",
	}, "text")
}
