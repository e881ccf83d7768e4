package claims

import (
	"context"
	"strings"

	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
)

// mostBehaviours is how many behaviours of a run the table has.
const mostBehaviours = 100_000

// ofRun is a class of items as one run has it.
type ofRun struct {
	class uint32
	first *claims.Item
	items int64
}

// keep keeps the behaviours of each run in its table.
func (f *behavioursFlags) keep(ctx context.Context, l *lake.Lake, set *claims.Set, items []claims.Item, found []claimorder.Behaviour) error {
	if f.store == "no" {
		return nil
	}
	k := &claims.Answers[schema.Behaviour]{
		Engine: f.engine(l), Table: "behaviours", Key: func(b *schema.Behaviour) string { return claims.KeyOf(b.Item, b.By, b.Order, b.Filter) },
	}
	asked := claims.Asked{Key: claims.KeyOf(f.item, f.byWords(f.item), orderWords(f.full), f.filterWords()), Version: 1}
	classes := make(map[*claims.Run][]ofRun) // the most frequent of all runs first
	totals := make(map[*claims.Run]int64)
	for _, b := range found {
		at := make(map[*claims.Run]int)
		for _, i := range b.Items {
			it := &items[i]
			totals[it.Run]++
			of := classes[it.Run]
			n, known := at[it.Run]
			if !known {
				n = len(of)
				at[it.Run] = n
				of = append(of, ofRun{class: b.Class, first: it})
				classes[it.Run] = of
			}
			of[n].items++
		}
	}
	digests := make(map[uint32]string)
	for _, r := range set.Runs {
		of := classes[r]
		of = of[:min(len(of), mostBehaviours)]
		var firsts []string
		for _, c := range of {
			firsts = append(firsts, c.first.Value)
		}
		graphs := set.Graphs(r, f.item, firsts)
		rows := make([]schema.Behaviour, 0, len(of))
		for _, c := range of {
			g := graphs[c.first.Value]
			if digests[c.class] == "" {
				digests[c.class] = set.Digest(r, g, f.item, f.by, f.full)
			}
			rows = append(rows, schema.Behaviour{
				Item: f.item, By: f.byWords(f.item), Order: orderWords(f.full), Filter: f.filterWords(), Behaviour: digests[c.class], Items: c.items,
				Share: float64(c.items) / float64(totals[r]), Representative: c.first.Value, LastsNs: c.first.ToNs - c.first.FromNs,
				Claims: strings.Join(f.claimNames(set, r, g.Claims), " "),
			})
		}
		stored, err := k.Store(ctx, r.Name, asked, struct{}{}, rows)
		if err := f.keeping(ctx, l, k.Table, stored, err); err != nil {
			return err
		}
	}
	return nil
}

// claimNames names the claims of an item.
func (f *behavioursFlags) claimNames(set *claims.Set, r *claims.Run, of []int32) []string {
	by := f.by
	if by == nil {
		by = []string{"name"}
	}
	names := make([]string, 0, len(of))
	for _, i := range of {
		names = append(names, strings.ReplaceAll(set.Text(r, int(i), by), " ", "/"))
	}
	return names
}
