package parquet

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCodec holds that values are compressed where that pays, that the first row group decides it for all, also for columns that
// become equal behind it, and that what was written is read.
func TestCodec(t *testing.T) {
	const rows = 1 << 15
	rng := rand.New(rand.NewSource(1))
	table := schema.NewEvents()
	schema.Extend(table, 2*rows)
	for i := range 2 * rows {
		for _, c := range table.Columns() {
			if c.Codes != nil {
				(*c.Codes)[i] = c.Dict.Code(string(rune('a' + rng.Intn(26))))
			}
		}
		table.Function[i] = table.Names.Functions.Code(string(rune('a' + i/10%26)))
		table.Seq[i], table.TimeNs[i] = rng.Int63n(1<<40), int64(i/1000%2)<<40
		// Every second block of 128 differences is the same, which leaves out a quarter of what is probed.
		table.MessageID[i] = rng.Int63n(1 << 32)
		if i > 0 && (i-1)/128%2 == 0 {
			table.MessageID[i] = int64((i-1)%128+7) << 41 % (1<<32 - 5)
		}
		if i > 0 {
			table.MessageID[i] += table.MessageID[i-1]
		}
		if i >= rows { // now the other way round
			table.Seq[i], table.TimeNs[i] = int64(i), rng.Int63n(1<<40)
			// Component was no twin of the peer before, and lies in the same dictionary.
			table.Component[i] = table.Names.Components.Code("a")
			if i%2 == 0 {
				table.Component[i] = table.Names.Components.Code("b")
			}
			table.Peer[i] = table.Component[i]
		} else {
			table.Peer[i] = table.Names.Components.Code(string(rune('a' + i/10%26)))
		}
	}
	want := schema.NewEvents()
	want.Names = table.Names
	schema.AppendRows(want, table, 0, 2*rows)
	var file bytes.Buffer
	w := NewWriter(&file, table)
	w.GroupRows = rows
	expect.OK(t, w.WriteFull(table))
	expect.Value(w.Close(table))(t)
	expect.Equal(t, len(w.groups), 2, "row groups")
	codecs := map[string]format.CompressionCodec{
		"seq": format.Uncompressed, "time_ns": format.Zstd, "message_id": format.Uncompressed, "function": format.Zstd, "component": format.Uncompressed, "peer": format.Zstd,
	}
	for group := range w.groups {
		for _, c := range w.groups[group].Columns {
			if codec, ok := codecs[c.MetaData.PathInSchema[0]]; ok {
				expect.Equal(t, c.MetaData.Codec, codec, "codec of %s in row group %d", c.MetaData.PathInSchema[0], group)
			}
		}
	}
	in := schema.NewEvents()
	in.Names = table.Names
	r := expect.Value(NewReader("t", bytes.NewReader(file.Bytes()), in))(t)
	for group := range w.groups {
		expect.OK(t, r.Read(group))
		for i := range in.Seq {
			at := group*rows + i
			if in.Seq[i] != want.Seq[at] || in.TimeNs[i] != want.TimeNs[at] || in.Component[i] != want.Component[at] ||
				in.Peer[i] != want.Peer[at] || in.MessageID[i] != want.MessageID[at] || in.Function[i] != want.Function[at] {
				t.Fatalf("row %d was read as another one", at)
			}
		}
	}
}
