package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Partition gives the executions of a window values (Hendriks et al. 2024, Definition 8): those of equal values belong together.
type Partition struct {
	Name   string   // of the attributes
	Values []string // that there are; of several windows that are drawn together the same ones
	Of     []int32  // by row of the executions: its value by position, or -1 where it has none of the attributes
}

// Select leaves those executions that keep names by row (Definition 9), and the messages between them. The others leave no gap:
// what stood on top of them comes down.
func (w *Window) Select(keep []bool) {
	// (1) Messages are tied to the executions at their ends while these are all there.
	e, m := newEvents(w.Executions), w.Messages
	kept := schema.NewMessages(w.names())
	own := func(component schema.Code, seq int64) (int64, bool) {
		at, _, found := e.find(component, seq)
		switch {
		case !found || !keep[at.row]:
			return 0, false
		case at.finish:
			return w.Executions.FinishSeq[at.row], true
		}
		return w.Executions.Execution[at.row], true
	}
	for i := range m.SendSeq {
		sent, isSent := own(m.Sender[i], m.SendSeq[i])
		received, isReceived := own(m.Receiver[i], m.ReceiveSeq[i])
		if isSent && isReceived {
			m.SendSeq[i], m.ReceiveSeq[i] = sent, received
			appendFilled(kept, m, i)
		}
	}
	w.Messages = kept
	// (2) Then the executions go that are not selected.
	x := schema.NewExecutions(w.names())
	var moments []bool
	for i, is := range keep {
		if is {
			appendFilled(x, w.Executions, i)
			moments = append(moments, w.moment(i))
		}
	}
	w.Executions, w.Moments, w.Components = x, moments, 0
	w.pile()
}

// appendFilled appends a row of the columns that were read; the others are empty.
func appendFilled(to, from schema.Columns, row int) {
	target := to.Columns()
	for i, c := range from.Columns() {
		if c.Len() > row {
			target[i].Append(c, row, row+1)
		}
	}
}

// GroupBy gives the executions lanes by their values instead of their lifelines. Those that overlap stand on top of one another.
func (w *Window) GroupBy(p *Partition) {
	w.Grouped, w.Components = p.Name, 0 // no lane stands for a component
	lifelines := &w.names().Lifelines
	for row, of := range p.Of {
		name := "without " + p.Name
		if of >= 0 {
			name = p.Values[of]
		}
		w.Executions.Lifeline[row] = lifelines.Code(name)
	}
	w.pile()
}

// pile puts the executions of every lane on the lowest levels that are free, in the order of their starts. One that is above all levels
// that are drawn is counted as too deep.
func (w *Window) pile() {
	x := w.Executions
	rows := make([]int, len(x.Execution))
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.Lifeline[a], x.Lifeline[b]), cmp.Compare(x.StartNs[a], x.StartNs[b]), cmp.Compare(x.FinishNs[b], x.FinishNs[a]),
			cmp.Compare(x.Execution[a], x.Execution[b]))
	})
	var until []int64 // ns, by level
	for i, row := range rows {
		if i == 0 || x.Lifeline[row] != x.Lifeline[rows[i-1]] {
			until = until[:0]
		}
		level := slices.IndexFunc(until, func(ns int64) bool { return ns <= x.StartNs[row] })
		if level < 0 {
			if level = len(until); level < mostLevels {
				until = append(until, 0)
			}
		}
		if level < mostLevels {
			until[level] = x.FinishNs[row]
		}
		x.Depth[row], x.Parent[row] = int64(level), schema.NoValue
	}
}

// moment reports whether a row of the executions is a regular event.
func (w *Window) moment(row int) bool { return len(w.Moments) > 0 && w.Moments[row] }

// momentCount is how many regular events the window has.
func (w *Window) momentCount() (n int) {
	for _, is := range w.Moments {
		if is {
			n++
		}
	}
	return n
}
