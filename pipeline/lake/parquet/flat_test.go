package parquet

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

type flatRow struct {
	Text     string   `parquet:"text,dict"`
	NullText string   `parquet:"null_text,optional,dict"`
	Int      int64    `parquet:"int"`
	NullInt  *int64   `parquet:"null_int,optional"`
	Part     float64  `parquet:"part"`
	NullPart *float64 `parquet:"null_part,optional"`
	Truth    bool     `parquet:"truth"`
}

// TestFlatRows reads rows of every kind of field by columns and value by value: both give what was written, whatever is missing.
func TestFlatRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 300, 5000} {
		rows := make([]flatRow, n)
		for i := range rows {
			r := &rows[i]
			r.Text, r.Int, r.Part, r.Truth = strconv.Itoa(rng.IntN(9)), rng.Int64()-rng.Int64(), rng.NormFloat64(), rng.IntN(2) == 0
			if n > 1 && rng.IntN(3) > 0 {
				v, p := rng.Int64N(3), rng.NormFloat64()
				r.NullText, r.NullInt, r.NullPart = strconv.Itoa(i), &v, &p
			}
		}
		var b bytes.Buffer
		expect.OK(t, WriteRows(&b, Key{Name: "run", Value: "a"}, rows))
		file := bytes.NewReader(b.Bytes())
		r := &Reader{name: "rows", file: file}
		byColumn, flat, err := readAllFlat[flatRow](r)
		expect.OK(t, err)
		expect.Equal(t, flat, true, "%d rows are read by columns", n)
		byValue := make([]flatRow, 0, n)
		expect.OK(t, ReadEach("rows", file, func(r *flatRow) { byValue = append(byValue, *r) }))
		expect.Equal(t, len(byColumn), n, "rows")
		if n > 0 && (!reflect.DeepEqual(byColumn, rows) || !reflect.DeepEqual(byValue, rows)) {
			t.Errorf("%d rows differ from those that were written", n)
		}
	}
}

// TestFlatRefuses keeps rows that the decoder does not fill for the library.
func TestFlatRefuses(t *testing.T) {
	type list struct {
		Text string  `parquet:"text,dict"`
		Many []int64 `parquet:"many"`
	}
	var b bytes.Buffer
	expect.OK(t, WriteRows(&b, Key{}, []list{{"a", []int64{1, 2}}, {"b", nil}}))
	_, flat, err := readAllFlat[list](&Reader{name: "rows", file: bytes.NewReader(b.Bytes())})
	expect.OK(t, err)
	expect.Equal(t, flat, false, "a list is flat")
	rows := expect.Value(ReadRows[list]("rows", bytes.NewReader(b.Bytes())))(t)
	expect.Equal(t, len(rows[0].Many), 2, "elements")
}
