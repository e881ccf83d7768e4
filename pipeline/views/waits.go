package views

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Wait is a timing constraint on the start or the finish of an execution: what that event waits for. Times count from the run's first event.
type Wait struct {
	AtStart  bool   `json:"at_start"` // the constraint is on the start; else on the finish
	Kind     string `json:"kind"`     // as in the table constraints
	Sender   string `json:"sender"`   // component that is waited for; empty where it is the lifeline itself
	Label    string `json:"label"`
	FromNs   int64  `json:"from_ns"`  // when what is waited for occurs
	ToNs     int64  `json:"to_ns"`    // when the event occurs
	SlackNs  *int64 `json:"slack_ns"` // null where no bound is known
	Critical bool   `json:"critical"` // a later source would delay the event
}

// Spare is how much later an event of an execution could occur without moving the end of any chain of constraints.
type Spare struct {
	AtStart bool  `json:"at_start"`
	SlackNs int64 `json:"slack_ns"`
}

var waitColumns = []string{"target_seq", "kind", "sender", "message", "target_ns", "duration_ns", "slack_ns", "critical"}

// waits finds the constraints on both ends of an execution, and their slack. Runs without these tables have none.
func (r *Run) waits(x *Execution, out *Related) error {
	ends := func(seq int64) bool { return seq == x.Execution || seq == x.FinishSeq }
	without := func(column string) func(lake.Stats) bool {
		return func(s lake.Stats) bool {
			least, most, known := s.Ints(column)
			return known && (x.Execution < least || x.Execution > most) && (x.FinishSeq < least || x.FinishSeq > most)
		}
	}
	if r.constraints != nil {
		c := schema.NewConstraints(new(schema.Names))
		err := r.lake.Scan(r.ctx, r.constraints.Files, c, lake.ScanOptions{Columns: waitColumns, Skip: without("target_seq")}, func() error {
			for i, target := range c.Target {
				if !ends(target) {
					continue
				}
				w := Wait{
					AtStart: target == x.Execution, Kind: schema.ConstraintKindWords[c.Kind[i]], Sender: c.Names.Components.Name(c.Sender[i]), Label: c.Names.Messages.Name(c.Label[i]),
					ToNs: c.TargetNs[i] - r.StartNs, FromNs: c.TargetNs[i] - c.DurationNs[i] - r.StartNs, Critical: c.Critical[i],
				}
				if slack := c.SlackNs[i]; slack != schema.NoValue {
					w.SlackNs = &slack
				}
				out.Waits = append(out.Waits, w)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.SortStableFunc(out.Waits, func(a, b Wait) int { return cmp.Or(cmp.Compare(a.ToNs, b.ToNs), cmp.Compare(a.FromNs, b.FromNs)) })
	if r.slack == nil {
		return nil
	}
	s := new(schema.Slack)
	return r.lake.Scan(r.ctx, r.slack.Files, s, lake.ScanOptions{Columns: []string{"seq", "slack_ns"}, Skip: without("seq")}, func() error {
		for i, seq := range s.Seq {
			if ends(seq) {
				out.Spare = append(out.Spare, Spare{seq == x.Execution, s.SlackNs[i]})
			}
		}
		return nil
	})
}
