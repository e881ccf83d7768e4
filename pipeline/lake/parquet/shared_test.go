package parquet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSharedReaders reads files by several readers at a time, with different columns, dictionaries that have names already, and
// row groups in different orders. Whatever memory they share, each finds what one finds that reads alone, codes included.
func TestSharedReaders(t *testing.T) {
	for _, f := range fixtures(5000) {
		if len(f.Table.Int) > 6000 {
			continue // row groups enough are in the others
		}
		path := saveGroups(t, f.Table, 1024)
		for _, bytes := range []int64{0, 100_000, 1 << 40} {
			memory := NewMemory(bytes)
			for range 2 { // the second round takes the memory that the first gave back
				shared := NewDecoded(memory)
				var readers errgroup.Group
				for seed := range uint64(4) {
					readers.Go(func() error { return compareShared(t, path, shared, rand.New(rand.NewPCG(seed, 1))) })
				}
				if err := readers.Wait(); err != nil {
					t.Fatalf("%s with %d bytes: %v", f.Name, bytes, err)
				}
				shared.Free()
			}
		}
	}
}

// saveGroups writes a file with small row groups.
func saveGroups(t *testing.T, table *fixtureTable, rows int) string {
	t.Helper()
	var b bytes.Buffer
	v := viewOf(table)
	w := NewWriter(&b, v)
	w.GroupRows = rows
	expect.Value(w.Close(v))(t)
	return save(t, b.Bytes())
}

// compareShared reads row groups in a random order through a reader that shares and one that does not, and compares their tables.
func compareShared(t *testing.T, path string, shared *Decoded, r *rand.Rand) error {
	columns := [][]string{nil, {"int", "name", "null_enum"}, {"null_name", "null_int"}}[r.IntN(3)]
	one, another := newFixtureTable(), newFixtureTable()
	for range r.IntN(3) {
		one.Names.Code("name 5 \u00e9")
		another.Names.Code("name 5 \u00e9")
	}
	alone, err := openFile(path, one, columns...)
	if err != nil {
		return err
	}
	defer alone.Close()
	reader, err := openFile(path, another, columns...)
	if err != nil {
		return err
	}
	defer reader.Close()
	reader.Share(shared)
	for range 2 * alone.Groups() {
		group := r.IntN(alone.Groups())
		if err := alone.Read(group); err != nil {
			return err
		}
		if err := reader.Read(group); err != nil {
			return err
		}
		if !reflect.DeepEqual(valuesOf(one), valuesOf(another)) {
			return fmt.Errorf("row group %d, columns %q: the tables differ", group, columns)
		}
	}
	// What its owner writes into the table afterwards, no other reader sees.
	reader.Return()
	expect.Equal(t, schema.Rows(another), 0, "rows after the shared columns are returned")
	for range 1024 {
		another.Int, another.Bool = append(another.Int, -1), append(another.Bool, true)
	}
	return nil
}

// valuesOf are the columns of a table and its names. Columns without values are empty in the same way.
func valuesOf(t *fixtureTable) []any {
	v := []any{t.Names.Names()}
	for _, c := range t.Columns() {
		switch {
		case c.Ints != nil:
			v = append(v, slices.Concat(*c.Ints))
		case c.Codes != nil:
			v = append(v, slices.Concat(*c.Codes))
		case c.Enum != nil:
			v = append(v, slices.Concat(*c.Enum))
		default:
			v = append(v, slices.Concat(*c.Bools))
		}
	}
	return v
}
