package claims

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// behavioursFlags are the flags of analyze behaviours.
type behavioursFlags struct {
	command
	item, over string
	full       bool
}

// behavioursCommand is analyze behaviours.
func behavioursCommand(g *console.Globals, stdout *console.Plain) *cobra.Command {
	f := &behavioursFlags{command: command{Globals: g, stdout: stdout}}
	c := &cobra.Command{
		Use: "behaviours RUN|KEY=VALUE... --item ATTRIBUTE", Short: "Find which items of runs were treated alike, and which behaviours are rare",
		Long: `Splits runs by items, which are the values of an attribute, and finds which items were treated alike: those whose claims and events have
equal attributes and the same order, whatever their times are (Hendriks et al. 2024, section 6.6). The item itself is left out of the
attributes; --by names others than all. Behaviours are listed from the most frequent to the rarest, each with an item that has it.

--over LABEL compares the values of a label in their order: which behaviours appeared, vanished, or became rarer or more frequent from
the first to the last. A share counts as changed where the runs of both are apart: all runs of one have a greater share than all runs
of the other, with at least three runs a side; with fewer only appeared and vanished are said.

SQL has the behaviours of each run in the table behaviours, with a digest that is the same for equal behaviours of all runs.`,
		Example: `  analyze behaviours pipeline --item id --by name
  analyze behaviours product=printer --item sheet --by name,type --over release`,
		Args: atLeast(1, "name a run, or key=value for all runs with that label"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkTop(); err != nil {
				return err
			}
			if f.item == "" {
				return console.Usagef("name the attribute whose values are items: --item id")
			}
			f.stderr = c.ErrOrStderr()
			l, err := stores.Open(f.Lake, false)
			if err != nil {
				return err
			}
			set, described, err := f.readOf(c.Context(), l, args, f.item)
			if err != nil {
				return err
			}
			items := set.Items(f.item, f.by, f.full)
			found := classesOf(items)
			r, err := f.behaviours(set, described, items, found)
			if err != nil {
				return err
			}
			if err := f.keep(c.Context(), l, set, items, found); err != nil {
				return err
			}
			return f.write(r)
		},
	}
	f.flags(c, "attributes that count beside the order (default: all but the item)")
	p := c.Flags()
	p.StringVar(&f.item, "item", "", "the attribute whose values are items")
	p.StringVar(&f.over, "over", "", "compare the values of this label in their order")
	f.storeFlag(p, "", "behaviours")
	p.BoolVar(&f.full, "full", false, "take the full order, not its transitive reduction")
	return c
}

// mostMembers is how many items of a class JSON names.
const mostMembers = 1000

// behaviours finds the classes of items and counts them by releases.
func (f *behavioursFlags) behaviours(set *claims.Set, described map[string]schema.Run, items []claims.Item, found []claimorder.Behaviour) (*report.Behaviours, error) {
	if len(items) == 0 {
		return nil, console.Usagef("no claim and no event of these runs has the attribute %s", f.item)
	}
	out := &report.Behaviours{Item: f.item, By: f.byWords(f.item), Order: orderWords(f.full), Items: len(items), Top: f.top}
	group := make(map[*claims.Run]int)
	if f.over != "" {
		for _, r := range set.Runs {
			value, has := described[r.Name].Labels[f.over]
			if !has {
				return nil, console.Usagef("run %s has no label %s", r.Name, f.over)
			}
			if !slices.Contains(out.Groups, value) {
				out.Groups = append(out.Groups, value)
			}
		}
		slices.SortFunc(out.Groups, changepoint.CompareReleases)
		for _, r := range set.Runs {
			group[r] = slices.Index(out.Groups, described[r.Name].Labels[f.over])
		}
		out.Totals = make([]int, len(out.Groups))
	}
	totals := make(map[*claims.Run]int)
	for i := range items {
		totals[items[i].Run]++
		if f.over != "" {
			out.Totals[group[items[i].Run]]++
		}
	}
	representatives := make(map[*claims.Run][]string)
	for _, b := range found {
		first := &items[b.Items[0]]
		representatives[first.Run] = append(representatives[first.Run], first.Value)
	}
	graphs := make(map[*claims.Run]map[string]*claims.Graph)
	for r, values := range representatives {
		graphs[r] = set.Graphs(r, f.item, values)
	}
	for _, b := range found {
		first := &items[b.Items[0]]
		out.Classes = append(out.Classes, f.class(set, items, b, graphs[first.Run][first.Value].Claims, group, totals, len(out.Groups)))
	}
	return out, nil
}

// classesOf lists the behaviours of items.
func classesOf(items []claims.Item) []claimorder.Behaviour {
	classes := make([]uint32, len(items))
	for i := range items {
		classes[i] = items[i].Class
	}
	return claimorder.Behaviours(classes)
}

// class describes a class of items. ofFirst are the claims of its first item.
func (f *behavioursFlags) class(set *claims.Set, items []claims.Item, b claimorder.Behaviour, ofFirst []int32, group map[*claims.Run]int, totals map[*claims.Run]int, groups int) report.Class {
	first := &items[b.Items[0]]
	c := report.Class{Items: len(b.Items), Run: first.Run.Name, Representative: first.Value, LastsNs: first.ToNs - first.FromNs}
	counts := make(map[*claims.Run]int)
	for _, i := range b.Items {
		counts[items[i].Run]++
		if len(c.Members) < mostMembers {
			name := items[i].Value
			if len(set.Runs) > 1 {
				name = items[i].Run.Name + "/" + name
			}
			c.Members = append(c.Members, name)
		}
	}
	c.Claims = f.claimNames(set, first.Run, ofFirst)
	if groups == 0 {
		return c
	}
	c.Groups = make([]int, groups)
	shares := make([][]float64, groups)
	for _, r := range set.Runs {
		c.Groups[group[r]] += counts[r]
		if totals[r] > 0 {
			shares[group[r]] = append(shares[group[r]], float64(counts[r])/float64(totals[r]))
		}
	}
	c.Word = became(c.Groups, shares)
	return c
}

// leastRuns is how many runs a release needs before its share is compared.
const leastRuns = 3

// became says what became of a class from the first to the last release.
func became(items []int, shares [][]float64) string {
	last := len(items) - 1
	switch {
	case last == 0:
		return ""
	case items[0] == 0 && items[last] > 0:
		return report.Appeared
	case items[0] > 0 && items[last] == 0:
		return report.Vanished
	case len(shares[0]) < leastRuns || len(shares[last]) < leastRuns:
		return ""
	case slices.Min(shares[0]) > slices.Max(shares[last]):
		return report.Rarer
	case slices.Max(shares[0]) < slices.Min(shares[last]):
		return report.Oftener
	}
	return ""
}
