package sql

import (
	"context"
	"database/sql"
	"database/sql/driver"

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

// connect starts a database in memory.
func connect(o Options, tempDir string) (*sql.DB, error) {
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
