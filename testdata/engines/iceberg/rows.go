package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/iceberg-go/table"
)

// counted are the rows of a table that have one value of its key.
type counted struct {
	Rows   int64            `json:"rows"`
	Values map[string]int64 `json:"values"` // by column: how many rows have a value
}

// countRows reads all of some tables by their catalog, as other engines do, and writes for every run, comparison or baseline of each how
// many rows there are, and how many of them have a value in each column.
func countRows(ctx context.Context, uri string, properties map[string]string, namespace string, names []string, out io.Writer) error {
	c, err := openCatalog(ctx, uri, properties)
	if err != nil {
		return err
	}
	all := map[string]map[string]*counted{}
	for _, name := range names {
		t, err := c.LoadTable(ctx, table.Identifier{namespace, name})
		if err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
		if all[name], err = count(ctx, t); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return json.NewEncoder(out).Encode(all)
}

// count reads a table, and counts by the value of its key.
func count(ctx context.Context, t *table.Table) (map[string]*counted, error) {
	spec := t.Spec()
	key, _ := t.Schema().FindFieldByID(spec.Field(0).SourceIDs[0])
	schema, batches, err := t.Scan().ToArrowRecords(ctx)
	if err != nil {
		return nil, err
	}
	at := schema.FieldIndices(key.Name)[0]
	all := map[string]*counted{}
	for batch, err := range batches {
		if err != nil {
			return nil, err
		}
		of := batch.Column(at).(array.StringLike)
		for i := range int(batch.NumRows()) {
			n := all[of.Value(i)]
			if n == nil {
				n = &counted{Values: map[string]int64{}}
				all[of.Value(i)] = n
			}
			n.Rows++
			for j, c := range batch.Columns() {
				if c.IsValid(i) {
					n.Values[schema.Field(j).Name]++
				}
			}
		}
		batch.Release()
	}
	return all, nil
}
