package parquet

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// fractionRow is a row as tables of few rows have it, with fractions that may be missing, in both encodings.
type fractionRow struct {
	Plain float64  `parquet:"plain"`
	Null  *float64 `parquet:"null,optional"`
	Few   *float64 `parquet:"few,optional,dict"`
}

// fractions is the same table by columns.
type fractions struct{ plain, null, few []float64 }

func (f *fractions) Columns() []schema.Column {
	return []schema.Column{schema.Floats("plain", &f.plain), schema.Floats("null", &f.null), schema.Floats("few", &f.few)}
}

// TestFractions checks that columns of fractions have the values that were written row by row, to the bit.
func TestFractions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 1000, 70_000} {
		rows := make([]fractionRow, n)
		for i := range rows {
			rows[i].Plain = rng.NormFloat64()
			if v := rng.ExpFloat64(); rng.IntN(3) > 0 {
				rows[i].Null = &v
			}
			if v := float64(rng.IntN(5)) / 3; rng.IntN(2) > 0 {
				rows[i].Few = &v
			}
		}
		var b bytes.Buffer
		expect.OK(t, WriteRows(&b, rows))
		var f fractions
		r := expect.Value(NewReader("fractions", bytes.NewReader(b.Bytes()), &f))(t)
		at := 0
		for more := true; more; {
			more = expect.Value(r.Next())(t)
			for i := range f.plain {
				row := &rows[at]
				if f.plain[i] != row.Plain || !same(f.null[i], row.Null) || !same(f.few[i], row.Few) {
					t.Fatalf("row %d of %d: %v %v %v", at, n, f.plain[i], f.null[i], f.few[i])
				}
				at++
			}
		}
		expect.Equal(t, at, n, "rows")
	}
}

// same compares a fraction with one that may be missing, which is NaN.
func same(got float64, want *float64) bool {
	return want == nil && math.IsNaN(got) || want != nil && got == *want
}

// TestFractionsAreNotWritten checks that a table with fractions is refused by the writer of columns, which has no form for them.
func TestFractionsAreNotWritten(t *testing.T) {
	f := &fractions{[]float64{1}, []float64{2}, []float64{3}}
	if _, err := NewWriter(new(bytes.Buffer), f).Close(f); err == nil {
		t.Error("a table with fractions was written")
	}
}
