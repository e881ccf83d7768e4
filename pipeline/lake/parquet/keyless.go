package parquet

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// keyless is a file whose footer does not name the key column. Reading rows that have no such field, parquet-go would look at every
// value of the others twice.
type keyless struct {
	Source
	offset int64  // of the footer
	footer []byte // up to the end of the file
}

// Size implements Source.
func (k *keyless) Size() int64 { return k.offset + int64(len(k.footer)) }

// ReadAt implements io.ReaderAt.
func (k *keyless) ReadAt(p []byte, offset int64) (n int, err error) {
	if offset < k.offset {
		n, err = k.Source.ReadAt(p[:min(int64(len(p)), k.offset-offset)], offset)
		if err != nil || n == len(p) {
			return n, err
		}
	}
	m, err := bytes.NewReader(k.footer).ReadAt(p[n:], offset+int64(n)-k.offset)
	return n + m, err
}

// withoutKey returns a file as readers of rows T are to see it: without the key, where a T has no field for it. The footer, which is
// whole, is at the offset.
func withoutKey[T any](file Source, whole *format.FileMetaData, offset int64) (Source, error) {
	last := len(whole.Schema) - 1
	if last < 1 || whole.Schema[last].FieldID != schema.KeyID || hasColumn[T](whole.Schema[last].Name) {
		return file, nil
	}
	whole.Schema[0].NumChildren = thrift.New(whole.Schema[0].NumChildren.V - 1)
	whole.Schema = whole.Schema[:last]
	if n := len(whole.ColumnOrders); n > 0 {
		whole.ColumnOrders = whole.ColumnOrders[:n-1]
	}
	for i := range whole.RowGroups {
		if g := &whole.RowGroups[i]; len(g.Columns) > 0 {
			g.Columns = g.Columns[:len(g.Columns)-1]
		}
	}
	b, err := thrift.Marshal(&compact, whole)
	if err != nil {
		return nil, err
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)))
	return &keyless{file, offset, append(b, magic...)}, nil
}

// hasColumn reports whether rows T have a field for a column.
func hasColumn[T any](name string) bool {
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		if of, _, _ := strings.Cut(row.Field(i).Tag.Get("parquet"), ","); of == name {
			return true
		}
	}
	return false
}
