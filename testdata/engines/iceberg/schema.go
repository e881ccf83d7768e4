package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// partitionID is the field id of the partition by key. Iceberg gives these from 1000 on.
const partitionID = 1000

// schemaOf is the Iceberg schema of a table. All columns may be missing, as files of an older program may lack the newest.
func schemaOf(t lakeTable) (*iceberg.Schema, error) {
	columns := slices.Clone(t.Columns)
	slices.SortFunc(columns, func(a, b column) int { return cmp.Compare(a.ID, b.ID) })
	fields := make([]iceberg.NestedField, len(columns))
	for i, c := range columns {
		of, err := typeOf(c)
		if err != nil {
			return nil, err
		}
		fields[i] = iceberg.NestedField{ID: c.ID, Name: c.Name, Type: of, Doc: c.Doc}
	}
	return iceberg.NewSchema(0, fields...), nil
}

// typeOf is the Iceberg type of a column.
func typeOf(c column) (iceberg.Type, error) {
	switch c.Type {
	case "BIGINT":
		return iceberg.PrimitiveTypes.Int64, nil
	case "DOUBLE":
		return iceberg.PrimitiveTypes.Float64, nil
	case "BOOLEAN":
		return iceberg.PrimitiveTypes.Bool, nil
	case "VARCHAR":
		return iceberg.PrimitiveTypes.String, nil
	case "MAP(VARCHAR, VARCHAR)":
		text := iceberg.PrimitiveTypes.String
		return &iceberg.MapType{KeyID: c.KeyID, KeyType: text, ValueID: c.ValueID, ValueType: text}, nil
	}
	return nil, fmt.Errorf("column %s: no Iceberg type for %s", c.Name, c.Type)
}

// specOf partitions a table by the value of its key.
func specOf(t lakeTable, s *iceberg.Schema) (iceberg.PartitionSpec, error) {
	key, found := s.FindFieldByName(t.Key)
	if !found {
		return iceberg.PartitionSpec{}, fmt.Errorf("the table has no column %s", t.Key)
	}
	return iceberg.NewPartitionSpec(iceberg.PartitionField{
		SourceIDs: []int{key.ID}, FieldID: partitionID, Name: t.Key, Transform: iceberg.IdentityTransform{},
	}), nil
}

// addColumns adds to a table in the catalog what columns it lacks, in the order of their field ids, and reports whether there were any.
func addColumns(txn *table.Transaction, have *iceberg.Schema, want *iceberg.Schema) (added bool, err error) {
	update := txn.UpdateSchema(true, false)
	for _, f := range want.Fields() {
		if _, found := have.FindFieldByID(f.ID); !found {
			update, added = update.AddColumn([]string{f.Name}, f.Type, f.Doc, false, nil), true
		}
	}
	if added {
		err = update.Commit()
	}
	return added, err
}

// checkIDs makes sure that a catalog has given columns the field ids that files have: it chooses them, and readers know columns by them
// alone.
func checkIDs(name string, have, want *iceberg.Schema) error {
	for _, f := range want.Fields() {
		g, found := have.FindFieldByName(f.Name)
		if !found || g.ID != f.ID {
			return fmt.Errorf("table %s: the catalog gives column %s another field id (%d) than its files have (%d): drop the table from the catalog, keeping its files, and publish again", name, f.Name, g.ID, f.ID)
		}
	}
	return nil
}
