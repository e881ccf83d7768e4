package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/cmd/internal/sections"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// timelineFlags are the flags of analyze timeline.
type timelineFlags struct {
	from, to       time.Duration    // the window, since the first event of the run
	toGiven        bool             // otherwise the window ends with the run
	around         string           // the execution whose window is taken instead, as COMPONENT.FUNCTION#i
	margin         time.Duration    // before and after that execution; 0: a tenth of its duration
	components     []string         // patterns; empty for all components
	colour         []string         // patterns of functions that have a strong colour
	path           string           // the execution towards which the critical path is marked; empty for none
	output, format string           // the file, or -, and svg or json
	args           bool             // events of json have args
	size           timeline.Options // of a picture
	sections       sections.Flags   // what is shown beside, and how it is told apart
}

// timelineCommand draws a window of a run.
func (a *app) timelineCommand() *cobra.Command {
	var f timelineFlags
	c := &cobra.Command{
		Use: "timeline RUN... -o FILE.svg|FILE.json", Short: "Draw a window of runs as a picture or a Chrome trace",
		Long: `Draws what happened in a window of a run: a lane for every component (or thread, where the trace has
threads), executions as boxes on top of their callers, messages and other couplings as arrows. FILE.svg is a picture; FILE.json is a
Chrome trace, which https://ui.perfetto.dev opens.

Times count from the first event of the run: 1.5s, 250ms, 40us, 100ns. --around takes the window of an execution
instead: the i-th (from 1) of a function, in the order of their starts. Several runs stand one above the other, on one scale.

Attributes are those of the trace, and component, lifeline, function, name, execution_type and resource. --filter shows what has some
values, --group-by gives every value a lane, where what overlaps stands on top of one another (--view resource and --view activity are
the views of TRACE4CPS), and --color-by a colour. Regular events are diamonds; dependencies that are no messages are dotted arrows.

Below the lanes stand signals (--signal, as analyze signals computes them), and where the checks of --spec and their definitions hold:
green and high where they do, red and low where they do not, on the run as it is; a triangle marks a state that breaks a check.`,
		Example: `  analyze timeline fast --to 5ms -o start.svg
  analyze timeline fast --from 5ms --to 5.2ms -o window.json
  analyze timeline fast --around lib_select_c.Curl_poll#2 --colour 'Curl_*' --colour lib_select_c.Curl_poll -o chosen.svg
  analyze timeline fast --around lib_select_c.Curl_poll#2 --margin 50us --component 'lib_*' -o poll.svg
  analyze timeline pipeline --view resource --color-by id --signal usage --signal wip:id --spec pipeline.etl -o pipeline.svg
  analyze timeline fast slow --to 30ms --spec requirements.etl --check 'poll*' -o both.svg`,
		Args: atLeast(1, "name a run, or several to draw one above the other"),
		RunE: func(c *cobra.Command, args []string) error {
			f.toGiven = c.Flags().Changed("to")
			if f.around != "" && (f.toGiven || c.Flags().Changed("from")) {
				return console.Usagef("give either --around or --from and --to; see %s --help", c.CommandPath())
			}
			return a.timeline(c.Context(), args, f)
		},
	}
	p := c.Flags()
	p.DurationVar(&f.from, "from", 0, "where the window begins, since the run's first event")
	p.DurationVar(&f.to, "to", 0, "where it ends; the end of the run when not given")
	p.StringVar(&f.around, "around", "", "the window of an execution, COMPONENT.FUNCTION#i")
	p.DurationVar(&f.margin, "margin", 0, "how much to show before and after it; a tenth of its duration when not given")
	p.StringArrayVar(&f.components, "component", nil, "only components like this pattern (* and ? as in file names); may be given often")
	p.StringArrayVar(&f.colour, "colour", nil, "give functions like this pattern a strong colour in a picture: COMPONENT.FUNCTION or FUNCTION; may be given six times")
	p.StringVar(&f.path, "critical-path", "", "mark the critical path to the finish of an execution, COMPONENT.FUNCTION#i")
	p.StringVarP(&f.output, "output", "o", "", "the file to write; - is the standard output")
	p.StringVar(&f.format, "format", "", "svg or json; by default what the name of the file ends in")
	p.BoolVar(&f.args, "args", false, "of FILE.json: give events their numbers and depths as args, which speedscope takes for a part of the name")
	p.IntVar(&f.size.Width, "width", 1600, "of the picture in pixels")
	p.IntVar(&f.size.Lanes, "lanes", 40, "how many lanes a picture has at most: those of the critical path, then those busy longest")
	f.sections.Add(&a.Globals, c)
	return c
}

