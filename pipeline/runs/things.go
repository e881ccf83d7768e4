package runs

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Things reads what a run has beside events and messages: attributes, resources, claims, dependencies and signals. Tables that
// the run lacks are empty. All rows are in memory: about 17 bytes an attribute, 40 a claim and 56 a dependency.
func Things(ctx context.Context, l *lake.Lake, run string) (*schema.Things, error) {
	t := &schema.Things{
		Attributes: schema.NewAttributes(&schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)}),
		Claims:     new(schema.Claims), Dependencies: new(schema.Dependencies), Fragments: new(schema.SignalFragments),
	}
	have, err := l.Inventory(lake.Run(run))
	if err != nil {
		return nil, err
	}
	rowGroup := schema.NewAttributes(t.Attributes.Texts) // of the same dictionaries, so that rows are copied as codes
	for _, table := range []struct {
		name string
		all  schema.Columns
		some schema.Columns // a row group
	}{{"attributes", t.Attributes, rowGroup}, {"claims", t.Claims, new(schema.Claims)}, {"dependencies", t.Dependencies, new(schema.Dependencies)}, {"fragments_of_signals", t.Fragments, new(schema.SignalFragments)}} {
		m := have.Table(table.name)
		if m == nil {
			continue
		}
		schema.Reserve(table.all, int(m.Rows()))
		err := l.Scan(ctx, m.Files, table.some, lake.ScanOptions{}, func() error {
			schema.AppendRows(table.all, table.some, 0, schema.Rows(table.some))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if have.Table("resources") != nil {
		if t.Resources, err = lake.Read[schema.Resource](l, "resources", lake.Run(run)); err != nil {
			return nil, err
		}
	}
	if have.Table("signals") != nil {
		t.Signals, err = lake.Read[schema.Signal](l, "signals", lake.Run(run))
	}
	return t, err
}
