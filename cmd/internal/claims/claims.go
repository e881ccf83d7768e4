// Package claims has the commands about claims of runs: analyze critical-path --graph, satisfies, distance, behaviours and durations
// (Hendriks et al. 2024, section 6).
package claims

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// command is what the commands of this package share.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer // of commands that keep their answers

	by      []string
	filter  []string
	format  string
	picture string
	store   string // yes or no, of commands that keep their answers
	top     int
}

// Commands returns the commands, which write to this stream.
func Commands(g *console.Globals, stdout *console.Plain) []*cobra.Command {
	return []*cobra.Command{satisfiesCommand(g, stdout), distanceCommand(g, stdout), behavioursCommand(g, stdout), durationsCommand(g, stdout), transformCommand(g, stdout)}
}

// flags adds the flags that all have.
func (f *command) flags(c *cobra.Command, by string) {
	p := c.Flags()
	f.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	p.IntVar(&f.top, "top", 20, "how many rows of a table to print; 0 for all; JSON has all")
	f.filterFlag(p)
	if by != "" {
		p.StringSliceVar(&f.by, "by", nil, by)
	}
}

// filterFlag adds --filter.
func (f *command) filterFlag(p *pflag.FlagSet) {
	p.StringArrayVar(&f.filter, "filter", nil, "look only at claims and events with these attributes, as name=A,type=x; given again, also at those with others")
}

// storeFlag adds --store of a command that keeps its answers in a table.
func (f *command) storeFlag(p *pflag.FlagSet, of, table string) {
	f.Choice(p, &f.store, "store", "yes", of+"keep what comes out in the table "+table+" of each run: yes or no", "yes", "no")
}

// checkTop refuses a number of rows that makes no sense.
func (f *command) checkTop() error {
	if f.top < 0 {
		return console.Usagef("--top %d: not negative", f.top)
	}
	return nil
}

// read reads runs and sees that they have the attributes that are asked for.
func (f *command) read(ctx context.Context, selectors []string, attributes ...string) (*claims.Set, map[string]schema.Run, error) {
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return nil, nil, err
	}
	return f.readOf(ctx, l, selectors, attributes...)
}

// readOf does so with a lake that is open.
func (f *command) readOf(ctx context.Context, l *lake.Lake, selectors []string, attributes ...string) (*claims.Set, map[string]schema.Run, error) {
	names, err := selected(l, selectors)
	if err != nil {
		return nil, nil, err
	}
	described, err := runs.Described(l, names)
	if err != nil {
		return nil, nil, err
	}
	set, err := claims.Read(ctx, l, names, f.TaskMemory())
	if err != nil {
		return nil, nil, err
	}
	filter, err := runs.ParseFilter(f.filter)
	if err != nil {
		return nil, nil, console.Usagef("--filter %w", err)
	}
	for _, name := range slices.Concat(f.by, attributes, filter.Names()) {
		if !set.Has(name) {
			do := "there are " + strings.Join(set.Attributes(), ", ") + "; ingest --attributes says which of a trace are kept"
			if near := schema.Similar(name, set.Attributes()); len(near) > 0 {
				do = "did you mean " + near[0] + "?"
			}
			return nil, nil, console.Usagef("no claim and no event has the attribute %s: %s", name, do)
		}
	}
	set.Select(filter)
	return set, described, nil
}

// selected names the runs that are meant, in the order of the selectors, as the first one is the reference of others.
func selected(l *lake.Lake, selectors []string) (names []string, err error) {
	for _, s := range selectors {
		some, err := runs.Select(l, []string{s})
		if err != nil {
			return nil, err
		}
		for _, name := range some {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// byWords says what claims are told apart by.
func (f *command) byWords(except string) string {
	switch {
	case len(f.by) > 0:
		return strings.Join(f.by, ", ")
	case except != "":
		return "all attributes but " + except
	}
	return "all attributes"
}

// orderWords says which order is compared.
func orderWords(full bool) string {
	if full {
		return "full"
	}
	return "reduced"
}

// draw makes and writes a picture where one is asked for.
func (f *command) draw(picture func() *report.Picture) error {
	if f.picture == "" {
		return nil
	}
	return console.WriteFile(f.picture, f.stdout.Raw(), picture().WriteSVG)
}

// checkPicture refuses a picture that would go where the report goes, and one of another format.
func (f *command) checkPicture() error {
	if f.picture != "" && !strings.HasSuffix(f.picture, ".svg") {
		return console.Usagef("--picture %q: name a file that ends in .svg", f.picture)
	}
	return nil
}

// write writes a report in the format.
func (f *command) write(r interface {
	WriteText(io.Writer) error
	WriteJSON(io.Writer) error
}) error {
	if f.format == "json" {
		return r.WriteJSON(f.stdout)
	}
	return r.WriteText(f.stdout)
}

// exactly is an argument check with a sentence.
func exactly(n int, sentence string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return console.Usagef("%s", sentence)
		}
		return nil
	}
}

// atLeast is an argument check with a sentence.
func atLeast(n int, sentence string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return console.Usagef("%s", sentence)
		}
		return nil
	}
}

// texts gives the values of an attribute of the claims of a run.
func texts(set *claims.Set, r *claims.Run, attribute string) func(claim int) string {
	codes, _ := set.Values(r, attribute)
	return func(claim int) string { return set.Value(codes[claim]) }
}

// lanes are the claims of a run as boxes of a picture.
func lanes(set *claims.Set, r *claims.Run, colour func(claim int) string) report.Lanes {
	resource := texts(set, r, "resource")
	lifeline := texts(set, r, "lifeline")
	out := report.Lanes{Run: r.Name, OriginNs: r.OriginNs}
	for i := range r.Execution {
		lane := resource(i)
		if lane == "" {
			lane = lifeline(i)
		}
		out.Boxes = append(out.Boxes, report.Box{Lane: lane, StartNs: r.StartNs[i], EndNs: r.EndNs[i], Colour: colour(i), Text: set.Text(r, i, nil)})
	}
	return out
}