// timeline reads the windows of runs and draws them. The lake is only read.
// --memory bounds the rows of the windows and the constraints on the paths together, which are the large things in memory.
func (a *app) timeline(ctx context.Context, names []string, f timelineFlags) error {
	format, err := f.chosenFormat()
	if err != nil {
		return err
	}
	if f.size.Chosen, err = f.chosen(format); err != nil {
		return err
	}
	if err := f.sections.Check(format, len(names) > 1); err != nil {
		return err
	}
	read, err := f.sections.Reader()
	if err != nil {
		return err
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	all, err := f.chosenWindows(ctx, l, a, names)
	if err != nil {
		return err
	}
	var windows []*timeline.Window
	for _, one := range all {
		if err := one.read(ctx, &f, read); err != nil {
			return err
		}
		windows = append(windows, one.window)
	}
	sections.Unite(windows)
	err = a.writeOutput(f.output, func(out io.Writer) error {
		if format == "json" {
			return timeline.WriteChrome(out, windows[0], f.args)
		}
		return timeline.WriteRuns(out, timeline.LayoutRuns(windows, f.size))
	})
	if err == nil && !a.Quiet {
		for _, w := range windows {
			span := w.ToNs - w.FromNs
			fmt.Fprintf(a.stderr, "run %s: %s to %s: %s\n", w.Run, texttab.InWindow(w.FromNs-w.OriginNs, span), texttab.InWindow(w.ToNs-w.OriginNs, span), w.Counted())
		}
	}
	return err
}

// chosenFormat returns svg or json, from --format or the ending of the file.
// A file without an ending needs --format.
func (f *timelineFlags) chosenFormat() (string, error) {
	if f.output == "" {
		return "", console.Usagef("name the file to write: -o FILE.svg, -o FILE.json, or -o - with --format")
	}
	format := cmp.Or(f.format, strings.TrimPrefix(filepath.Ext(f.output), "."))
	if format != "svg" && format != "json" {
		return "", console.Usagef("-o %s: say --format svg or --format json", f.output)
	}
	return format, nil
}

// chosen are the functions that have colours of their own.
func (f *timelineFlags) chosen(format string) (all []timeline.Chosen, err error) {
	if len(f.colour) > timeline.MostChosen || len(f.colour) > 0 && format == "json" {
		return nil, console.Usagef("--colour: a picture has %d colours for functions, and a Chrome trace none", timeline.MostChosen)
	}
	for _, pattern := range f.colour {
		all = append(all, timeline.Chosen{Name: pattern, Has: func(component, function string) bool {
			return runs.MatchesPattern(function, pattern) || runs.MatchesPattern(component+"."+function, pattern)
		}})
	}
	return all, nil
}

// runWindow is the window of a run, before and after it is read.
type runWindow struct {
	run    *runs.Run
	engine *pipeline.Engine
	events *named.Events
	window *timeline.Window
}

// chosenWindows finds the runs, and from the flags the ends of their windows. Those of several runs are of one length, that of the longest.
func (f *timelineFlags) chosenWindows(ctx context.Context, l *lake.Lake, a *app, names []string) (all []*runWindow, err error) {
	longest := int64(0)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, console.Usagef("run %s is named twice", name)
		}
		one := &runWindow{engine: a.engine(l)}
		one.engine.Memory /= int64(len(names))
		if one.run, err = runs.Open(l, name); err != nil {
			return nil, err
		}
		one.events = &named.Events{
			Job:     &criticalpaths.Job{Engine: one.engine, Run: name},
			StartNs: one.run.StartNs, Note: func(text string) { a.Logger(a.stderr).Info(text) },
		}
		one.window = &timeline.Window{Run: name, OriginNs: one.run.StartNs}
		if len(f.components) == 0 {
			one.window.Components = one.run.Components
		}
		if err := f.limits(ctx, one.run, one.events, one.window); err != nil {
			return nil, err
		}
		longest = max(longest, one.window.ToNs-one.window.FromNs)
		all = append(all, one)
	}
	for _, one := range all {
		one.window.ToNs = one.window.FromNs + longest
	}
	return all, nil
}

