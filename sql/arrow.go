package sql

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// batchRows is the number of rows of an Arrow record batch.
const batchRows = 64 << 10

// writeArrow writes an IPC stream. Lists, maps, structs, intervals and the like are text.
func writeArrow(out io.Writer, r *result) error {
	var fields []arrow.Field
	for _, c := range r.columns {
		fields = append(fields, arrow.Field{Name: c.name, Type: arrowColumnOf(c.kind).kind, Nullable: true})
	}
	s := arrow.NewSchema(fields, nil)
	w := ipc.NewWriter(out, ipc.WithSchema(s))
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	return errors.Join(writeBatches(w, b, r), w.Close())
}

// writeBatches writes the rows in batches, so that memory is bounded by a batch and not by the result.
func writeBatches(w *ipc.Writer, b *array.RecordBuilder, r *result) error {
	// The kind of a column decides how its values are appended: once for a column, not for every value.
	appenders := make([]appender, len(r.columns))
	for i, c := range r.columns {
		appenders[i] = arrowColumnOf(c.kind).append
	}
	n := 0
	for r.next() {
		for i, v := range r.values {
			if v == nil {
				b.Field(i).AppendNull()
			} else if err := appenders[i](b.Field(i), v); err != nil {
				return fmt.Errorf("column %s: %w", r.columns[i].name, err)
			}
		}
		if n++; n%batchRows == 0 {
			if err := writeBatch(w, b); err != nil {
				return err
			}
		}
	}
	if r.err != nil || n%batchRows == 0 {
		return r.err
	}
	return writeBatch(w, b)
}

// writeBatch writes the rows of a builder, which is empty then, and frees them.
func writeBatch(w *ipc.Writer, b *array.RecordBuilder) error {
	batch := b.NewRecord()
	defer batch.Release()
	return w.Write(batch)
}

// appender appends a value that is not null to the builder of its column. The driver decides the Go type of a value, the
// kind of the column that of its builder; where they do not fit the error names both.
type appender func(b array.Builder, v any) error

// arrowColumn is a type of Arrow with the way to append values of the driver to it.
type arrowColumn struct {
	kind   arrow.DataType
	append appender
}

// arrowColumns are the types of Arrow by the name of DuckDB's type. All others are text.
var arrowColumns = map[string]arrowColumn{
	"BOOLEAN":      {arrow.FixedWidthTypes.Boolean, appendAs[bool]},
	"TINYINT":      {arrow.PrimitiveTypes.Int8, appendAs[int8]},
	"SMALLINT":     {arrow.PrimitiveTypes.Int16, appendAs[int16]},
	"INTEGER":      {arrow.PrimitiveTypes.Int32, appendAs[int32]},
	"BIGINT":       {arrow.PrimitiveTypes.Int64, appendAs[int64]},
	"UTINYINT":     {arrow.PrimitiveTypes.Uint8, appendAs[uint8]},
	"USMALLINT":    {arrow.PrimitiveTypes.Uint16, appendAs[uint16]},
	"UINTEGER":     {arrow.PrimitiveTypes.Uint32, appendAs[uint32]},
	"UBIGINT":      {arrow.PrimitiveTypes.Uint64, appendAs[uint64]},
	"FLOAT":        {arrow.PrimitiveTypes.Float32, appendAs[float32]},
	"DOUBLE":       {arrow.PrimitiveTypes.Float64, appendAs[float64]},
	"HUGEINT":      {&arrow.Decimal128Type{Precision: 38}, appendDecimal},
	"BLOB":         {arrow.BinaryTypes.Binary, appendAs[[]byte]},
	"DATE":         {arrow.FixedWidthTypes.Date32, appendDate},
	"TIMESTAMP_S":  {&arrow.TimestampType{Unit: arrow.Second}, appendTime},
	"TIMESTAMP_MS": {&arrow.TimestampType{Unit: arrow.Millisecond}, appendTime},
	"TIMESTAMP":    {&arrow.TimestampType{Unit: arrow.Microsecond}, appendTime},
	"TIMESTAMP_NS": {&arrow.TimestampType{Unit: arrow.Nanosecond}, appendTime},
	// DuckDB's time with a zone is an instant.
	"TIMESTAMPTZ":              {&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, appendTime},
	"TIMESTAMP WITH TIME ZONE": {&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, appendTime},
}

// arrowColumnOf returns the Arrow type for a type of DuckDB; text where Arrow has no simple counterpart.
func arrowColumnOf(kind string) arrowColumn {
	if c, ok := arrowColumns[kind]; ok {
		return c
	}
	var precision, scale int32
	if n, _ := fmt.Sscanf(kind, "DECIMAL(%d,%d)", &precision, &scale); n == 2 {
		return arrowColumn{&arrow.Decimal128Type{Precision: precision, Scale: scale}, appendDecimal}
	}
	return arrowColumn{arrow.BinaryTypes.String, func(b array.Builder, v any) error {
		b.(*array.StringBuilder).Append(string(appendText(nil, v, kind)))
		return nil
	}}
}

// appendAs appends a value whose Go type is the one that the builder takes.
func appendAs[T any](b array.Builder, v any) error {
	value, ok := v.(T)
	if !ok {
		return fmt.Errorf("a value of type %T, not %T", v, value)
	}
	b.(interface{ Append(T) }).Append(value)
	return nil
}

// appendDecimal appends a DECIMAL or a HUGEINT, which DuckDB keeps in 128 bits; Arrow has one bit for the sign.
func appendDecimal(b array.Builder, v any) error {
	n, _ := v.(*big.Int)
	if d, ok := v.(duckDecimal); ok {
		n = d.Value
	}
	if n == nil || n.BitLen() > 127 {
		return fmt.Errorf("%v does not fit into 128 bits", v)
	}
	b.(*array.Decimal128Builder).Append(decimal128.FromBigInt(n))
	return nil
}

// appendDate appends a day. DuckDB's dates are times at midnight, UTC.
func appendDate(b array.Builder, v any) error {
	t, ok := v.(time.Time)
	if !ok {
		return fmt.Errorf("a value of type %T, not a date", v)
	}
	b.(*array.Date32Builder).Append(arrow.Date32FromTime(t))
	return nil
}

// appendTime appends a time in the unit of the column. A time that the unit cannot hold is an error, not another time.
func appendTime(b array.Builder, v any) error {
	t, ok := v.(time.Time)
	if !ok {
		return fmt.Errorf("a value of type %T, not a time", v)
	}
	stamp, err := arrow.TimestampFromTime(t, b.Type().(*arrow.TimestampType).Unit)
	if err == nil {
		b.(*array.TimestampBuilder).Append(stamp)
	}
	return err
}
