package claims

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// distanceCommand is analyze distance.
func distanceCommand(g *console.Globals, stdout *console.Plain) *cobra.Command {
	f := &command{Globals: g, stdout: stdout}
	var full bool
	c := &cobra.Command{
		Use: "distance REFERENCE RUN...", Short: "Say how much the order of claims differs from that of a reference",
		Long: `Compares the order of the claims of runs with that of a reference (Hendriks et al. 2024, section 6.4.2). A claim is before another
one if it has ended when the other starts. The distance is the number of starts, ends, events and edges that only one of both has; F is
1 for equal orders and 0 where nothing is common. Times count through the order only.

Starts, ends and events are equal where their attributes are, as multisets: --by names the attributes, without it all of the trace
count, or component and function of runs that have none. Compared is the transitive reduction of the order, or with --full the whole
of it. Claims of no length have no order. The claims that differ are listed by how much they add. SQL has them in the table
order_differences of each run, from which they are printed until the run or the reference is another.`,
		Example: `  analyze distance reference best-fit first-fit --by name,id
  analyze distance release-1 release=2 --by function --picture order.svg`,
		Args: atLeast(2, "name a reference and at least one run"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkTop(); err != nil {
				return err
			}
			if err := f.checkPicture(); err != nil {
				return err
			}
			f.stderr = c.ErrOrStderr()
			return f.distances(c.Context(), args, full)
		},
	}
	f.flags(c, "attributes by which starts, ends and events are equal")
	c.Flags().BoolVar(&full, "full", false, "compare the full order, not its transitive reduction")
	c.Flags().StringVar(&f.picture, "picture", "", "draw the claims of all runs over time to FILE.svg, the redder the more they differ")
	return c
}

// distances compares the runs with the first one, reports, and draws. What the lake has of today is not compared again, unless it is drawn.
func (f *command) distances(ctx context.Context, selectors []string, full bool) error {
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return err
	}
	names, err := selected(l, selectors)
	if err != nil {
		return err
	}
	if len(names) < 2 {
		return console.Usagef("a distance is that of two runs: name another run beside %s", names[0])
	}
	out := &report.Distances{Reference: names[0], By: f.byWords(""), Order: orderWords(full), Top: f.top}
	if out.Runs, err = f.keptDistances(l, out, names[1:]); err != nil {
		return err
	}
	if out.Runs == nil {
		if err := f.compare(ctx, l, names, out, full); err != nil {
			return err
		}
	}
	return f.write(out)
}

// compare compares the runs with the first one, draws, and keeps what differs.
func (f *command) compare(ctx context.Context, l *lake.Lake, names []string, out *report.Distances, full bool) error {
	set, _, err := f.readOf(ctx, l, names)
	if err != nil {
		return err
	}
	reference := set.Runs[0]
	picture := report.Picture{Title: "Order of claims against " + reference.Name, Legend: [][2]string{{report.Red(0), "the same order"}, {report.Red(1), "most edges that only one run has"}}}
	for k, r := range set.Runs[1:] {
		d, err := set.Distance(reference, r, f.by, full)
		if err != nil {
			return err
		}
		one := distanceOf(r.Name, d)
		for side, of := range []*claims.Run{reference, r} {
			one.Differences = append(one.Differences, differences(set, of, d, side)...)
			if f.picture != "" && (k == 0 || side == 1) {
				picture.Runs = append(picture.Runs, lanes(set, of, shades(d.Claims[side])))
			}
		}
		out.Runs = append(out.Runs, one)
	}
	if err := f.draw(func() *report.Picture { return &picture }); err != nil {
		return err
	}
	return f.keepDistances(ctx, l, out)
}

// differences are the claims and events of a side that add to a distance.
func differences(set *claims.Set, r *claims.Run, d *claimorder.Distance, side int) (all []report.Differs) {
	for i, s := range d.Claims[side] {
		if s != (claimorder.Share{}) {
			all = append(all, report.Differs{
				Run: r.Name, Execution: r.Execution[i], Claim: set.Text(r, i, nil), StartNs: r.StartNs[i], Vertices: s.Vertices, After: s.From, Before: s.To, OriginNs: r.OriginNs,
			})
		}
	}
	for i, more := range d.Events[side] {
		if more {
			all = append(all, report.Differs{Run: r.Name, Execution: r.EventSeq[i], Claim: set.EventText(r, i, nil), StartNs: r.EventNs[i], Vertices: 1, OriginNs: r.OriginNs})
		}
	}
	return all
}

// shades are the colours of claims by how much they differ, relative to the one that differs most.
func shades(shares []claimorder.Share) func(int) string {
	most := int32(1)
	for _, s := range shares {
		most = max(most, s.Vertices+s.From+s.To)
	}
	return func(i int) string {
		if shares == nil {
			return report.Red(0)
		}
		return report.Red(float64(shares[i].Vertices+shares[i].From+shares[i].To) / float64(most))
	}
}
