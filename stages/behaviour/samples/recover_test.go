package samples_test

import (
	"math/rand"
	"reflect"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/behaviour/testdata/wordtest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// times splits the absolute samples of a fragment by transition.
func times(transitions []schema.Transition, s *schema.Samples) [][]int64 {
	out := make([][]int64, len(transitions))
	for i, t := range transitions {
		for row, fragment := range s.Fragment {
			if s.Names.Fragments.Name(fragment) == t.Fragment && s.Transition[row] == t.Transition {
				out[i] = append(out[i], s.TimeNs[row])
			}
		}
	}
	return out
}

// Hilbig 2023, Fig. 3.1: T(s0, a) = [1, 3], T(s1, b) = [2, 4].
func TestRecoverThePapersExample(t *testing.T) {
	ev := wordtest.Story(t, new(schema.Names), "1 c > f\n2 c < f\n3 c > f\n4 c < f")
	m := learn(ev)
	ts := times(m.Transitions, replay(t, m, ev, 1000, 0))
	expect.Deep(expect.Must(t), ts, [][]int64{{1, 3}, {2, 4}}, "time samples")
	got, err := samples.Recover(m.Transitions, ts)
	if want := []samples.Taken{{0, 1}, {1, 2}, {0, 3}, {1, 4}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// The timed automaton of one lifeline holds its whole trace.
func TestRecoverGivesTheTraceBack(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	for range 200 {
		ev := oneLifeline(random(t, rng, 300))
		m := learn(ev)
		s := replay(t, m, ev, 1000, 0)
		recovered := map[int64]schema.Transition{}
		for at := 0; at < len(m.Transitions); {
			to := at
			for to < len(m.Transitions) && m.Transitions[to].Fragment == m.Transitions[at].Fragment {
				to++
			}
			own := m.Transitions[at:to]
			got := expect.Value(samples.Recover(own, times(own, s)))(t)
			for _, x := range got {
				recovered[x.TimeNs] = own[x.Transition]
			}
			at = to
		}
		for i, ns := range ev.TimeNs {
			r := recovered[ns]
			if r.Function != ev.Names.Functions.Name(ev.Function[i]) || r.Kind != schema.KindWords[ev.Kind[i]] {
				t.Fatalf("event %d is recovered as %+v", i, r)
			}
		}
		expect.Equal(expect.Must(t), len(recovered), len(ev.TimeNs), "events recovered")
	}
}

// oneLifeline keeps the complete words of the first lifeline.
func oneLifeline(ev *schema.Events) *schema.Events {
	out := &schema.Events{Names: ev.Names}
	var word []int
	for i := range ev.Seq {
		if ev.Lifeline[i] != 0 {
			continue
		}
		word = append(word, i)
		if balanced(ev, word) {
			for _, k := range word {
				appendEvent(out, ev, k)
			}
			word = nil
		}
	}
	return out
}

func appendEvent(to, ev *schema.Events, i int) {
	p := wordtest.Part(ev, i, i+1)
	to.Seq = append(to.Seq, p.Seq...)
	to.TimeNs = append(to.TimeNs, p.TimeNs...)
	to.Component = append(to.Component, p.Component...)
	to.Lifeline = append(to.Lifeline, p.Lifeline...)
	to.Function = append(to.Function, p.Function...)
	to.Kind = append(to.Kind, p.Kind...)
	to.Direction = append(to.Direction, p.Direction...)
	to.Peer = append(to.Peer, p.Peer...)
}

func TestRecoverSaysWhatIsLeftOver(t *testing.T) {
	rows := []schema.Transition{{Source: 0, Target: 1}, {Source: 1, Target: 0}}
	if _, err := samples.Recover(rows, [][]int64{{1, 2}, {3}}); err == nil {
		t.Error("overlapping words are recovered")
	}
}

func TestRecoverTakesNoSampleTwice(t *testing.T) {
	got, err := samples.Recover([]schema.Transition{{Source: 0, Target: 0}}, [][]int64{{1, 2}})
	if want := []samples.Taken{{0, 1}, {0, 2}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}
