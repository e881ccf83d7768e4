package faults_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

// printed is Algorithm 2 line by line: a simple queue with repetitions, and a slack function that is kept up to date.
type printed struct {
	t         []int64
	s         []faults.Edge // with their slacks now
	shifted   map[int32]bool
	shiftedAt int // how often an event was shifted
}

func transcribe(c network) *printed {
	return &printed{t: slices.Clone(c.timeNs), s: slices.Clone(c.edges), shifted: map[int32]bool{}}
}

func (p *printed) main(e int32, delta int64) {
	q := []int32{e}
	for len(q) > 0 {
		current := q[0]
		q = q[1:]
		var shift int64
		if current == e {
			shift = delta
		} else {
			shift = p.computeRequiredShift(current, delta)
		}
		if shift == 0 {
			continue
		} else if shift > 0 {
			for _, edge := range p.s {
				if edge.Source == current {
					q = append(q, edge.Target)
				}
			}
		} else {
			for _, edge := range p.s {
				if edge.Target == current {
					q = append(q, edge.Source)
				}
			}
		}
		if current != e {
			p.shifted[current] = true
			p.shiftedAt++
		}
		p.t[current] += shift
		p.updateSlack(current, shift)
	}
}

func (p *printed) computeRequiredShift(e int32, delta int64) int64 {
	var least int64
	if delta > 0 {
		for _, edge := range p.s {
			if edge.Target == e {
				least = min(least, edge.SlackNs)
			}
		}
		return -least
	}
	for _, edge := range p.s {
		if edge.Source == e {
			least = min(least, edge.SlackNs)
		}
	}
	return least
}

func (p *printed) updateSlack(e int32, delta int64) {
	for i := range p.s {
		if p.s[i].Source == e {
			p.s[i].SlackNs -= delta
		}
		if p.s[i].Target == e {
			p.s[i].SlackNs += delta
		}
	}
}

// sorted are edges in one order, whatever order they came in.
func sorted(edges []faults.Edge) []string {
	var lines []string
	for _, e := range edges {
		lines = append(lines, fmt.Sprint(e))
	}
	slices.Sort(lines)
	return lines
}

func TestIsThePrintedAlgorithm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	again := 0
	for range 3000 {
		n := 1 + rng.IntN(14)
		c := random(t, rng, n)
		in, want := faults.NewInjector(c.Chart), transcribe(c)
		got := map[int32]bool{}
		for _, f := range someFaults(rng, n, 1+rng.IntN(6)) {
			before := slices.Clone(in.Times())
			in.Inject(f.Event, f.DeltaNs)
			want.main(f.Event, f.DeltaNs)
			for _, e := range moved(before, in.Times(), f.Event) {
				got[e] = true
			}
			expect.Slice(expect.Must(t), in.Times(), want.t, "times after %+v of %+v %+v", f, c.timeNs, c.edges)
			if got := slices.Collect(c.Slack(in.Times())); !slices.Equal(sorted(got), sorted(want.s)) {
				t.Fatalf("%+v of %+v %+v: got slacks %v, want %v", f, c.timeNs, c.edges, got, want.s)
			}
		}
		if !maps.Equal(got, want.shifted) {
			t.Fatalf("shifted %v, want %v", got, want.shifted)
		}
		again += want.shiftedAt - len(want.shifted)
	}
	if again == 0 {
		t.Error("the printed algorithm never shifted an event twice: the charts are too simple")
	}
}
