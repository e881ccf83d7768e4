// Package console is what the programs have in common at the terminal: global flags, progress, log lines,
// signals and exit codes.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// The exit codes of both programs.
const (
	OK      = 0 // the program did what was asked
	Failed  = 1 // something went wrong, or the user interrupted
	Usage   = 2 // the command line is wrong, or names what the lake lacks
	Changed = 3 // found what --fail-on names, or violations
)

// UsageError is a wrong use of the command line.
type UsageError struct{ Err error } // what is wrong with it, for exit 2

// Error returns the sentence for the user.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap keeps the cause visible to errors.Is and errors.As.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError.
// It takes %w, so that a cause stays visible.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Globals are the flags of every command.
type Globals struct {
	Lake      string // its folder, or s3://bucket/prefix
	Scratch   string // folder for temporary files; "" for the system's
	Memory    Bytes  // for the whole process
	Jobs      int    // cores, 1 or more
	Quiet     bool   // no progress, no log
	LogFormat string // text or json

	choices []func() error // check the flags of all commands that take one of some words
}

// AddFlags declares the global flags.
// They belong to the root command and so to all others. A flag that cannot be parsed is wrong usage.
func (g *Globals) AddFlags(c *cobra.Command) {
	g.Memory = 4 << 30
	f := c.PersistentFlags()
	f.StringVar(&g.Lake, "lake", "lake", "the folder of the lake, or s3://BUCKET/PREFIX of an object store")
	f.StringVar(&g.Scratch, "scratch", "", "a folder for temporary files, and for what is read of an object store (default: TMPDIR, or /tmp)")
	f.Var(&g.Memory, "memory", "how much memory to use, such as 512MiB or 4GiB")
	f.IntVar(&g.Jobs, "jobs", runtime.NumCPU(), "how many cores to use")
	f.BoolVar(&g.Quiet, "quiet", false, "print results and errors only")
	g.Choice(f, &g.LogFormat, "log-format", "text", "of what goes to standard error: text or json", "text", "json")
	writeUnitsAlike(c)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return Usagef("%w; see %s --help", err, c.CommandPath())
	})
}

// Choice declares a flag that takes one of some words. Apply refuses any other word, before a command runs.
func (g *Globals) Choice(p *pflag.FlagSet, value *string, name, initial, usage string, words ...string) {
	p.StringVar(value, name, initial, usage)
	g.choices = append(g.choices, func() error {
		if slices.Contains(words, *value) {
			return nil
		}
		last := len(words) - 1
		text := strings.TrimPrefix(strings.Join(words[:last], ", ")+" or "+words[last], " or ")
		return Usagef("--%s %q: %s", name, *value, text)
	})
}

// Labels takes labels apart. They may hold an equals sign in their value; of two with one key the last one holds.
func Labels(pairs []string) (map[string]string, error) {
	labels := make(map[string]string)
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, Usagef("--label %q: write key=value", pair)
		}
		// Where runs are selected, commas stand between labels, so that nobody could name a run by such a value.
		if _, more, _ := strings.Cut(value, ","); strings.Contains(more, "=") {
			return nil, Usagef("--label %q: give --label again for every further label", pair)
		}
		labels[key] = value
	}
	return labels, nil
}

// leastMemory is what reading a long trace takes at least: a row group of every bucket, and the runtime.
const leastMemory = 256 << 20

// programBytes is what the program itself takes: the pages of its code and data that are in use.
const programBytes = 32 << 20

// Apply checks the global flags and sets the process up for them.
// The runtime gets nine tenths of the memory as a soft limit, without the pages of the program itself: the rest is for stacks, and
// for what libraries in C allocate, such as DuckDB.
func (g *Globals) Apply() error {
	if g.Jobs < 1 {
		return Usagef("--jobs %d: at least one core is needed", g.Jobs)
	}
	if g.Memory < leastMemory {
		return Usagef("--memory %s: at least %s are needed", g.Memory, Bytes(leastMemory))
	}
	for _, check := range g.choices {
		if err := check(); err != nil {
			return err
		}
	}
	if err := g.useScratch(); err != nil {
		return err
	}
	runtime.GOMAXPROCS(g.Jobs)
	debug.SetMemoryLimit(int64(g.Memory)*9/10 - programBytes)
	watch(int64(g.Memory))
	return nil
}

