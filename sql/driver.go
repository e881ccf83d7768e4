package sql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	duckdb "github.com/marcboeker/go-duckdb/v2"
)

// What the driver returns beside the values of database/sql. This file is the only one that names
// the driver.
type (
	duckMap      = duckdb.Map
	duckDecimal  = duckdb.Decimal
	duckInterval = duckdb.Interval
	duckUnion    = duckdb.Union
)

// isOutOfMemory reports whether DuckDB gave up because what it keeps did not fit into its memory and could not be spilled.
func isOutOfMemory(err error) bool {
	var e *duckdb.Error
	return errors.As(err, &e) && e.Type == duckdb.ErrorTypeOutOfMemory
}

// isSelect reports whether DuckDB takes a text for one statement that selects rows. Files that it names are looked at, not read.
func isSelect(ctx context.Context, conn *sql.Conn, text string) (selects bool, err error) {
	err = conn.Raw(func(raw any) error {
		prepared, err := raw.(driver.ConnPrepareContext).PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		kind, err := prepared.(*duckdb.Stmt).StatementType()
		selects = kind == duckdb.STATEMENT_TYPE_SELECT
		return errors.Join(err, prepared.Close())
	})
	return selects, err
}

// connect starts a database in memory.
func connect(o Options, tempDir string) (*sql.DB, error) {
	giveBack(o.MemoryBytes)
	c, err := duckdb.NewConnector("", func(e driver.ExecerContext) error {
		for _, s := range settings(o, tempDir) {
			if _, err := e.ExecContext(context.Background(), s, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}
