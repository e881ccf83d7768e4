package faults_test

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Fig. 4.4: the fault (e2, +10) goes on by messages to e3 and e4, and e5 follows on its lifeline, where 4 of 10 can be
// absorbed. The edge (e3, e6) absorbs all. The paper's text has no more numbers; times and slacks are made to fit it.
//
//	A:  e1 0 ....(20)... e2 20
//	                       \ (0)
//	B:                     e3 30 .........(25)........... e6 60
//	                         \ (0)                       / (5)
//	C:                       e4 40 ...(4)... e5 50 ------
func figure(t *testing.T) network {
	return chart(t, []int64{0, 20, 30, 40, 50, 60}, []faults.Edge{
		{Source: e1, Target: e2, SlackNs: 20}, {Source: e2, Target: e3, SlackNs: 0}, {Source: e3, Target: e4, SlackNs: 0},
		{Source: e4, Target: e5, SlackNs: 4}, {Source: e3, Target: e6, SlackNs: 25}, {Source: e5, Target: e6, SlackNs: 6},
	})
}

const (
	e1 int32 = iota
	e2
	e3
	e4
	e5
	e6
)

func TestFigure(t *testing.T) {
	c := figure(t)
	in := faults.NewInjector(c.Chart)
	in.Inject(e2, 10)
	expect.Slice(t, in.Times(), []int64{0, 30, 40, 50, 56, 60}, "times")
	expect.Slice(t, moved(c.timeNs, in.Times(), e2), []int32{e3, e4, e5}, "C")
	want := []faults.Edge{ // by target
		{Source: e1, Target: e2, SlackNs: 30}, {Source: e2, Target: e3, SlackNs: 0}, {Source: e3, Target: e4, SlackNs: 0},
		{Source: e4, Target: e5, SlackNs: 0}, {Source: e3, Target: e6, SlackNs: 15}, {Source: e5, Target: e6, SlackNs: 0},
	}
	expect.Slice(t, slices.Collect(c.Slack(in.Times())), want, "slacks")
}

// To the left: e3 is 5 earlier, which e2 must follow by message; (e1, e2) absorbs it.
func TestFigureToTheLeft(t *testing.T) {
	c := figure(t)
	in := faults.NewInjector(c.Chart)
	in.Inject(e3, -5)
	expect.Slice(t, in.Times(), []int64{0, 15, 25, 40, 50, 60}, "times")
	expect.Slice(t, moved(c.timeNs, in.Times(), e3), []int32{e2}, "C")
}
