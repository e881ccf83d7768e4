package history

import (
	"fmt"
	"math"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A level leaves out what stands alone, and a trend is drawn as its line, whatever segment it lies in.
func TestPictureSegments(t *testing.T) {
	r := &Report{values: make(map[int64][]schema.ReleaseValue)}
	for i, ns := range []int64{1000, 1000, 9000, 2000, 3000, 4000, 500, 500, schema.NoValue} {
		segment := int64(1)
		if i >= 6 {
			segment = 2
		}
		r.values[1] = append(r.values[1], schema.ReleaseValue{
			Series: 1, Release: fmt.Sprint("r", i), Position: int64(i + 1), ValueNs: ns, Segment: segment, Outlier: ns == 9000,
		})
	}
	r.points = []schema.ChangePoint{
		{Series: 1, Kind: schema.KindTrend, Position: 4, Last: "r5", BeforeNs: 2000, AfterNs: 4000},
		{Series: 1, Position: 7, BeforeNs: 4000, AfterNs: 500},
		{Series: 2, Position: 2},
	}
	text := ""
	for _, g := range r.Picture(1, make([][]float64, 9)).Segments {
		text += fmt.Sprintf("%d-%d %.0f-%.0f; ", g.From, g.To, math.Round(g.FromNs), math.Round(g.ToNs))
	}
	expect.Equal(t, text, "0-2 1000-1000; 3-5 2000-4000; 6-8 500-500; ", "segments")
}
