package parquet

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestFlatRowsAsLibrary writes rows of every kind of field by columns and by the library, more than a row group of them and some of the rarest values. A
// reader of rows finds the same in both files, and in their schemas the same columns, numbers and nulls.
func TestFlatRowsAsLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	least, nan := int64(math.MinInt64), math.NaN()
	for _, n := range []int{0, 1, 1000, flatGroupRows, 2*flatGroupRows + 77} {
		rows := make([]flatRow, n)
		for i := range rows {
			r := &rows[i]
			r.Int, r.Part, r.Truth = rng.Int64N(1000), rng.NormFloat64(), rng.IntN(2) == 0
			switch rng.IntN(4) {
			case 0:
				r.Text, r.NullText = "one", "two"
			case 1:
				r.Int, r.NullInt, r.Part, r.NullPart = least, &least, nan, &nan
			case 2:
				v, p := rng.Int64N(9), rng.NormFloat64()
				r.Text, r.NullInt, r.NullPart = fmt.Sprint(i), &v, &p
			}
		}
		var own, library bytes.Buffer
		expect.OK(t, WriteRows(&own, Key{}, rows))
		expect.OK(t, parquet.Write(&library, rows))
		want, got := rowsOf(t, library.Bytes()), rowsOf(t, own.Bytes())
		expect.Equal(t, len(got), n, "rows")
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("row %d of %d is %s, by the library %s", i, n, got[i], want[i])
			}
		}
		expect.Equal(t, columnsOf(t, own.Bytes()), columnsOf(t, library.Bytes()), "columns")
	}
}

// rowsOf returns the rows of a file in words, as the library reads them.
func rowsOf(t *testing.T, file []byte) (words []string) {
	t.Helper()
	rows := expect.Value(parquet.Read[flatRow](bytes.NewReader(file), int64(len(file))))(t)
	for _, r := range rows {
		text := fmt.Sprintf("%q %q %d %v %t", r.Text, r.NullText, r.Int, r.Part, r.Truth)
		if r.NullInt != nil {
			text += fmt.Sprint(" int ", *r.NullInt)
		}
		if r.NullPart != nil {
			text += fmt.Sprint(" part ", *r.NullPart)
		}
		words = append(words, text)
	}
	return words
}

// columnsOf lists the names of the columns of a file, their field ids and whether they have nulls.
func columnsOf(t *testing.T, file []byte) (columns string) {
	t.Helper()
	f := expect.Value(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
	for _, e := range f.Metadata().Schema[1:] {
		columns += fmt.Sprintln(e.Name, e.FieldID, e.Type.V, e.RepetitionType.V)
	}
	return columns
}

// TestFlatFields leaves rows to the library that have a field with an encoding of its own.
func TestFlatFields(t *testing.T) {
	type plain struct {
		Number int64 `parquet:"number,delta"`
	}
	var b bytes.Buffer
	expect.OK(t, WriteRows(&b, Key{}, []plain{{7}}))
	f := expect.Value(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	expect.Equal(t, f.Metadata().CreatedBy != createdBy, true, "the library writes it")
	expect.Equal(t, expect.Value(ReadRows[plain]("rows", bytes.NewReader(b.Bytes())))(t)[0].Number, int64(7), "its number")
}
