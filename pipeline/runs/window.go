package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Run is an analyzed run whose windows can be read.
type Run struct {
	schema.Run
	Name                 string // of the run in the lake
	lake                 *lake.Lake
	executions, messages *lake.Manifest // whose files a window is read from
	couplings            *lake.Manifest // likewise; nil where the run has none
}

// Open finds the run with a name and checks that it has executions and messages.
// It reads no rows. A run that is not analyzed has messages but no executions, which is a *lake.NotAnalyzedError.
func Open(l *lake.Lake, name string) (*Run, error) {
	described, err := Named(l, name)
	if err != nil {
		return nil, err
	}
	r := &Run{Run: described, Name: name, lake: l}
	if r.executions, err = l.Table("executions", lake.Run(name)); err != nil {
		return nil, err
	}
	if r.messages, err = l.Table("messages", lake.Run(name)); err != nil {
		return nil, err
	}
	r.couplings, err = l.Manifest("couplings", lake.Run(name))
	return r, err
}

// The columns that a picture of a window needs.
var (
	executionColumns = []string{"execution", "component", "lifeline", "function", "start_ns", "finish_ns", "depth", "parent",
		"finish_seq", "synthetic"}
	messageColumns = []string{"label", "pattern", "send_seq", "receive_seq", "sender", "receiver", "receiver_function",
		"send_ns", "receive_ns"}
	couplingColumns = []string{"label", "source_seq", "target_seq", "source", "target", "source_ns", "target_ns"}
)

// WindowRowBytes is the memory in bytes that a row of a window takes in its columns and while it is laid out.
const WindowRowBytes = 250

// Window is a part of a run: the executions that overlap the time from FromNs to ToNs, both included, and the messages
// that are sent, received or under way in it. Both share their names and hold only the columns of a picture.
type Window struct {
	FromNs, ToNs int64              // on the clock of the trace
	Executions   *schema.Executions // by start
	Messages     *schema.Messages   // by the number of their send; then the other couplings, as messages that no function receives
}

// Window reads a window of the components that match one of some patterns; no pattern means all components. A message
// belongs to a window if one of its ends does. Row groups whose statistics lie outside the window are not read. The rows
// must fit into memory, in bytes.
// An execution that lies around the whole window belongs to it, so that a picture shows who called. Rows are in
// the order of the files.
func (r *Run) Window(ctx context.Context, fromNs, toNs int64, patterns []string, memory int64) (*Window, error) {
	// Executions and messages share the dictionaries, so that one code means one component in both.
	names := new(schema.Names)
	in := &windowReader{
		Run: r, chosen: chosenComponents{names: names, patterns: patterns}, mostRows: memory / WindowRowBytes,
		window: &Window{FromNs: fromNs, ToNs: toNs, Executions: schema.NewExecutions(names), Messages: schema.NewMessages(names)},
	}
	if err := in.readExecutions(ctx); err != nil {
		return nil, err
	}
	if err := in.readMessages(ctx); err != nil {
		return nil, err
	}
	return in.window, in.readCouplings(ctx)
}

// windowReader fills a window.
type windowReader struct {
	*Run
	window   *Window
	chosen   chosenComponents
	mostRows int64 // executions and messages that fit into memory
}

// readExecutions appends the executions that overlap the window. Both ends of the window count as inside.
func (r *windowReader) readExecutions(ctx context.Context) error {
	w, part := r.window, schema.NewExecutions(r.chosen.names)
	chosen := newRowCopier(w.Executions, part, executionColumns)
	o := lake.ScanOptions{Columns: executionColumns, Skip: r.outside("start_ns", "finish_ns")}
	return r.lake.Scan(ctx, r.executions.Files, part, o, func() error {
		for i := range part.StartNs {
			if part.StartNs[i] <= w.ToNs && part.FinishNs[i] >= w.FromNs && r.chosen.has(part.Component[i]) {
				chosen.row(i)
			}
		}
		return r.checkMemory()
	})
}

// readMessages appends the messages whose time under way overlaps the window, and of which one end is chosen.
func (r *windowReader) readMessages(ctx context.Context) error {
	w, part := r.window, schema.NewMessages(r.chosen.names)
	chosen := newRowCopier(w.Messages, part, messageColumns)
	o := lake.ScanOptions{Columns: messageColumns, Skip: r.outside("send_ns", "receive_ns")}
	return r.lake.Scan(ctx, r.messages.Files, part, o, func() error {
		for i := range part.SendNs {
			if part.SendNs[i] <= w.ToNs && part.ReceiveNs[i] >= w.FromNs && (r.chosen.has(part.Sender[i]) || r.chosen.has(part.Receiver[i])) {
				chosen.row(i)
			}
		}
		return r.checkMemory()
	})
}

