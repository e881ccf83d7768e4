// Command hostile gives the commands traces that take memory by their number of names, threads or open calls and not of rows, and says of
// each command how much memory it had at most. It is to keep within 1.1 times --memory, or to end with a sentence that says what to raise.
//
//	make build && go run ./benchmarks/hostile
//
// What ends is played again with as much memory as it takes, where all commands behind it need what it makes. It ends with 1 where a command
// took more, failed with another sentence, or did not end.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

func main() { program.Main("hostile", run) }

// player plays commands on the lake of a shape.
type player struct {
	bin, lake string
	memory    int64         // of --memory, in bytes
	patience  time.Duration // with one command
	faults    []string      // what no command may do
}

// played is what came of a command.
type played struct {
	peak  int64  // bytes that it had resident at most
	ended bool   // with the sentence that says what to raise
	fault string // what it may not do
}

// run plays the commands on each shape, and prints a row for each command and a column for each shape.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := program.NewFlags("hostile", "[-bin FOLDER] [-many N] [-shape FILE,FILE]", stderr)
	bin := f.String("bin", "bin", "the folder of ingest and analyze")
	many := f.Int("many", 1_000_000, "how many names, threads or open calls")
	memory := f.Int64("memory", 256, "--memory of the commands, in MiB")
	only := f.String("shape", "", "the traces, by file: "+strings.Join(program.Names(shapes, fileOf), ", ")+"; without it all")
	patience := f.Duration("patience", 20*time.Minute, "how long a command may take")
	if err := f.Parse(args); err != nil {
		return err
	}
	chosen, err := program.Choose("trace", *only, shapes, fileOf)
	if err != nil {
		return err
	}
	table := texttab.New("l" + strings.Repeat("r", len(chosen)))
	heading := []string{"peak, MB"}
	rows := make([][]string, len(commands)+1) // and one of serve
	p := &player{bin: *bin, memory: *memory << 20, patience: *patience}
	for _, s := range chosen {
		heading = append(heading, fmt.Sprintf(s.name, *many/s.share))
		cells, err := p.shape(ctx, stderr, s, *many)
		if err != nil {
			return err
		}
		for i, cell := range cells {
			rows[i] = append(rows[i], cell)
		}
	}
	table.Row(heading...)
	for i, cells := range rows {
		table.Row(append([]string{nameOf(i)}, cells...)...)
	}
	if err := table.WriteMarkdown(stdout); err != nil || len(p.faults) == 0 {
		return err
	}
	return errors.New(strings.Join(p.faults, "\n"))
}

func fileOf(s shape) string { return s.file }

// command is what a shape is given to, in the order of a user's work.
type command struct {
	args   []string
	before [][]string // played first, with as much memory as they take
	needed bool       // all behind it need what it makes: it is played again where it ended
	of     bool       // it is of what the command before makes, and is not played where that ended
}

// commands name the trace TRACE, a specification SPEC and a file PAGE.
var commands = []command{
	{args: []string{"ingest", "--run", "a", "TRACE"}, needed: true},
	{args: []string{"analyze", "run", "a", "--components"}, before: [][]string{{"ingest", "--run", "b", "TRACE"}}, needed: true},
	{args: []string{"analyze", "models", "a"}, before: [][]string{{"analyze", "run", "b"}}},
	{args: []string{"analyze", "levels", "a", "b"}},
	{args: []string{"analyze", "check", "a", "--spec", "SPEC"}},
	{args: []string{"analyze", "reconcile", "both", "x=a", "y=b"}},
	{args: []string{"analyze", "what-if", "a"}},
	{args: []string{"analyze", "report", "a", "-o", "PAGE"}},
	{args: []string{"analyze", "compare", "--id", "ab", "--base", "a", "--cand", "b"}},
	{args: []string{"analyze", "report", "ab", "-o", "PAGE"}, of: true},
}

// requirement is asked of every trace: each call of anything ends.
const requirement = "check ends : globally if start {'kind'='call'} then finally end {'kind'='call'}\n"

