// Package sql answers questions about a lake with DuckDB: one documented view for every table, derived
// views and macros, and named queries, over the Parquet files that a catalog names. Results are written
// as an aligned table, CSV, JSON, Parquet or an Arrow stream.
//
// The words of views and columns are those of package schema; README.md shows tables, views, macros and named queries and
// explains how to add one. This package alone imports the driver of DuckDB.
//
// No stage depends on this package. DuckDB materialises a result before the first row is read, within
// Options.MemoryBytes; only Parquet output streams through a file instead.
package sql
