package parquet

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/marcboeker/go-duckdb/v2"

	"github.com/tracelake/tracelake/testdata/expect"
)

func openDuckDB(t *testing.T) *sql.DB {
	t.Helper()
	db := expect.Value(sql.Open("duckdb", ""))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// saveCopy writes copies of the table's rows, which leave it.
func saveCopy(t *testing.T, table *fixtureTable) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.parquet")
	f := expect.Value(os.Create(path))(t)
	defer f.Close()
	rows := &fixtureTable{Names: table.Names}
	rows.Append(table, 0, len(table.Int))
	expect.Value(NewWriter(f, rows).Close(rows))(t)
	return path
}

func TestDuckDBReads(t *testing.T) {
	if testing.Short() {
		t.Skip("another program reads what one writer wrote")
	}
	db := openDuckDB(t)
	for _, f := range fixtures(RowGroupRows + 1017) {
		t.Run(f.Name, func(t *testing.T) {
			path := saveCopy(t, f.Table)
			got := queryRows(t, db, "SELECT * FROM read_parquet('"+path+"')")
			expect.Equal(t, firstDifference(got, f.Table.Rows()), "", "rows")
			checkTypes(t, db, path)
			checkStatistics(t, db, path, f.Table.Rows())
		})
	}
}

func queryRows(t *testing.T, db *sql.DB, q string) []fixtureRow {
	t.Helper()
	rows := expect.Value(db.Query(q))(t)
	defer rows.Close()
	var all []fixtureRow
	for rows.Next() {
		var r fixtureRow
		expect.OK(t, rows.Scan(&r.Int, &r.NullInt, &r.Name, &r.NullName, &r.Enum, &r.NullEnum, &r.Bool))
		all = append(all, r)
	}
	expect.OK(t, rows.Err())
	return all
}

func checkTypes(t *testing.T, db *sql.DB, path string) {
	t.Helper()
	var got string
	expect.OK(t, db.QueryRow("SELECT string_agg(column_type, ' ') FROM (DESCRIBE SELECT * FROM read_parquet('"+path+"'))").Scan(&got))
	expect.Equal(t, got, "BIGINT BIGINT VARCHAR VARCHAR VARCHAR VARCHAR BOOLEAN", "types")
}

// checkStatistics compares the bounds and null counts of every chunk with its rows.
func checkStatistics(t *testing.T, db *sql.DB, path string, all []fixtureRow) {
	t.Helper()
	rows := expect.Value(db.Query("SELECT row_group_id, column_id, stats_min_value, stats_max_value, stats_null_count " +
		"FROM parquet_metadata('" + path + "')"))(t)
	defer rows.Close()
	chunks := 0
	for ; rows.Next(); chunks++ {
		var group, column, nulls int
		var lo, hi sql.NullString
		expect.OK(t, rows.Scan(&group, &column, &lo, &hi, &nulls))
		part := all[group*RowGroupRows : min(len(all), (group+1)*RowGroupRows)]
		got := fmt.Sprint(boundText(lo), boundText(hi), nulls)
		expect.Equal(t, got, expectedStatistics(part, column), "group %d, column %d", group, column)
	}
	groups := (len(all) + RowGroupRows - 1) / RowGroupRows
	expect.Equal(t, chunks, 7*groups, "chunks")
}

// boundText is a bound as text, in which DuckDB shows a zero byte as \x00.
func boundText(s sql.NullString) string {
	if !s.Valid {
		return "none "
	}
	return s.String + " "
}

// expectedStatistics are bounds and null count of a column in the form of checkStatistics.
func expectedStatistics(rows []fixtureRow, column int) string {
	var ints []int64
	var names []string
	for _, r := range rows {
		switch column {
		case 0:
			ints = append(ints, r.Int)
		case 1:
			if r.NullInt != nil {
				ints = append(ints, *r.NullInt)
			}
		case 6:
			names = append(names, fmt.Sprint(r.Bool))
		default:
			p := []*string{2: &r.Name, 3: r.NullName, 4: &r.Enum, 5: r.NullEnum}[column]
			if p != nil {
				names = append(names, strings.ReplaceAll(*p, "\x00", "\\x00"))
			}
		}
	}
	nulls := len(rows) - len(ints) - len(names)
	switch {
	case len(ints) > 0:
		return fmt.Sprint(slices.Min(ints), " ", slices.Max(ints), " ", nulls)
	case len(names) > 0:
		return fmt.Sprint(slices.Min(names)+" ", slices.Max(names)+" ", nulls)
	default:
		return fmt.Sprint("none ", "none ", nulls)
	}
}

// TestDuckDBWrites reads what DuckDB writes, where every column is nullable, in both versions of Parquet
// and in codecs and encodings that only parquet-go decodes.
func TestDuckDBWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("another program writes what one reader reads")
	}
	db := openDuckDB(t)
	to := filepath.Join(t.TempDir(), "duckdb.parquet")
	for _, f := range fixtures(10_000) {
		from, want := saveCopy(t, f.Table), f.Table.Rows()
		for _, options := range []string{
			"PARQUET_VERSION V1", "PARQUET_VERSION V2", "PARQUET_VERSION V2, COMPRESSION zstd",
			"COMPRESSION uncompressed", "COMPRESSION gzip", "DICTIONARY_SIZE_LIMIT 1, PARQUET_VERSION V2",
			"DICTIONARY_SIZE_LIMIT 1", "ROW_GROUP_SIZE 3000",
		} {
			expect.Value(db.Exec(fmt.Sprintf("COPY (FROM read_parquet('%s')) TO '%s' (FORMAT parquet, %s)", from, to, options)))(t)
			got, err := readAll(to)
			if err != nil {
				t.Fatalf("%s: %s: %v", options, f.Name, err)
			}
			expect.Equal(t, firstDifference(got.Rows(), want), "", "%s: %s", options, f.Name)
		}
	}
}

// TestDuckDBNarrowInts reads INTEGER columns into 64 bits.
func TestDuckDBNarrowInts(t *testing.T) {
	db := openDuckDB(t)
	path := filepath.Join(t.TempDir(), "narrow.parquet")
	q := "COPY (SELECT i::INTEGER AS int, CASE WHEN i % 3 = 0 THEN NULL ELSE -i::INTEGER END AS null_int FROM range(5000) t(i)) TO '" + path + "'"
	expect.Value(db.Exec(q))(t)
	table := newFixtureTable()
	r := expect.Value(openFile(path, table, "int", "null_int"))(t)
	defer r.Close()
	if more, err := r.Next(); err != nil || !more {
		t.Fatal(more, err)
	}
	if len(table.Int) != 5000 || table.Int[4999] != 4999 || table.NullInt[4999] != -4999 || table.NullInt[0] >= 0 {
		t.Errorf("%d values, %v", len(table.Int), table.NullInt[:3])
	}
}
