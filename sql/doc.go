// Package sql answers questions about a lake with DuckDB: one documented view for every table, derived
// views and macros, and named queries, over the Parquet files that a catalog names. Results are written
// as an aligned table, CSV, JSON, Parquet or an Arrow stream.
//
// No stage depends on this package. DuckDB materialises a result before the first row is read, within
// Options.MemoryBytes; only Parquet output streams through a file instead.
package sql
