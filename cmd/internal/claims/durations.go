package claims

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/claims"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// durationsCommand is analyze durations.
func durationsCommand(g *console.Globals, stdout *console.Plain) *cobra.Command {
	f := &command{Globals: g, stdout: stdout}
	var histogram bool
	c := &cobra.Command{
		Use: "durations RUN...", Short: "Compare how long claims of equal attributes take, also as histograms",
		Long: `Groups claims by their attributes, and says how long those of each group take in every run (Hendriks et al. 2024, section 6.4.1). Runs
without claims have executions instead. --histogram has the bars of all runs beside each other, with the same bins.

A difference here is one of samples of one run each; analyze compare says whether releases differ.`,
		Example: `  analyze durations system model --by name
  analyze durations system model --by action --histogram --top 1`,
		Args: atLeast(1, "name at least one run"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkTop(); err != nil {
				return err
			}
			if len(f.by) == 0 {
				f.by = []string{"name"}
			}
			set, _, err := f.read(c.Context(), args)
			if err != nil {
				return err
			}
			r := durations(set, f.by)
			r.Top = f.top
			if histogram && f.format == "text" {
				return r.WriteHistogram(f.stdout)
			}
			return f.write(r)
		},
	}
	f.flags(c, "attributes that claims of a group have in common (default name)")
	c.Flags().BoolVar(&histogram, "histogram", false, "print a histogram of each group, of all runs together")
	return c
}

// durations groups the claims of all runs, those that take longest in total first.
func durations(set *claims.Set, by []string) *report.Durations {
	out := &report.Durations{By: strings.Join(by, ", ")}
	at := make(map[uint32]int)
	for k, r := range set.Runs {
		out.Runs = append(out.Runs, r.Name)
		keys, _ := set.Keys(r, by, "")
		for i, key := range keys {
			g, known := at[key]
			if !known {
				g = len(out.Groups)
				at[key] = g
				out.Groups = append(out.Groups, report.Duration{Group: set.Text(r, i, by), Ns: make([][]int64, len(set.Runs))})
			}
			out.Groups[g].Ns[k] = append(out.Groups[g].Ns[k], r.EndNs[i]-r.StartNs[i])
		}
	}
	sums := make(map[string]int64)
	for i := range out.Groups {
		g := &out.Groups[i]
		for _, ns := range g.Ns {
			slices.Sort(ns)
			s := report.StatsOf(ns)
			sums[g.Group] += s.SumNs
			g.Runs = append(g.Runs, s)
		}
	}
	slices.SortStableFunc(out.Groups, func(a, b report.Duration) int { return cmp.Compare(sums[b.Group], sums[a.Group]) })
	return out
}
