package claims

import (
	"context"
	"math"

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
	f.storeFlag(c.Flags(), "", "order_differences")
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
	asked, err := f.asksDistance(l, out)
	if err != nil {
		return err
	}
	if out.Runs, err = f.keptDistances(l, &asked, out, names[1:]); err != nil {
		return err
	}
	if out.Runs == nil {
		if err := f.compare(ctx, l, names, &asked, out, full); err != nil {
			return err
		}
	}
	return f.write(out)
}

// compare compares the runs with the first one, draws, and keeps what differs.
func (f *command) compare(ctx context.Context, l *lake.Lake, names []string, asked *askedDistance, out *report.Distances, full bool) error {
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
		one.Differences, one.All = differences(set, [2]*claims.Run{reference, r}, d, f.mostNamed())
		for side, of := range []*claims.Run{reference, r} {
			if f.picture != "" && (k == 0 || side == 1) {
				picture.Runs = append(picture.Runs, lanes(set, of, shades(d.Claims[side])))
			}
		}
		out.Runs = append(out.Runs, one)
	}
	if err := f.draw(func() *report.Picture { return &picture }); err != nil {
		return err
	}
	return f.keepDistances(ctx, l, asked, out)
}

// mostNamed is how many claims of a comparison need words: all of those that are printed, and of the table.
func (f *command) mostNamed() int {
	if f.format == "json" || f.top == 0 {
		return math.MaxInt
	}
	return max(f.top, mostDifferences)
}

// differing is a claim or a regular event of a side that adds to a distance.
type differing struct {
	side, at int32
	event    bool
	share    claimorder.Share
}

// differences are the claims and events of both runs that add to a distance, by their runs and positions, and how many there are. Of more
// than are asked for those are named that add most, these first.
func differences(set *claims.Set, runs [2]*claims.Run, d *claimorder.Distance, most int) (named []report.Differs, count int) {
	var all []differing
	for side := range runs {
		for i, s := range d.Claims[side] {
			if s != (claimorder.Share{}) {
				all = append(all, differing{int32(side), int32(i), false, s})
			}
		}
		for i, more := range d.Events[side] {
			if more {
				all = append(all, differing{int32(side), int32(i), true, claimorder.Share{Vertices: 1}})
			}
		}
	}
	count = len(all)
	if count > most {
		all = report.Heaviest(all, most, func(x *differing) int32 { return x.share.Weight() })
	}
	named = make([]report.Differs, len(all))
	for i, x := range all {
		r := runs[x.side]
		one := report.Differs{Run: r.Name, Vertices: x.share.Vertices, After: x.share.From, Before: x.share.To, OriginNs: r.OriginNs}
		if x.event {
			one.Execution, one.Claim, one.StartNs = r.EventSeq[x.at], set.EventText(r, int(x.at), nil), r.EventNs[x.at]
		} else {
			one.Execution, one.Claim, one.StartNs = r.Execution[x.at], set.Text(r, int(x.at), nil), r.StartNs[x.at]
		}
		named[i] = one
	}
	return named, count
}

// shades are the colours of claims by how much they differ, relative to the one that differs most.
func shades(shares []claimorder.Share) func(int) string {
	most := int32(1)
	for _, s := range shares {
		most = max(most, s.Weight())
	}
	return func(i int) string {
		if shares == nil {
			return report.Red(0)
		}
		return report.Red(float64(shares[i].Weight()) / float64(most))
	}
}