// useScratch has this process, the libraries in it and the programs that it starts put temporary files where --scratch says.
func (g *Globals) useScratch() error {
	if g.Scratch == "" {
		return nil
	}
	dir, err := filepath.Abs(g.Scratch)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return Usagef("--scratch %s: it is no folder", g.Scratch)
	}
	return os.Setenv("TMPDIR", dir)
}

// TaskMemory is the part of the memory that the engine may plan with; the rest is for buffers.
// Tasks state what they need in advance, and the estimates are of tables, not of what garbage collection leaves
// behind: half of the memory leaves room for that.
func (g *Globals) TaskMemory() int64 { return int64(g.Memory) / 2 }

// Logger writes log lines to stderr in the format asked for, nothing when quiet.
// Text is for people and has no time stamps; JSON has one object a line, for programs.
func (g *Globals) Logger(stderr io.Writer) *slog.Logger {
	if g.Quiet {
		return slog.New(slog.DiscardHandler)
	}
	if g.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(stderr, nil))
	}
	return slog.New(&plainHandler{out: stderr})
}

// Main runs a command with the process's arguments and streams, and returns its exit code. An interrupt
// cancels the command's context. A command that has not ended a moment later is left where it is, unless it said that it
// lingers; a second interrupt ends the process at once.
// SIGTERM is treated like an interrupt, since schedulers and containers send it.
func Main(name string, run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error) int {
	signalled, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancelCause(signalled)
	ctx, late := withGrace(ctx)
	ctx, ease := withEase(ctx)
	watch = func(budget int64) { memory.Watch(name, budget, ease, cancel) }
	// After the first signal the default behaviour is back, so that a second one ends a process that does not stop.
	context.AfterFunc(ctx, stop)
	ended := make(chan error, 1)
	go func() {
		ended <- guarded(func() error {
			return run(ctx, os.Args[1:], &interruptible{ctx: ctx, in: os.Stdin}, os.Stdout, os.Stderr)
		})
	}()
	var err error
	select {
	case err = <-ended:
		stop()
	case <-late:
		err = ctx.Err()
	}
	process.End()
	// Commands that serve or follow take the end of their context for the end of their work.
	var exceeded *memory.ExceededError
	if errors.As(context.Cause(ctx), &exceeded) && (err == nil || errors.Is(err, context.Canceled)) {
		err = exceeded
	}
	return Report(name, err, os.Stderr)
}

// watch holds the process to its memory; Main sets it. Tests call commands in a process that is not theirs alone.
var watch = func(budget int64) {}

// guarded calls a function and makes an error of its panic, as the pipeline does with those of its workers.
func guarded(run func() error) (err error) {
	defer workers.Recover(&err)
	return run()
}

// Exit is an error that only sets the exit code: everything is said already.
type Exit int

// Error implements error. Report never prints it.
func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Report prints an error and returns the exit code that it means.
// A cancelled context is an interrupt by the user, whatever error it is wrapped in.
func Report(name string, err error, stderr io.Writer) int {
	var usage *UsageError
	var exit Exit
	switch {
	case err == nil:
		return OK
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(stderr, "%s: interrupted; the lake is sound, run the same command to go on\n", name)
		return Failed
	}
	// An error may name what a trace calls by a name.
	fmt.Fprintf(NewPlain(stderr), "%s: %v\n", name, err)
	var bug *workers.Panic
	if errors.As(err, &bug) {
		fmt.Fprintf(stderr, "Please report it with what follows.\n\n%s", bug.Stack)
	}
	if errors.As(err, &usage) {
		return Usage
	}
	return Failed
}

// plainHandler writes a record as its message and its attributes, without time or level.
type plainHandler struct {
	mu  sync.Mutex
	out io.Writer
}

// All levels are written; attributes and groups of a logger are not used.
func (h *plainHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h *plainHandler) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h *plainHandler) WithGroup(string) slog.Handler            { return h }

// Handle implements slog.Handler.
// A record is one line, written under a lock, since stages log from several goroutines.
func (h *plainHandler) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintln(h.out, texttab.Printable(line))
	return err
}
