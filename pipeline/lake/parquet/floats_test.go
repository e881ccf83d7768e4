package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/format"
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
		expect.OK(t, WriteRows(&b, Key{}, rows))
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

// TestFractionsAreWritten checks that tables with fractions are read as they were written, by this package and by another one.
func TestFractionsAreWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	otherNaN := math.Float64frombits(0xfff8000000000001)
	for _, n := range []int{0, 1, 8, 1000, 70_000} {
		var f fractions
		for range n {
			f.plain = append(f.plain, rng.NormFloat64())
			f.null = append(f.null, []float64{otherNaN, math.NaN(), rng.ExpFloat64(), math.Copysign(0, -1)}[rng.IntN(4)])
			f.few = append(f.few, math.NaN())
		}
		want := fractions{slices.Clone(f.plain), slices.Clone(f.null), slices.Clone(f.few)}
		var b bytes.Buffer
		expect.Value(NewWriter(&b, &f).Close(&f))(t)
		rows := expect.Value(ReadRows[fractionRow]("fractions", bytes.NewReader(b.Bytes())))(t)
		var got fractions
		r := expect.Value(NewReader("fractions", bytes.NewReader(b.Bytes()), &got))(t)
		at := 0
		for expect.Value(r.Next())(t) {
			for i := range got.plain {
				bits := math.Float64bits(got.null[i])
				if want := want.null[at]; want != want && bits != math.Float64bits(math.NaN()) || want == want && bits != math.Float64bits(want) {
					t.Fatalf("row %d: bits %x of %v", at, bits, want)
				}
				if row := rows[at]; got.plain[i] != want.plain[at] || row.Plain != got.plain[i] || !same(got.null[i], row.Null) || !same(got.few[i], row.Few) || row.Few != nil {
					t.Fatalf("row %d of %d: %v %v %v", at, n, got.plain[i], got.null[i], got.few[i])
				}
				at++
			}
		}
		expect.Equal(t, at, n, "rows")
	}
}

// TestBoundsOfFractions: bounds leave NaN out and enclose both zeros; a column of nulls has none, and one without nulls refuses NaN.
func TestBoundsOfFractions(t *testing.T) {
	nan, minus := math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ values, bounds []float64 }{
		{[]float64{nan, 2, -3}, []float64{-3, 2}}, {[]float64{0, nan}, []float64{minus, 0}}, {[]float64{minus}, []float64{minus, 0}},
		{[]float64{math.Inf(1), 1}, []float64{1, math.Inf(1)}}, {[]float64{nan, nan}, nil},
	} {
		f := &fractions{c.values, slices.Clone(c.values), slices.Clone(c.values)}
		var b bytes.Buffer
		expect.Value(NewWriter(&b, f).Close(f))(t)
		var meta format.FileMetaData
		length := int(binary.LittleEndian.Uint32(b.Bytes()[b.Len()-8:]))
		expect.Value(unmarshal(b.Bytes()[b.Len()-8-length:b.Len()-8], &meta))(t)
		s := meta.RowGroups[0].Columns[0].MetaData.Statistics
		var got []float64
		for _, bound := range [][]byte{s.MinValue, s.MaxValue} {
			if len(bound) > 0 {
				got = append(got, math.Float64frombits(binary.LittleEndian.Uint64(bound)))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.bounds) { // which tells -0 from 0
			t.Errorf("%v: bounds %v, not %v", c.values, got, c.bounds)
		}
	}
	required := &requiredFractions{values: []float64{1, nan}}
	if _, err := NewWriter(new(bytes.Buffer), required).Close(required); !errors.Is(err, errNaN) {
		t.Error(err)
	}
}

// requiredFractions is a table of fractions none of which may be missing.
type requiredFractions struct{ values []float64 }

func (f *requiredFractions) Columns() []schema.Column {
	return []schema.Column{{Name: "values", Floats: &f.values}}
}