// read reads what happens in the window, within the jobs and the memory of its engine.
func (r *runWindow) read(ctx context.Context, f *timelineFlags, also *sections.Reader) error {
	w, e := r.window, r.engine
	if err := f.read(ctx, r.run, w, e.Memory); err != nil {
		return err
	}
	if err := also.Read(ctx, e, r.run, w, f.components); err != nil {
		return tooLarge(err)
	}
	// Find the critical path, if one is to be marked, as far as it lies in the window, in the memory that the window leaves.
	e.Memory -= int64(len(w.Executions.Execution)+len(w.Messages.SendNs)) * runs.WindowRowBytes
	var err error
	if f.path != "" {
		if w.Path, err = pathSteps(ctx, r.events, w, f.path); err != nil {
			return err
		}
	}
	// An empty picture is nearly always a mistake in the flags.
	if len(w.Executions.Execution)+len(w.Messages.SendNs)+len(w.Path)+len(w.Curves)+len(w.Held) > 0 {
		return nil
	}
	of := ""
	if len(f.components) > 0 {
		of = " in " + strings.Join(f.components, ", ")
	}
	if w.Filtered != "" {
		of += " with " + w.Filtered
	}
	return console.Usagef("nothing happens in run %s from %s to %s%s: choose another window; the run is %s long", w.Run,
		texttab.Exact(w.FromNs-w.OriginNs), texttab.Exact(w.ToNs-w.OriginNs), of, texttab.Exact(r.run.DurationNs))
}

// read reads the executions and messages of the window. Every pattern must match a component of the run.
// A window that does not fit into memory is wrong usage, and the message says how to make it smaller.
func (f *timelineFlags) read(ctx context.Context, r *runs.Run, w *timeline.Window, memory int64) error {
	if len(f.components) > 0 {
		names, err := r.ComponentNames()
		if err != nil {
			return err
		}
		for _, p := range f.components {
			if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return runs.MatchesPattern(name, p) }) {
				return console.Usagef("--component %q: run %s has no such component; it has %s", p, r.Name, runs.FirstNames(names))
			}
		}
	}
	part, err := r.Window(ctx, w.FromNs, w.ToNs, f.components, memory)
	if err == nil {
		w.Executions, w.Messages = part.Executions, part.Messages
	}
	return tooLarge(err)
}

// tooLarge says of a window that does not fit into memory how to make it smaller.
func tooLarge(err error) error {
	if most := new(runs.WindowTooLargeError); errors.As(err, &most) {
		return console.Usagef("the window holds more than %s executions and messages, too many for --memory: choose a smaller one with --from and --to, or --component",
			texttab.Count(most.MostRows))
	}
	return err
}

// limits sets the ends of the window, in trace time.
// A window that reaches beyond the run is allowed; one that lies outside of it is not.
func (f *timelineFlags) limits(ctx context.Context, r *runs.Run, events *named.Events, w *timeline.Window) error {
	w.FromNs, w.ToNs = r.StartNs+int64(f.from), r.StartNs+r.DurationNs
	if f.toGiven {
		w.ToNs = r.StartNs + int64(f.to)
	}
	if f.around != "" {
		x, err := events.First(ctx, "--around", f.around)
		if err != nil {
			return err
		}
		margin := cmp.Or(int64(f.margin), max(x.SpanNs()/10, 1)) // in nanoseconds
		w.FromNs, w.ToNs = max(x.FromNs-margin, w.FromNs), min(x.ToNs+margin, w.ToNs)
	}
	span := texttab.Exact(r.DurationNs)
	switch {
	case w.FromNs > r.StartNs+r.DurationNs || w.ToNs < r.StartNs:
		return console.Usagef("the window %s to %s is outside run %s, which is %s long", texttab.Exact(int64(f.from)), texttab.Exact(w.ToNs-r.StartNs), r.Name, span)
	case w.ToNs <= w.FromNs:
		return console.Usagef("the window %s to %s is empty: --to must be after --from; run %s is %s long",
			texttab.Exact(int64(f.from)), texttab.Exact(w.ToNs-r.StartNs), r.Name, span)
	}
	return nil
}

// pathSteps returns the representative critical path from the start of an execution to its finish, as far as it lies in the
// window.
func pathSteps(ctx context.Context, events *named.Events, w *timeline.Window, execution string) ([]timeline.Step, error) {
	x, err := events.First(ctx, "--critical-path", execution)
	if err != nil {
		return nil, err
	}
	path, err := events.Job.Trace(ctx, x, criticalpaths.Ask{})
	if err != nil {
		return nil, err
	}
	return timeline.StepsOf(path, w), nil
}
