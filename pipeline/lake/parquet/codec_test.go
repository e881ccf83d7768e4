package parquet

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCodec holds that numbers are compressed where that pays, that the first row group decides it for all, and that names are
// compressed always.
func TestCodec(t *testing.T) {
	const rows = 1 << 15
	rng := rand.New(rand.NewSource(1))
	table := schema.NewEvents()
	schema.Extend(table, 2*rows)
	code := func(d *schema.Dictionary) schema.Code { return d.Code("a") }
	for i := range 2 * rows {
		table.Seq[i] = rng.Int63n(1 << 40)
		table.TimeNs[i] = int64(i/1000%2) << 40
		if i >= rows { // now the other way round
			table.Seq[i], table.TimeNs[i] = int64(i), rng.Int63n(1<<40)
		}
		for _, c := range table.Columns() {
			if c.Codes != nil {
				(*c.Codes)[i] = code(c.Dict)
			}
		}
	}
	var file bytes.Buffer
	w := NewWriter(&file, table)
	w.GroupRows = rows
	expect.OK(t, w.WriteFull(table))
	expect.Value(w.Close(table))(t)
	want := map[string]format.CompressionCodec{"seq": format.Uncompressed, "time_ns": format.Zstd, "function": format.Zstd}
	for name, codec := range want {
		for group := range w.groups {
			for _, c := range w.groups[group].Columns {
				if c.MetaData.PathInSchema[0] == name {
					expect.Equal(t, c.MetaData.Codec, codec, "codec of %s in row group %d", name, group)
				}
			}
		}
	}
	expect.Equal(t, len(w.groups), 2, "row groups")
	in := schema.NewEvents()
	r := expect.Value(NewReader("t", bytes.NewReader(file.Bytes()), in))(t)
	expect.OK(t, r.Read(1))
	expect.Equal(t, in.Seq[5], int64(rows+5), "a number of the second row group")
}
