package check

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	requirementsjob "github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/checks/mining"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// MineCommand returns analyze mine, which writes to these streams.
func MineCommand(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	f := &command{Globals: g, stdout: stdout, stderr: stderr}
	var like []string
	var output string
	var top int
	c := &cobra.Command{
		Use: "mine RUN|KEY=VALUE... -o FILE.etl", Short: "Propose requirements that good runs keep",
		Long: `Looks at runs that are known to be good, and proposes what all of them keep as a specification for analyze check: that calls return
in time, start a minimal time apart, come after others, exclude each other, how many are in flight at once, and between which values signals
stay. Take five runs or more: bounds have a margin for runs that were not seen, learned by leaving each run out in turn, such that at
most one in 500 pairs of a check and a run fails.

The file is meant to be read and edited: what says most comes first, and a comment says what each check rests on. Checks that would be
vacuous in a run, and those that follow from others, are left out.`,
		Example: `  analyze mine release=1 -o mined.etl
  analyze mine release=1 --like 'lib_transfer_c.*' -o transfer.etl
  analyze check release=2 --spec mined.etl`,
		RunE: func(c *cobra.Command, args []string) error { return f.mine(c.Context(), args, like, top, output) },
	}
	p := c.Flags()
	p.StringArrayVar(&like, "like", nil, "only checks about the functions COMPONENT.FUNCTION, with * and ? for letters; may be given often")
	p.IntVar(&top, "top", 0, "how many checks to propose at most, those that say most; 0 for all")
	p.StringVarP(&output, "output", "o", "-", "the file; - is standard output")
	return c
}

// mine mines runs and writes the specification.
func (f *command) mine(ctx context.Context, selectors, like []string, top int, output string) error {
	if top < 0 {
		return console.Usagef("--top %d: not negative", top)
	}
	l, names, err := f.selected(selectors)
	if err != nil {
		return err
	}
	meter, done := f.Progress(f.stderr, "mine", false)
	defer done()
	j := &requirementsjob.Mining{
		Engine: &pipeline.Engine{Lake: l, Jobs: f.Jobs, Memory: f.TaskMemory(), Progress: meter}, Runs: names,
		Like: func(s mining.Subject) bool {
			return len(like) == 0 || slices.ContainsFunc(like, func(p string) bool { return runs.MatchesPattern(s.Component+"."+s.Function, p) })
		},
	}
	all, leftOut, err := j.Mine(ctx)
	if err != nil {
		return err
	}
	done()
	if top > 0 {
		all = all[:min(top, len(all))]
	}
	if len(all) == 0 {
		return console.Usagef("nothing was mined: no function that --like names is called by all of these runs; analyze query has the functions of a run")
	}
	about := []string{
		fmt.Sprintf("Mined from %s: %s.", texttab.Plural(len(names), "run"), runs.FirstNames(names)),
		"Edit it as you like; analyze check RUN --spec FILE holds runs against it, and --explain CHECK says why one failed.",
	}
	if len(names) == 1 {
		about = append(about, "One run says nothing about others: bounds are twice what was seen.")
	}
	if err := console.WriteFile(output, f.stdout.Raw(), func(w io.Writer) error { return mining.Write(w, about, all) }); err != nil {
		return err
	}
	if output != "-" {
		fmt.Fprintf(f.stdout, "%s from %s: %s\n", texttab.Plural(len(all), "check"), texttab.Plural(len(names), "run"), kinds(all))
	}
	if leftOut > 0 {
		f.Logger(f.stderr).Info(texttab.Plural(leftOut, "proposal") + " left out, which a run does not keep")
	}
	return nil
}

// kinds counts proposals by their kinds.
func kinds(all []mining.Proposal) string {
	var parts []string
	for k := mining.Response; k <= mining.Bounds; k++ {
		n := 0
		for _, p := range all {
			if p.Kind == k {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(k.String(), "_", " ")))
		}
	}
	return strings.Join(parts, ", ")
}
