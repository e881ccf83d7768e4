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
		fields = append(fields, arrow.Field{Name: c.name, Type: arrowType(c.kind), Nullable: true})
	}
	s := arrow.NewSchema(fields, nil)
	w := ipc.NewWriter(out, ipc.WithSchema(s))
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	return errors.Join(writeBatches(w, b, r), w.Close())
}

// writeBatches writes the rows in batches, so that memory is bounded by a batch and not by the result.
func writeBatches(w *ipc.Writer, b *array.RecordBuilder, r *result) error {
	for {
		n, err := fillBatch(b, r)
		if err != nil || n == 0 {
			return err
		}
		batch := b.NewRecord()
		err = w.Write(batch)
		batch.Release()
		if err != nil {
			return err
		}
	}
}

// fillBatch appends up to a batch of rows and returns their number; 0 at the end of the result.
func fillBatch(b *array.RecordBuilder, r *result) (int, error) {
	for n := range batchRows {
		more, err := r.next()
		if err != nil || !more {
			return n, err
		}
		for i, v := range r.values {
			if err := appendArrow(b.Field(i), v, r.columns[i].kind); err != nil {
				return n, fmt.Errorf("column %s: %w", r.columns[i].name, err)
			}
		}
	}
	return batchRows, nil
}

var arrowTypes = map[string]arrow.DataType{
	"BOOLEAN": arrow.FixedWidthTypes.Boolean,
	"TINYINT": arrow.PrimitiveTypes.Int8, "SMALLINT": arrow.PrimitiveTypes.Int16,
	"INTEGER": arrow.PrimitiveTypes.Int32, "BIGINT": arrow.PrimitiveTypes.Int64,
	"UTINYINT": arrow.PrimitiveTypes.Uint8, "USMALLINT": arrow.PrimitiveTypes.Uint16,
	"UINTEGER": arrow.PrimitiveTypes.Uint32, "UBIGINT": arrow.PrimitiveTypes.Uint64,
	"FLOAT": arrow.PrimitiveTypes.Float32, "DOUBLE": arrow.PrimitiveTypes.Float64,
	"HUGEINT": &arrow.Decimal128Type{Precision: 38},
	"BLOB":    arrow.BinaryTypes.Binary, "DATE": arrow.FixedWidthTypes.Date32,
	"TIMESTAMP_S":  &arrow.TimestampType{Unit: arrow.Second},
	"TIMESTAMP_MS": &arrow.TimestampType{Unit: arrow.Millisecond},
	"TIMESTAMP":    &arrow.TimestampType{Unit: arrow.Microsecond},
	"TIMESTAMP_NS": &arrow.TimestampType{Unit: arrow.Nanosecond},
	// DuckDB's time with a zone is an instant.
	"TIMESTAMPTZ":              &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	"TIMESTAMP WITH TIME ZONE": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
}

// arrowType returns the Arrow type for a type of DuckDB; text where Arrow has no simple counterpart.
func arrowType(kind string) arrow.DataType {
	if t, ok := arrowTypes[kind]; ok {
		return t
	}
	var precision, scale int32
	if n, _ := fmt.Sscanf(kind, "DECIMAL(%d,%d)", &precision, &scale); n == 2 {
		return &arrow.Decimal128Type{Precision: precision, Scale: scale}
	}
	return arrow.BinaryTypes.String
}

// appendArrow appends one value. The driver decides the Go type of a value, the kind of the column the type of its builder;
// where they do not fit the error names both.
func appendArrow(b array.Builder, v any, kind string) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		return appendAs(b.Append, v)
	case *array.StringBuilder:
		b.Append(string(appendText(nil, v, kind)))
		return nil
	case *array.Float64Builder:
		return appendAs(b.Append, v)
	case *array.BooleanBuilder:
		return appendAs(b.Append, v)
	case *array.Decimal128Builder:
		return appendDecimal(b, v)
	case *array.TimestampBuilder:
		return appendTime(b, v)
	case *array.Date32Builder:
		return appendAs(func(t time.Time) { b.Append(arrow.Date32FromTime(t)) }, v)
	case *array.BinaryBuilder:
		return appendAs(b.Append, v)
	}
	return appendSmall(b, v)
}

// appendSmall appends the numbers that are seldom met.
func appendSmall(b array.Builder, v any) error {
	switch b := b.(type) {
	case *array.Int8Builder:
		return appendAs(b.Append, v)
	case *array.Int16Builder:
		return appendAs(b.Append, v)
	case *array.Int32Builder:
		return appendAs(b.Append, v)
	case *array.Uint8Builder:
		return appendAs(b.Append, v)
	case *array.Uint16Builder:
		return appendAs(b.Append, v)
	case *array.Uint32Builder:
		return appendAs(b.Append, v)
	case *array.Uint64Builder:
		return appendAs(b.Append, v)
	case *array.Float32Builder:
		return appendAs(b.Append, v)
	}
	return fmt.Errorf("no Arrow column %v for a value of type %T", b.Type(), v)
}

// appendAs appends a value whose Go type is the one that the builder takes.
func appendAs[T any](add func(T), v any) error {
	t, ok := v.(T)
	if !ok {
		return fmt.Errorf("a value of type %T, not %T", v, t)
	}
	add(t)
	return nil
}

// appendDecimal appends a DECIMAL or a HUGEINT, which DuckDB keeps in 128 bits; Arrow has one bit for the sign.
func appendDecimal(b *array.Decimal128Builder, v any) error {
	n, _ := v.(*big.Int)
	if d, ok := v.(duckDecimal); ok {
		n = d.Value
	}
	if n == nil || n.BitLen() > 127 {
		return fmt.Errorf("%v does not fit into 128 bits", v)
	}
	b.Append(decimal128.FromBigInt(n))
	return nil
}

// appendTime appends a time in the unit of the column.
func appendTime(b *array.TimestampBuilder, v any) error {
	t, ok := v.(time.Time)
	if !ok {
		return fmt.Errorf("a value of type %T, not a time", v)
	}
	stamp, err := arrow.TimestampFromTime(t, b.Type().(*arrow.TimestampType).Unit)
	if err == nil {
		b.Append(stamp)
	}
	return err
}
