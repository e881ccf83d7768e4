package deadlines_test

import (
	"testing"

	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

// TestLabels has one cause after another on the only path. From (2, at 0) sends a message to a lifeline that started
// work (0) before; that work ends (3), the lifeline turns to the message (4), does it (5), is idle, and does the
// next step (6), which ends the occurrence.
func TestLabels(t *testing.T) {
	o := &deadlines.Occurrence{From: 2, To: 7, FromNs: 0, ToNs: 60, Edges: []deadlines.Edge{
		{Source: 1, Target: 3, SourceNs: -50, TargetNs: 10, BoundNs: 60},
		{Source: 3, Target: 4, SourceNs: 10, TargetNs: 20, BoundNs: 10, Idle: true},
		{Source: 2, Target: 4, SourceNs: 0, TargetNs: 20, BoundNs: 1, Message: true},
		{Source: 4, Target: 5, SourceNs: 20, TargetNs: 30, BoundNs: 10},
		{Source: 5, Target: 6, SourceNs: 30, TargetNs: 40, BoundNs: 10, Idle: true},
		{Source: 6, Target: 7, SourceNs: 40, TargetNs: 60, BoundNs: 18, Message: true},
	}}
	x := deadlines.NewReference(deadlines.Defaults(0)).Explain(o)
	want := []struct {
		source  int64
		label   deadlines.Label
		boundNs int64
	}{ // the gain of the first two is 19 together, because the message takes 1
		{6, deadlines.CommunicationDelay, 18},
		{1, deadlines.ServiceContention, 10},
		{3, deadlines.ServiceContention, 10},
		{4, deadlines.Execution, 10},
		{5, deadlines.ResourceContention, 10},
	}
	if len(x.Causes) != len(want)+1 || x.Sufficient || x.MakespanNs != 2 || x.UnexplainedNs != 2 {
		t.Fatalf("%+v", x)
	}
	for i, w := range want {
		if c := x.Causes[i]; c.Edge.Source != w.source || c.Label != w.label || c.BoundNs != w.boundNs || c.GainNs != w.boundNs {
			t.Errorf("%+v, want %+v", c, w)
		}
	}
	if c := x.Causes[5]; c.Edge.Source != 2 || c.Label != deadlines.CommunicationDelay || c.GainNs != 0 {
		t.Errorf("%+v, want the first message, which gains nothing alone", c)
	}
}

// An occurrence that met the deadline needs no cause.
func TestInTime(t *testing.T) {
	edges := []deadlines.Edge{{Source: 0, Target: 1, TargetNs: 9, BoundNs: 9}}
	for _, o := range []*deadlines.Occurrence{{To: 1, ToNs: 9, Edges: edges}, {To: 1, ToNs: 9}, {}} {
		x := deadlines.NewReference(deadlines.Defaults(9)).Explain(o)
		if !x.Sufficient || len(x.Causes) > 0 || x.MakespanNs != o.ToNs {
			t.Errorf("%+v", x)
		}
	}
}