// nameOf is the row of a command.
func nameOf(i int) string {
	if i == len(commands) {
		return "`serve`, a few pages"
	}
	args := commands[i].args
	switch {
	case slices.Contains(args, "report"):
		return "`report` of " + map[bool]string{true: "the run", false: "the comparison"}[args[2] == "a"]
	case args[0] == "ingest":
		return "`ingest`"
	}
	return "`" + args[1] + "`"
}

// shape plays all commands on one trace, and returns their cells, which are logged one by one.
func (p *player) shape(ctx context.Context, log io.Writer, s shape, many int) (cells []string, err error) {
	folder, err := os.MkdirTemp("", "hostile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path, err := s.made(folder, many)
	if err != nil {
		return nil, err
	}
	spec := filepath.Join(folder, "asked.etl")
	if err := os.WriteFile(spec, []byte(requirement), 0o666); err != nil {
		return nil, err
	}
	p.lake = filepath.Join(folder, "lake")
	given := strings.NewReplacer("TRACE", path, "SPEC", spec, "PAGE", filepath.Join(folder, "page.html"))
	var last played
	for i, c := range commands {
		for _, args := range c.before {
			if did := p.play(ctx, replaced(args, given), amply); did.fault != "" {
				return nil, fmt.Errorf("%s: %q: %s", s.file, args, did.fault)
			}
		}
		if c.of && (last.ended || last.fault != "") {
			cells = append(cells, "")
			continue
		}
		last = p.play(ctx, replaced(c.args, given), p.memory)
		cells = append(cells, p.cell(s, nameOf(i), last))
		fmt.Fprintf(log, "%s: %s: %s MB\n", s.file, nameOf(i), cells[i])
		if c.needed && (last.ended || last.fault != "") {
			if did := p.play(ctx, replaced(c.args, given), amply); did.fault != "" {
				return nil, fmt.Errorf("%s: %q: %s", s.file, c.args, did.fault)
			}
		}
	}
	return append(cells, p.cell(s, nameOf(len(commands)), p.serve(ctx))), ctx.Err()
}

// replaced are arguments with what stands in the place of their words.
func replaced(args []string, given *strings.Replacer) (out []string) {
	for _, arg := range args {
		out = append(out, given.Replace(arg))
	}
	return out
}

// amply is the --memory of what other commands need.
const amply = 8 << 30

// cell says what came of a command, and notes what it may not do.
func (p *player) cell(s shape, name string, did played) string {
	text := fmt.Sprintf("%d", did.peak/1e6)
	if did.ended {
		text += ", ends"
	}
	if most := p.memory / 10 * 11; did.peak > most {
		did.fault = cmp.Or(did.fault, fmt.Sprintf("has %d MB, and may have %d", did.peak/1e6, most/1e6))
	}
	if did.fault != "" {
		p.faults = append(p.faults, fmt.Sprintf("%s of %s: %s", name, s.file, did.fault))
		text += "!"
	}
	return text
}

// prepared is a command with the lake and a budget.
func (p *player) prepared(ctx context.Context, args []string, memory int64) (*exec.Cmd, *bytes.Buffer) {
	c := exec.CommandContext(ctx, filepath.Join(p.bin, args[0]), append(args[1:], "--lake", p.lake, "--quiet", "--memory", texttab.Bytes(memory))...)
	said := new(bytes.Buffer)
	c.Stderr = said
	return c, said
}

// play plays a command to its end.
func (p *player) play(ctx context.Context, args []string, memory int64) played {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	c, said := p.prepared(ctx, args, memory)
	err := c.Run()
	return p.judged(c, said.String(), err, ctx.Err())
}

// judged says of a process that has ended how it did.
func (p *player) judged(c *exec.Cmd, said string, err, late error) (did played) {
	if c.ProcessState == nil {
		return played{fault: err.Error()}
	}
	if used, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		did.peak = used.Maxrss << 10 // kilobytes, on Linux
	}
	switch code := c.ProcessState.ExitCode(); {
	case late != nil:
		did.fault = "did not end in time"
	case code == 1 && strings.Contains(said, "; the lake is sound\n"):
		did.ended = true
	case code != 0 && code != 3: // 3: what was asked for is not so
		did.fault = fmt.Sprintf("%v: %s", err, said)
	}
	return did
}
