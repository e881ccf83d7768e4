package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// The headings of what stands beside the time of work and is no part of it.
const (
	lifetimesHeading = "Lifetimes of asynchronous work, which are no time of functions; times are those of one:"
	queueingHeading  = "Queueing, from sending messages to the function that receives them; times are per root execution:"
)

// changesOf returns the changes of some subjects, the greatest effect first.
func (r *Report) changesOf(is func(*schema.Change) bool) []schema.Change {
	list := []schema.Change{}
	for i := range r.changes {
		if is(&r.changes[i]) {
			list = append(list, r.changes[i])
		}
	}
	slices.SortStableFunc(list, func(a, b schema.Change) int {
		return cmp.Or(-cmp.Compare(magnitude(value(a.EffectNs)), magnitude(value(b.EffectNs))), cmp.Compare(a.Component, b.Component), cmp.Compare(a.Subject, b.Subject))
	})
	return list
}

// lifetimes returns the lifetimes of asynchronous work: those that changed, or all of them where functions are asked for, too.
func (r *Report) lifetimes() []schema.Change {
	return r.changesOf(func(c *schema.Change) bool {
		return c.Level == schema.LevelLifetime && (c.Detected || r.By == ByFunction)
	})
}

// queueing returns what messages wait, where functions are asked for.
func (r *Report) queueing() []schema.Change {
	return r.changesOf(func(c *schema.Change) bool {
		return r.By == ByFunction && c.Level == schema.LevelMessage && (value(c.CostBaseNs) != 0 || value(c.CostCandNs) != 0)
	})
}

// besideTable is a table of lifetimes or of queueing, at most so many rows of it; nil where there are none. Names go through a function that makes them safe.
//
//	verdict  base -> cand             effect    95 % interval       q  where     behind it
//	longer   5.26 ms -> 6.86 ms     +1.59 ms  +1.55 to +1.64 ms  <0.001  app.load  in app.decode
func (r *Report) besideTable(list []schema.Change, top int, safe func(string) string) *texttab.Table {
	if len(list) == 0 {
		return nil
	}
	table := texttab.New("lrrrrll")
	table.Row("verdict", "base -> cand", "effect", "95 % interval", "q", "where", "behind it")
	for i := range list[:min(top, len(list))] {
		c := &list[i]
		row := []string{Words(c.Verdict), safe(fromTo(optional(c.CostBaseNs), optional(c.CostCandNs))), "", "", "", "", safe(c.RootCause)}
		if c.EffectNs != nil {
			row[2] = texttab.Change(*c.EffectNs)
		}
		if c.EffectLoNs != nil && c.EffectHiNs != nil {
			row[3] = r.intervalText(*c.EffectLoNs, *c.EffectHiNs)
		}
		if c.Q != nil && !isOnOneSide(c) { // of which no time was tested
			row[4] = safe(qText(c.Q))
		}
		if row[5] = safe(c.Component + "." + c.Subject); c.Level == schema.LevelMessage {
			row[5] = safe(subjectText(c))
		}
		table.Row(row...)
	}
	if more := len(list) - top; more > 0 {
		table.Row("", "", "", "", "", texttab.Count(int64(more))+" more with --top", "")
	}
	table.DropEmptyColumns()
	return table
}

// besides are the tables of what is no time of work, under their headings.
func (r *Report) besides(top int, safe func(string) string) (all []besideTable) {
	for _, of := range []struct {
		heading string
		list    []schema.Change
	}{{lifetimesHeading, r.lifetimes()}, {queueingHeading, r.queueing()}} {
		if table := r.besideTable(of.list, top, safe); table != nil {
			all = append(all, besideTable{of.heading, table})
		}
	}
	return all
}

// besideTable is one of them.
type besideTable struct {
	heading string
	table   *texttab.Table
}

// writeBesides writes them into a text.
func (r *Report) writeBesides(out io.Writer, top int) error {
	for _, t := range r.besides(top, func(name string) string { return name }) {
		fmt.Fprintln(out, t.heading)
		if err := t.table.Write(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// isOnOneSide reports whether only one side has a subject.
func isOnOneSide(c *schema.Change) bool {
	return c.Verdict == schema.Appeared || c.Verdict == schema.Vanished
}

// lifetimesChanged names the lifetime that changed most; "" where none is shown to have. With too few runs for verdicts none is, and where recordings are
// doubtful none that only one side has: a run that ended early lacks the lifetimes that end late.
//
//	the lifetime app.load is longer (+1.59 ms, in app.decode), and 2 more
func (r *Report) lifetimesChanged() string {
	list := slices.DeleteFunc(r.lifetimes(), func(c schema.Change) bool {
		return !c.Detected || isOnOneSide(&c) && len(r.Strata.Doubts) > 0
	})
	if len(list) == 0 || !r.enough {
		return ""
	}
	c := &list[0]
	text := texttab.Change(value(c.EffectNs))
	if c.RootCause != "" {
		text += ", " + c.RootCause
	}
	verb := "is" // longer or shorter
	if isOnOneSide(c) {
		verb = "has"
	}
	return fmt.Sprintf("%s %s.%s %s %s (%s)", levelNouns[c.Level], c.Component, c.Subject, verb, Words(c.Verdict), text) + andMore(len(list)-1)
}
