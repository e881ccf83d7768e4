package claims

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// orderDifferences is the table of what orders have alone.
func (f *command) orderDifferences(l *lake.Lake) *claims.Answers[schema.OrderDifference] {
	return &claims.Answers[schema.OrderDifference]{
		Engine: f.engine(l), Table: "order_differences",
		Key: func(d *schema.OrderDifference) string { return claims.KeyOf(d.Reference, d.By, d.Order, d.Filter) },
	}
}

// The words of only_in.
const onlyInRun, onlyInReference = "run", "reference"

// mostDifferences is how many claims of a comparison the table has.
const mostDifferences = 100_000

// compared is what is kept of a distance beside its rows.
type compared struct {
	report.Distance
	All int // differences, of which the table may have fewer
}

// askedDistance is what the lake is asked for: the distance to the reference as it is now.
type askedDistance struct {
	claims.Asked
	referenceFile string // as the rows have it
}

// asksDistance asks for a distance. It comes before the runs are read: where the reference is replaced meanwhile, the answer is one about
// the reference of before, and nobody takes it for one of now.
func (f *command) asksDistance(l *lake.Lake, r *report.Distances) (a askedDistance, err error) {
	of, file, err := f.orderDifferences(l).Inputs(r.Reference)
	a.Asked = claims.Asked{Key: claims.KeyOf(r.Reference, r.By, r.Order, f.filterWords()), Of: []string{of}, Version: 2}
	a.referenceFile = file
	return a, err
}

// keptDistances are those of all runs, as the lake has them; nil where it lacks one of today, or a difference that is asked for, or where
// they are drawn.
func (f *command) keptDistances(l *lake.Lake, a *askedDistance, r *report.Distances, names []string) (all []report.Distance, err error) {
	if f.picture != "" {
		return nil, nil
	}
	k := f.orderDifferences(l)
	described, err := runs.Described(l, append([]string{r.Reference}, names...))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var one compared
		rows, found, err := k.Answer(name, a.Asked, &one)
		if err != nil || !found || len(rows) < min(one.All, f.mostNamed()) {
			return nil, err
		}
		one.Differences = make([]report.Differs, 0, len(rows))
		for i := range rows {
			row := &rows[i]
			run := name
			if row.OnlyIn == onlyInReference {
				run = r.Reference
			}
			one.Differences = append(one.Differences, report.Differs{
				Run: run, Execution: row.Execution, Claim: row.Claim, StartNs: row.StartNs, Vertices: int32(row.Vertices), After: int32(row.After), Before: int32(row.Before),
				OriginNs: described[run].StartNs,
			})
		}
		one.Distance.All = one.All
		all = append(all, one.Distance)
	}
	return all, nil
}

// keepDistances keeps what differs in the table of each run.
func (f *command) keepDistances(ctx context.Context, l *lake.Lake, a *askedDistance, r *report.Distances) error {
	if f.store == "no" {
		return nil
	}
	k := f.orderDifferences(l)
	for i := range r.Runs {
		d := &r.Runs[i]
		differences := d.Differences
		if len(differences) > mostDifferences {
			differences = report.Heaviest(differences, mostDifferences, (*report.Differs).Weight)
		}
		rows := make([]schema.OrderDifference, 0, len(differences))
		for j := range differences {
			x := &differences[j]
			row := schema.OrderDifference{
				Reference: r.Reference, By: r.By, Order: r.Order, Filter: f.filterWords(), OnlyIn: onlyInRun, Execution: x.Execution, Claim: x.Claim,
				StartNs: x.StartNs, Vertices: int64(x.Vertices), After: int64(x.After), Before: int64(x.Before),
				ReferenceFile: a.referenceFile,
			}
			if x.Run == r.Reference {
				row.OnlyIn = onlyInReference
			}
			rows = append(rows, row)
		}
		whole := compared{*d, d.All}
		whole.Differences = nil
		stored, err := k.Store(ctx, d.Run, a.Asked, &whole, rows)
		if err := f.keeping(ctx, l, k.Table, stored, err); err != nil {
			return err
		}
	}
	return nil
}
