package parquet

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// keyedOutput puts the key column into a file that parquet-go writes, which knows the columns of a row only. The row groups pass as
// they are. What follows them, the page index and the footer, is kept and written anew with the chunks of the key.
type keyedOutput struct {
	out  io.Writer
	key  Key
	base int64         // bytes that went to out: the row groups
	tail *bytes.Buffer // what follows the row groups; nil while they are written
}

// Write implements io.Writer.
func (o *keyedOutput) Write(p []byte) (int, error) {
	if o.tail != nil {
		return o.tail.Write(p)
	}
	n, err := o.out.Write(p)
	o.base += int64(n)
	return n, err
}

// finish completes the file, after the library has written its footer.
func (o *keyedOutput) finish() error {
	tail := o.tail.Bytes()
	var meta format.FileMetaData
	end := len(tail) - len(magic) - 4
	if _, err := unmarshal(tail[end-int(binary.LittleEndian.Uint32(tail[end:])):end], &meta); err != nil {
		return err
	}
	w := &Writer{out: o.out, offset: o.base}
	if o.base == 0 { // a file without rows
		if err := w.write([]byte(magic)); err != nil {
			return err
		}
	}
	pages, err := w.writeKey(o.key, meta.RowGroups)
	if err != nil {
		return err
	}
	if err := o.writeIndexes(w, meta.RowGroups, pages); err != nil {
		return err
	}
	meta.Schema[0].NumChildren = thrift.New(meta.Schema[0].NumChildren.V + 1)
	meta.Schema = append(meta.Schema, o.key.element())
	meta.ColumnOrders = append(meta.ColumnOrders, typeOrder)
	return w.writeMetadata(&meta)
}

// writeKey writes the chunks of the key of all row groups one behind the other, adds them to the row groups, and returns the length of
// each one's data page.
func (w *Writer) writeKey(k Key, groups []format.RowGroup) (pages []int32, err error) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.begin(w.offset)
	for i := range groups {
		if err := e.keyChunk(k, int(groups[i].NumRows)); err != nil {
			return nil, err
		}
		e.addChunk(&groups[i])
		pages = append(pages, e.dataPageSize)
	}
	return pages, w.write(e.out)
}

// writeIndexes writes the column indexes and then the offset indexes of all chunks. Those of the library's chunks are copied.
func (o *keyedOutput) writeIndexes(w *Writer, groups []format.RowGroup, pages []int32) error {
	tail := o.tail.Bytes()
	copyOf := func(offset *int64, length int32) error {
		index := tail[*offset-o.base:][:length]
		*offset = w.offset
		return w.write(index)
	}
	for _, g := range groups {
		last := len(g.Columns) - 1
		for j := range g.Columns[:last] {
			if err := copyOf(&g.Columns[j].ColumnIndexOffset, g.Columns[j].ColumnIndexLength); err != nil {
				return err
			}
		}
		if err := w.writeColumnIndex(&g.Columns[last], g.NumRows); err != nil {
			return err
		}
	}
	for i, g := range groups {
		last := len(g.Columns) - 1
		for j := range g.Columns[:last] {
			if err := copyOf(&g.Columns[j].OffsetIndexOffset, g.Columns[j].OffsetIndexLength); err != nil {
				return err
			}
		}
		if err := w.writeOffsetIndex(&g.Columns[last], pages[i]); err != nil {
			return err
		}
	}
	return nil
}
