package views

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Execution is all that the lake says of an execution. Times count from the run's first event.
type Execution struct {
	Execution  int64  `json:"execution"`   // number of its enter event
	Component  string `json:"component"`   // whose function it is
	Lifeline   string `json:"lifeline"`    // where it runs
	Function   string `json:"function"`    // its name
	Number     int64  `json:"number"`      // the i-th of the function on the component, from 1
	StartNs    int64  `json:"start_ns"`    // of its enter
	FinishNs   int64  `json:"finish_ns"`   // of its exit
	DurationNs int64  `json:"duration_ns"` // between both
	SelfNs     int64  `json:"self_ns"`     // without the calls on its lifeline
	Depth      int64  `json:"depth"`       // how many calls are around it on its lifeline
	Parent     *int64 `json:"parent"`      // null for a root execution
	Fragment   string `json:"fragment"`    // of which it is an occurrence, or a part; empty where it is of none
	Occurrence int64  `json:"occurrence"`  // of the fragment, from 0
	Role       string `json:"role"`        // empty for an internal execution
	Peer       string `json:"peer"`        // empty without one
	Type       string `json:"type"`        // empty where the trace has none
	Synthetic  bool   `json:"synthetic"`   // its start or its finish was invented
	FinishSeq  int64  `json:"finish_seq"`  // number of its exit event

	Attributes [][2]string `json:"attributes"` // what the trace says beyond that, as names with their values; null without any
}

// NoExecutionError is the error of an execution that a run does not have.
type NoExecutionError struct {
	Run       string // its name
	Execution int64  // the number that was asked for
}

// Error implements error.
func (e *NoExecutionError) Error() string {
	return fmt.Sprintf("run %s has no execution %d", e.Run, e.Execution)
}

// Execution finds an execution by the number of its enter event. A time at which it runs, since the run's first event, says which row groups
// can have it; with schema.NoValue it is searched from its number on.
func (r *Run) Execution(execution, nearNs int64) (*Execution, error) {
	return r.find(execution, nearNs, func(x *schema.Executions) int { return slices.Index(x.Execution, execution) })
}

// ExecutionAt finds the execution that an event, which occurs at a time since the run's first event, begins or ends.
func (r *Run) ExecutionAt(seq, nearNs int64) (*Execution, error) {
	return r.find(seq, nearNs, func(x *schema.Executions) int {
		return max(slices.Index(x.Execution, seq), slices.Index(x.FinishSeq, seq))
	})
}

// find reads the row groups that may have an execution which an event begins or ends, until one of them has it.
func (r *Run) find(event, nearNs int64, of func(*schema.Executions) int) (*Execution, error) {
	at := nearNs
	if at != schema.NoValue {
		at += r.StartNs
	}
	x := schema.NewExecutions(new(schema.Names))
	for _, f := range r.executions.Files {
		foot, err := r.footer(f)
		if err != nil {
			return nil, err
		}
		for g, b := range foot.groups {
			if b.executions > event || b.finishSeq[1] < event || at != schema.NoValue && (b.finishNs[1] < at || b.startNs > at) {
				continue
			}
			in, err := r.lake.ReaderOf(f, foot.file, x)
			if err != nil {
				return nil, err
			}
			if err = in.Read(g); err != nil {
				in.Close()
				return nil, err
			}
			in.Close()
			if i := of(x); i >= 0 {
				out := r.described(x, i)
				out.Attributes, err = r.Said(out.Execution)
				return out, err
			}
		}
	}
	return nil, &NoExecutionError{r.Name, event}
}

// described is a row with its names.
func (r *Run) described(x *schema.Executions, i int) *Execution {
	n := x.Names
	out := &Execution{
		Execution: x.Execution[i], Component: n.Components.Name(x.Component[i]), Lifeline: n.Lifelines.Name(x.Lifeline[i]),
		Function: n.Functions.Name(x.Function[i]), Number: x.Number[i], StartNs: x.StartNs[i] - r.StartNs, FinishNs: x.FinishNs[i] - r.StartNs,
		DurationNs: x.DurationNs[i], SelfNs: x.SelfNs[i], Depth: x.Depth[i], Fragment: n.Fragments.Name(x.Fragment[i]),
		Occurrence: x.Occurrence[i], Role: schema.RoleWords[x.Role[i]], Peer: n.Components.Name(x.Peer[i]), Type: n.Types.Name(x.Type[i]),
		Synthetic: x.Synthetic[i], FinishSeq: x.FinishSeq[i],
	}
	if x.Parent[i] != schema.NoValue {
		out.Parent = &x.Parent[i]
	}
	return out
}
