package views

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Neighbour is an execution that one may want to see next. Times count from the run's first event.
type Neighbour struct {
	Execution int64  `json:"execution"`
	Lifeline  string `json:"lifeline"`
	Function  string `json:"function"`
	Number    int64  `json:"number"` // the i-th of the function on the component
	StartNs   int64  `json:"start_ns"`
	FinishNs  int64  `json:"finish_ns"`
}

// Exchange is a message of an execution, seen from it.
type Exchange struct {
	Sent     bool   `json:"sent"`     // by the execution; else received
	AtStart  bool   `json:"at_start"` // of the execution; else at its finish
	Label    string `json:"label"`    // of the message
	Lifeline string `json:"lifeline"` // of the other one
	Function string `json:"function"` // of the event of the other one
	Seq      int64  `json:"seq"`      // that event
	Ns       int64  `json:"ns"`       // its time
	TookNs   int64  `json:"took_ns"`  // from the sending to the receiving
}

// Related is what stands around an execution.
type Related struct {
	Callees  []Neighbour `json:"callees"` // the longest ones, in the order of their start
	Calls    int64       `json:"calls"`   // how many there are
	Before   *Neighbour  `json:"before"`  // the execution of the function on the component before it; null where none is near
	After    *Neighbour  `json:"after"`   // the one after it
	Messages []Exchange  `json:"messages"`
	Waits    []Wait      `json:"waits"` // the constraints on its start and finish
	Spare    []Spare     `json:"spare"` // the slack of both
}

// The most that is told, and the most row groups that are read on either side for the same function before and after.
const (
	mostCallees = 50
	mostAway    = 32
)

var relatedColumns = []string{"execution", "component", "lifeline", "function", "number", "start_ns", "finish_ns", "parent"}

// Related finds what an execution calls, what it sends and receives at its ends, and the executions of its function before and after it.
func (r *Run) Related(x *Execution) (*Related, error) {
	out := &Related{Callees: []Neighbour{}, Messages: []Exchange{}, Waits: []Wait{}, Spare: []Spare{}}
	for _, f := range r.executions.Files {
		foot, err := r.footer(f)
		if err != nil {
			return nil, err
		}
		home := slices.IndexFunc(foot.groups, func(b bounds) bool { return b.finishSeq[0] <= x.FinishSeq && x.FinishSeq <= b.finishSeq[1] })
		if home < 0 {
			continue
		}
		found, err := r.around(f, foot, home, x, out)
		if err != nil {
			return nil, err
		}
		if found {
			break
		}
	}
	slices.SortFunc(out.Callees, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(a.StartNs, b.StartNs), cmp.Compare(a.Execution, b.Execution))
	})
	if err := r.waits(x, out); err != nil {
		return nil, err
	}
	return out, r.exchanges(x, out)
}

// around looks through the row groups of a file, from the one that may have the execution on, in both directions. It reports whether the file has the execution.
func (r *Run) around(f lake.File, foot *footer, home int, x *Execution, out *Related) (has bool, err error) {
	rows := schema.NewExecutions(new(schema.Names))
	in, err := r.lake.Reader(f, rows, relatedColumns...)
	if err != nil {
		return false, err
	}
	defer in.Close()
	look := func(g int) error {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := in.Read(g); err != nil {
			return err
		}
		has = has || slices.Contains(rows.Execution, x.Execution)
		if has {
			out.addRows(r, rows, x)
		}
		return nil
	}
	if err := look(home); err != nil || !has {
		return has, err
	}
	for g := home - 1; g >= 0 && (foot.groups[g].finishNs[1] >= x.StartNs+r.StartNs || out.Before == nil && x.Number > 1 && home-g <= mostAway); g-- {
		if err := look(g); err != nil {
			return has, err
		}
	}
	for g := home + 1; g < len(foot.groups) && out.After == nil && g-home <= mostAway; g++ {
		if err := look(g); err != nil {
			return has, err
		}
	}
	return has, nil
}

// addRows adds what a row group has of callees, and of the executions before and after.
func (out *Related) addRows(r *Run, rows *schema.Executions, x *Execution) {
	of := func(i int) Neighbour {
		return Neighbour{
			Execution: rows.Execution[i], Lifeline: rows.Names.Lifelines.Name(rows.Lifeline[i]), Function: rows.Names.Functions.Name(rows.Function[i]),
			Number: rows.Number[i], StartNs: rows.StartNs[i] - r.StartNs, FinishNs: rows.FinishNs[i] - r.StartNs,
		}
	}
	for i, parent := range rows.Parent {
		if parent == x.Execution {
			out.Calls++
			out.Callees = append(out.Callees, of(i))
		}
		if away := rows.Number[i] - x.Number; (away == 1 || away == -1) && rows.Names.Functions.Name(rows.Function[i]) == x.Function && rows.Names.Components.Name(rows.Component[i]) == x.Component {
			n := of(i)
			if away == 1 {
				out.After = &n
			} else {
				out.Before = &n
			}
		}
	}
	if len(out.Callees) > mostCallees {
		slices.SortStableFunc(out.Callees, func(a, b Neighbour) int { return cmp.Compare(b.FinishNs-b.StartNs, a.FinishNs-a.StartNs) })
		out.Callees = out.Callees[:mostCallees]
	}
}

var exchangeColumns = []string{
	"label", "send_seq", "receive_seq", "sender_function", "receiver_function", "sender_lifeline", "receiver_lifeline", "send_ns", "receive_ns",
}

// exchanges finds the messages that an execution sends or receives at its start or its finish.
func (r *Run) exchanges(x *Execution, out *Related) error {
	ends := func(seq int64) bool { return seq == x.Execution || seq == x.FinishSeq }
	skip := func(s lake.Stats) bool {
		first, _, known := s.Ints("send_ns")
		_, last, also := s.Ints("receive_ns")
		return known && also && (first > x.FinishNs+r.StartNs || last < x.StartNs+r.StartNs)
	}
	m := schema.NewMessages(new(schema.Names))
	err := r.lake.Scan(r.ctx, r.message.Files, m, lake.ScanOptions{Columns: exchangeColumns, Skip: skip}, func() error {
		for i := range m.SendSeq {
			took := m.ReceiveNs[i] - m.SendNs[i]
			if ends(m.SendSeq[i]) {
				out.Messages = append(out.Messages, Exchange{
					Sent: true, AtStart: m.SendSeq[i] == x.Execution, Label: m.Names.Messages.Name(m.Label[i]), Lifeline: m.Names.Lifelines.Name(m.ReceiverLifeline[i]),
					Function: m.Names.Functions.Name(m.ReceiverFunction[i]), Seq: m.ReceiveSeq[i], Ns: m.ReceiveNs[i] - r.StartNs, TookNs: took,
				})
			}
			if ends(m.ReceiveSeq[i]) {
				out.Messages = append(out.Messages, Exchange{
					AtStart: m.ReceiveSeq[i] == x.Execution, Label: m.Names.Messages.Name(m.Label[i]), Lifeline: m.Names.Lifelines.Name(m.SenderLifeline[i]),
					Function: m.Names.Functions.Name(m.SenderFunction[i]), Seq: m.SendSeq[i], Ns: m.SendNs[i] - r.StartNs, TookNs: took,
				})
			}
		}
		return nil
	})
	slices.SortStableFunc(out.Messages, func(a, b Exchange) int { return cmp.Compare(a.Ns, b.Ns) })
	return err
}
