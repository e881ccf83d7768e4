package sql

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/parquet-go/parquet-go"

	"github.com/tracelake/tracelake/testdata/expect"
)

// gallery has a value of every type, then nulls.
const gallery = `WITH one AS (SELECT 9007199254740993 AS b, 5::TINYINT AS t, 6::USMALLINT AS us, 7::UINTEGER AS ui, 3::SMALLINT AS si, 8::UTINYINT AS ut,
	2::INTEGER AS i, 18446744073709551615::UBIGINT AS ub, 170141183460469231731687303715884105727::HUGEINT AS h, 1.50::DECIMAL(9,2) AS dec,
	0.1::DOUBLE AS d, 1.5::FLOAT AS f, true AS yes, 'a "b", <c>' || chr(10) || 'ü' AS s, DATE '2024-02-29' AS day, TIME '01:02:03.5' AS clock,
	TIMESTAMP '2024-02-29 01:02:03.000004' AS ts, TIMESTAMP_NS '2024-02-29 01:02:03.000000004' AS tns, TIMESTAMP_MS '2024-02-29 01:02:03.004' AS tms,
	TIMESTAMPTZ '2024-02-29 01:02:03+00' AS tz, '\xAA\x01'::BLOB AS raw, UUID '00112233-4455-6677-8899-aabbccddeeff' AS id,
	[1, NULL, 3] AS list, {'x': 1, 'y': 'z'} AS struct, MAP {'k': 1.5::DOUBLE, 'a': NULL} AS map, INTERVAL '1 month 2 days 3.5 seconds' AS wait,
	'{"j": [1]}'::JSON AS js, 'red'::ENUM('red') AS e)
	SELECT * FROM one UNION ALL SELECT n.* FROM (SELECT 1) LEFT JOIN one n ON false ORDER BY b NULLS LAST`

func TestGallery(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	for _, f := range []Format{Table, CSV, JSON} {
		golden(t, "gallery."+string(f), query(t, db, gallery, f))
	}
}

func TestCSVReadsBack(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	got, err := csv.NewReader(strings.NewReader(query(t, db, gallery, CSV))).ReadAll()
	if err != nil || len(got) != 3 || len(got[0]) != 28 {
		t.Fatalf("%d records: %v", len(got), err)
	}
	if got[1][0] != "9007199254740993" || got[1][13] != "a \"b\", <c>\nü" || strings.Join(got[2], "") != "" {
		t.Errorf("got %q", got[1:])
	}
}

func TestJSONReadsBack(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	text := query(t, db, gallery, JSON)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var rows []map[string]any
	if err := d.Decode(&rows); err != nil || len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	want := map[string]any{"b": json.Number("9007199254740993"), "h": json.Number("170141183460469231731687303715884105727"),
		"s": "a \"b\", <c>\nü", "ts": "2024-02-29T01:02:03.000004", "day": "2024-02-29", "yes": true,
		"map": map[string]any{"k": json.Number("1.5"), "a": nil}, "list": []any{json.Number("1"), nil, json.Number("3")}}
	for k, v := range want {
		if !reflect.DeepEqual(rows[0][k], v) || rows[1][k] != nil {
			t.Errorf("%s: %#v, %#v", k, rows[0][k], rows[1][k])
		}
	}
	expect.Equal(t, len(strings.Split(text, "\n")), 5, "lines")
	expect.Equal(t, query(t, db, "SELECT 'nan'::DOUBLE AS a, 'inf'::DOUBLE AS a", JSON), "[\n{\"a\":null,\"a_1\":null}\n]\n", "numbers without JSON")
	expect.Equal(t, query(t, db, "SELECT 1 WHERE false", JSON), "[\n]\n", "no rows")
}

