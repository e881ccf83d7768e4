package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// tracedRun is an analyzed run to read parts of.
type tracedRun struct {
	schema.Run
	name                 string
	lake                 *lake.Lake
	executions, messages *lake.Manifest
}

func openRun(l *lake.Lake, run string) (*tracedRun, error) {
	runs, names, err := readRuns(l)
	if err != nil {
		return nil, err
	}
	about, is := runs[run]
	if !is {
		return nil, console.Usagef("no run is named %s; the lake has %s", run, shorten(names))
	}
	r := &tracedRun{Run: about, name: run, lake: l}
	if r.executions, err = l.Manifest("executions", lake.Run(run)); err != nil {
		return nil, err
	}
	if r.messages, err = l.Manifest("messages", lake.Run(run)); err != nil {
		return nil, err
	}
	if r.executions == nil || r.messages == nil {
		return nil, console.Usagef("run %s is not analyzed: analyze run %s", run, run)
	}
	return r, nil
}

// What a picture needs of the tables.
var (
	boxColumns = []string{"execution", "component", "lifeline", "function", "start_ns", "finish_ns", "depth", "parent",
		"finish_seq", "synthetic"}
	arrowColumns = []string{"label", "pattern", "send_seq", "receive_seq", "sender", "receiver", "receiver_function",
		"send_ns", "receive_ns"}
)

// rowBytes is what a row of a window takes, in its columns and while it is laid out.
const rowBytes = 250

// windowReader fills a window.
type windowReader struct {
	*tracedRun
	window  *timeline.Window
	chosen  chooser
	mostRow int64 // executions and messages that fit into memory
}

// read fills a window with the executions that overlap it and the messages that touch it.
func (r *tracedRun) read(w *timeline.Window, patterns []string, memory int64) error {
	names := new(schema.Names)
	w.Executions, w.Messages = schema.NewExecutions(names), schema.NewMessages(names)
	in := &windowReader{r, w, chooser{names: names, patterns: patterns}, memory / rowBytes}
	if err := in.readExecutions(); err != nil {
		return err
	}
	return in.readMessages()
}

func (r *windowReader) readExecutions() error {
	w, part := r.window, schema.NewExecutions(r.chosen.names)
	return r.scan(r.executions, part, r.outside("start_ns", "finish_ns"), func() error {
		for i := range part.StartNs {
			if part.StartNs[i] <= w.ToNs && part.FinishNs[i] >= w.FromNs && r.chosen.has(part.Component[i]) {
				appendExecution(w.Executions, part, i)
			}
		}
		return r.fits()
	}, boxColumns...)
}

func (r *windowReader) readMessages() error {
	w, part := r.window, schema.NewMessages(r.chosen.names)
	return r.scan(r.messages, part, r.outside("send_ns", "receive_ns"), func() error {
		for i := range part.SendNs {
			if part.SendNs[i] <= w.ToNs && part.ReceiveNs[i] >= w.FromNs && (r.chosen.has(part.Sender[i]) || r.chosen.has(part.Receiver[i])) {
				appendMessage(w.Messages, part, i)
			}
		}
		return r.fits()
	}, arrowColumns...)
}

// outside says of which row groups the statistics tell that all rows are before or after the window.
func (r *windowReader) outside(starts, ends string) func(parquet.Stats) bool {
	return func(s parquet.Stats) bool {
		first, _, known := s.Ints(starts)
		_, last, alsoKnown := s.Ints(ends)
		return known && alsoKnown && (first > r.window.ToNs || last < r.window.FromNs)
	}
}

func (r *windowReader) fits() error {
	if int64(len(r.window.Executions.Execution)+len(r.window.Messages.SendNs)) <= r.mostRow {
		return nil
	}
	return console.Usagef("the window holds more than %s executions and messages, too many for --memory: choose a smaller one with --from and --to, or --component",
		texttab.Count(r.mostRow))
}

// scan reads the row groups of a table that are not skipped, one after the other, into rows.
func (r *tracedRun) scan(m *lake.Manifest, rows schema.Columns, skip func(parquet.Stats) bool, each func() error, names ...string) error {
	for _, file := range m.Files {
		if err := r.scanFile(file, rows, skip, each, names); err != nil {
			return err
		}
	}
	return nil
}

func (r *tracedRun) scanFile(file lake.File, rows schema.Columns, skip func(parquet.Stats) bool, each func() error, names []string) error {
	in, err := parquet.Open(r.lake.Path(file), rows, names...)
	if err != nil {
		return err
	}
	defer in.Close()
	in.Skip(skip)
	for {
		more, err := in.Next()
		if err != nil || !more {
			return err
		}
		if err := each(); err != nil {
			return err
		}
	}
}

func appendExecution(to, from *schema.Executions, i int) {
	to.Execution = append(to.Execution, from.Execution[i])
	to.Component = append(to.Component, from.Component[i])
	to.Lifeline = append(to.Lifeline, from.Lifeline[i])
	to.Function = append(to.Function, from.Function[i])
	to.StartNs = append(to.StartNs, from.StartNs[i])
	to.FinishNs = append(to.FinishNs, from.FinishNs[i])
	to.Depth = append(to.Depth, from.Depth[i])
	to.Parent = append(to.Parent, from.Parent[i])
	to.FinishSeq = append(to.FinishSeq, from.FinishSeq[i])
	to.Synthetic = append(to.Synthetic, from.Synthetic[i])
}

func appendMessage(to, from *schema.Messages, i int) {
	to.Label = append(to.Label, from.Label[i])
	to.Pattern = append(to.Pattern, from.Pattern[i])
	to.SendSeq = append(to.SendSeq, from.SendSeq[i])
	to.ReceiveSeq = append(to.ReceiveSeq, from.ReceiveSeq[i])
	to.Sender = append(to.Sender, from.Sender[i])
	to.Receiver = append(to.Receiver, from.Receiver[i])
	to.ReceiverFunction = append(to.ReceiverFunction, from.ReceiverFunction[i])
	to.SendNs = append(to.SendNs, from.SendNs[i])
	to.ReceiveNs = append(to.ReceiveNs, from.ReceiveNs[i])
}

// chooser says which components the patterns mean.
type chooser struct {
	names    *schema.Names
	patterns []string
	chosen   []bool // by component, as far as they were asked for
}

func (c *chooser) has(component schema.Code) bool {
	for len(c.chosen) <= int(component) {
		name := c.names.Components.Name(schema.Code(len(c.chosen)))
		c.chosen = append(c.chosen, len(c.patterns) == 0 || slices.ContainsFunc(c.patterns, func(p string) bool { return isLike(name, p) }))
	}
	return c.chosen[component]
}

// isLike says whether a name is like a pattern, or the pattern itself.
func isLike(name, pattern string) bool {
	match, _ := path.Match(pattern, name)
	return match || name == pattern
}

// checkComponents sees that every pattern means a component of the run.
func (r *tracedRun) checkComponents(patterns []string) error {
	if len(patterns) == 0 {
		return nil
	}
	m, err := r.lake.Manifest("fragments", lake.Run(r.name))
	if err != nil || m == nil {
		return err
	}
	var names []string
	for _, file := range m.Files {
		rows, err := parquet.ReadRows[schema.Fragment](r.lake.Path(file))
		if err != nil {
			return err
		}
		for _, f := range rows {
			names = append(names, f.Component)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, p := range patterns {
		if !slices.ContainsFunc(names, func(name string) bool { return isLike(name, p) }) {
			return console.Usagef("--component %q: run %s has no such component; it has %s", p, r.name, shorten(names))
		}
	}
	return nil
}

func ofComponents(patterns []string) string {
	if len(patterns) == 0 {
		return ""
	}
	return " in " + strings.Join(patterns, ", ")
}

// find finds an execution by its name, COMPONENT.FUNCTION#i; without #i, the first. The flag is for errors.
func (r *tracedRun) find(ctx context.Context, flag, text string) (x criticalpaths.Occurrence, err error) {
	name, number := text, 1
	if at := strings.LastIndexByte(text, '#'); at >= 0 {
		name = text[:at]
		if number, err = strconv.Atoi(text[at+1:]); err != nil || number < 1 {
			return x, console.Usagef("%s %q: write COMPONENT.FUNCTION#i, where i counts from 1", flag, text)
		}
	}
	all, err := r.job().Occurrences(ctx, name)
	switch {
	case errors.Is(err, criticalpaths.ErrNothing):
		return x, console.Usagef("%s %q: run %s has no execution of %s; write COMPONENT.FUNCTION#i", flag, text, r.name, name)
	case err != nil:
		return x, err
	case number > len(all):
		return x, console.Usagef("%s %q: run %s has %s of %s", flag, text, r.name, executionCount(len(all)), name)
	}
	return all[number-1], nil
}

// job asks for executions and critical paths of the run.
func (r *tracedRun) job() *criticalpaths.Job {
	return &criticalpaths.Job{Lake: r.lake, Run: r.name, Jobs: runtime.NumCPU(), Memory: pathMemory}
}

// pathMemory is what the constraints on a path may take: the window itself is bounded by --memory.
const pathMemory = 512 << 20

func executionCount(n int) string {
	if n == 1 {
		return "only 1 execution"
	}
	return fmt.Sprintf("only %s executions", texttab.Count(n))
}