// readCouplings does with couplings what readMessages does with messages, which they become.
func (r *windowReader) readCouplings(ctx context.Context) error {
	if r.couplings == nil {
		return nil
	}
	w, part := r.window, schema.NewCouplings(r.chosen.names)
	o := lake.ScanOptions{Columns: couplingColumns, Skip: r.outside("source_ns", "target_ns")}
	return r.lake.Scan(ctx, r.couplings.Files, part, o, func() error {
		for i := range part.SourceNs {
			if part.SourceNs[i] > w.ToNs || part.TargetNs[i] < w.FromNs || !r.chosen.has(part.Source[i]) && !r.chosen.has(part.Target[i]) {
				continue
			}
			m, at := w.Messages, len(w.Messages.SendNs)
			schema.Extend(m, 1)
			m.Label[at], m.Pattern[at], m.ReceiverFunction[at] = part.Label[i], schema.Trigger, schema.NoCode
			m.SendSeq[at], m.Sender[at], m.SendNs[at] = part.SourceSeq[i], part.Source[i], part.SourceNs[i]
			m.ReceiveSeq[at], m.Receiver[at], m.ReceiveNs[at] = part.TargetSeq[i], part.Target[i], part.TargetNs[i]
		}
		return r.checkMemory()
	})
}

// outside returns whether the statistics of a row group prove that all its rows end before the window or start after it.
// A column without bounds proves nothing, so its row group is read. An execution that is long keeps the maximum of
// its row group high, but only of its own.
func (r *windowReader) outside(starts, ends string) func(lake.Stats) bool {
	return func(s lake.Stats) bool {
		first, _, known := s.Ints(starts)
		_, last, alsoKnown := s.Ints(ends)
		return known && alsoKnown && (first > r.window.ToNs || last < r.window.FromNs)
	}
}

// checkMemory reports when the rows no longer fit. It is asked once for a row group, so the window may exceed its
// limit by one.
func (r *windowReader) checkMemory() error {
	if int64(len(r.window.Executions.Execution)+len(r.window.Messages.SendNs)) <= r.mostRows {
		return nil
	}
	return &WindowTooLargeError{r.mostRows}
}

// WindowTooLargeError says that the rows of a window do not fit into memory.
type WindowTooLargeError struct {
	MostRows int64 // executions and messages that do
}

// Error implements error.
func (e *WindowTooLargeError) Error() string {
	return fmt.Sprintf("the window holds more than %d executions and messages", e.MostRows)
}

// rowCopier appends rows of the table that a scan fills to a table of the same type and names. It copies the columns that the
// scan reads and no others, because those are empty.
type rowCopier struct{ to, from []schema.Column }

// newRowCopier pairs the columns of two tables that have the given names.
func newRowCopier(to, from schema.Columns, names []string) (c rowCopier) {
	unread := func(column schema.Column) bool { return !slices.Contains(names, column.Name) }
	return rowCopier{slices.DeleteFunc(to.Columns(), unread), slices.DeleteFunc(from.Columns(), unread)}
}

// row appends row i.
func (c rowCopier) row(i int) {
	for k, column := range c.to {
		column.Append(c.from[k], i, i+1)
	}
}

// chosenComponents answers which components match the patterns. Patterns are matched once per component, not per row.
type chosenComponents struct {
	names    *schema.Names
	patterns []string
	chosen   []bool // by code of the component, as far as codes were asked for
}

// has reports whether a component is chosen. Codes are given in ascending order, so the list grows to the highest
// code that was asked for.
func (c *chosenComponents) has(component schema.Code) bool {
	for len(c.chosen) <= int(component) {
		name := c.names.Components.Name(schema.Code(len(c.chosen)))
		c.chosen = append(c.chosen, len(c.patterns) == 0 || slices.ContainsFunc(c.patterns, func(p string) bool { return MatchesPattern(name, p) }))
	}
	return c.chosen[component]
}

// ComponentNames returns the names of the components that have service fragments, in ascending order; none where the run has
// no table of fragments.
// They are meant for messages and checks of patterns; a run that was analyzed only in part can do without.
func (r *Run) ComponentNames() ([]string, error) {
	fragments, err := lake.Read[schema.Fragment](r.lake, "fragments", lake.Run(r.Name))
	if errors.As(err, new(*lake.NotAnalyzedError)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range fragments {
		names = append(names, fragments[i].Component)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