func TestArrowReadsBack(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	r := expect.Value(ipc.NewReader(strings.NewReader(query(t, db, gallery, Arrow))))(t)
	defer r.Release()
	if !r.Next() {
		t.Fatal(r.Err())
	}
	rec := r.Record()
	want := map[string][2]string{"b": {"int64", "9007199254740993"}, "i": {"int32", "2"}, "ub": {"uint64", "18446744073709551615"},
		"dec": {"decimal(9, 2)", "1.5"}, "d": {"float64", "0.1"},
		"yes": {"bool", "true"}, "s": {"utf8", "a \"b\", <c>\nü"}, "day": {"date32", "2024-02-29"}, "raw": {"binary", "qgE="},
		"ts": {"timestamp[us]", "2024-02-29 01:02:03.000004Z"}, "tns": {"timestamp[ns]", "2024-02-29 01:02:03.000000004Z"},
		"tms": {"timestamp[ms]", "2024-02-29 01:02:03.004Z"}, "tz": {"timestamp[us, tz=UTC]", "2024-02-29 01:02:03Z"},
		"map": {"utf8", `{"a":null,"k":1.5}`}, "id": {"utf8", "00112233-4455-6677-8899-aabbccddeeff"}, "e": {"utf8", "red"}}
	for i, f := range rec.Schema().Fields() {
		c := rec.Column(i)
		if w, ok := want[f.Name]; ok && (fmt.Sprint(f.Type) != w[0] || c.ValueStr(0) != w[1]) {
			t.Errorf("%s: %v %s", f.Name, f.Type, c.ValueStr(0))
		}
		if rec.NumRows() != 2 || !c.IsNull(1) {
			t.Errorf("%s: the second of %d rows is not null", f.Name, rec.NumRows())
		}
	}
	huge := rec.Column(rec.Schema().FieldIndices("h")[0]).(*array.Decimal128).Value(0)
	expect.Equal(t, huge.BigInt().String(), "170141183460469231731687303715884105727", "huge integer")
	if r.Next() || r.Err() != nil {
		t.Errorf("more than one batch, or %v", r.Err())
	}
}

func TestArrowBatches(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	r := expect.Value(ipc.NewReader(strings.NewReader(query(t, db, "SELECT range AS n FROM range(100000)", Arrow))))(t)
	defer r.Release()
	var rows []int64
	sum := int64(0)
	for r.Next() {
		rows = append(rows, r.Record().NumRows())
		for _, n := range r.Record().Column(0).(*array.Int64).Int64Values() {
			sum += n
		}
	}
	if !reflect.DeepEqual(rows, []int64{batchRows, 100000 - batchRows}) || sum != 4999950000 || r.Err() != nil {
		t.Errorf("batches %v, sum %d, %v", rows, sum, r.Err())
	}
	empty, err := ipc.NewReader(strings.NewReader(query(t, db, "SELECT 1::BIGINT AS n WHERE false", Arrow)))
	if err != nil || empty.Next() || empty.Schema().Field(0).Type.ID() != arrow.INT64 {
		t.Errorf("an empty result has no schema: %v", err)
	}
}

func TestParquetReadsBack(t *testing.T) {
	db := openLake(t, tinyLake(t), Options{})
	for q, want := range map[string]int64{
		"SELECT * FROM events -- all": 12, "DESCRIBE runs": 12, "CREATE TEMP TABLE x AS SELECT 1 AS a; SELECT a FROM x;": 1,
	} {
		text := query(t, db, q, Parquet)
		f, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
		if err != nil || f.NumRows() != want {
			t.Errorf("%s: %v", q, err)
		}
	}
}

func TestTableGrowsBeyondItsSample(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	got := query(t, db, fmt.Sprintf("SELECT 10 ** (range // %d) AS n FROM range(%d)", sampledRows, sampledRows+1), Table)
	lines := strings.Split(got, "\n")
	if len(lines) != sampledRows+5 || lines[sampledRows+2] != "10" || lines[sampledRows+3] != fmt.Sprintf("(%d rows)", sampledRows+1) {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-3:])
	}
}

func TestTableCutsCells(t *testing.T) {
	db := openLake(t, Catalog{}, Options{CellRunes: 5})
	got := query(t, db, "SELECT 'abcdef' AS s, 123 AS n UNION ALL SELECT '日本', 4 UNION ALL SELECT 'e' || chr(769) || chr(9), 5 ORDER BY n DESC", Table)
	want := "s        n\n-----  ---\nabcd…  123\ne\u0301\\t      5\n日本     4\n(3 rows)\n"
	expect.Equal(t, got, want, "table")
	if plan := query(t, db, "EXPLAIN SELECT 1", Table); !strings.Contains(plan, "PROJECTION") || strings.Contains(plan, "row)\n(") {
		t.Errorf("got\n%s", plan)
	}
}

func TestWriteErrorIsReported(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	for _, f := range Formats {
		if err := db.Query(t.Context(), failing{}, "SELECT * FROM range(100000)", f); err == nil {
			t.Errorf("%s: the full disk went unnoticed", f)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }
