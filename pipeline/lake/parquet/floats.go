package parquet

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// errNaN is the error of a fraction that is no number in a column that has no nulls.
var errNaN = errors.New("a value is NaN, which stands for null, and the column has no nulls")

// floatChunk writes fractions as they are. NaN is null, so no NaN is stored, whatever its bits, and none can spoil the
// bounds. By the format, bounds of zero enclose both zeros: the minimum is -0 then and the maximum +0
// (parquet-format, parquet.thrift, ColumnOrder).
func (e *encoder) floatChunk(s []float64, nullable bool) error {
	n := len(s)
	lo, hi, values := math.Inf(1), math.Inf(-1), 0
	for _, v := range s {
		if v == v {
			lo, hi = min(lo, v), max(hi, v)
			values++
		}
	}
	if values < n && !nullable {
		return errNaN
	}
	if values > 0 {
		e.boundFloats(lo, hi)
	}
	if values > 0 && values < n {
		e.levels = resize(e.levels, n)
		for i, v := range s {
			e.levels[i] = bit(v == v)
		}
	}
	e.beginPage(n, values, nullable)
	for _, v := range s {
		if v == v {
			e.page = binary.LittleEndian.AppendUint64(e.page, math.Float64bits(v))
		}
	}
	e.choose(e.page)
	return e.endPage(n, n-values, format.Plain)
}

// boundFloats states the bounds of a chunk of fractions.
func (e *encoder) boundFloats(lo, hi float64) {
	if lo == 0 {
		lo = math.Copysign(0, -1)
	}
	if hi == 0 {
		hi = 0 // of -0 it makes +0
	}
	e.meta.Statistics.MinValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(lo))
	e.meta.Statistics.MaxValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(hi))
}
