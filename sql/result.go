package sql

import "database/sql"

// column is a column of a result.
type column struct {
	name string
	kind string // DuckDB's name of its type
}

// numeric reports whether values stand at the right of a column of text.
func (c column) numeric() bool {
	switch c.kind {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
		"UBIGINT", "FLOAT", "DOUBLE":
		return true
	}
	return isDecimal(c.kind)
}

// result reads rows one at a time into values, which the next row overwrites.
type result struct {
	rows    *sql.Rows
	columns []column
	values  []any
	targets []any // pointers to values
	err     error // why next returned false before the end
}

// newResult prepares to read rows. DuckDB has the whole result by now, within its memory limit or on disk.
func newResult(rows *sql.Rows) (*result, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	r := &result{rows: rows, values: make([]any, len(types)), targets: make([]any, len(types))}
	for i, t := range types {
		r.columns = append(r.columns, column{name: t.Name(), kind: t.DatabaseTypeName()})
		r.targets[i] = &r.values[i]
	}
	return r, nil
}

// next reads a row and reports whether there was one. After the last row, and after a fault, it returns false; the caller
// then looks at err.
func (r *result) next() bool {
	if !r.rows.Next() {
		r.err = r.rows.Err()
		return false
	}
	r.err = r.rows.Scan(r.targets...)
	return r.err == nil
}
