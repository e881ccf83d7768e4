package offset

import (
	"math/rand"
	"slices"
	"testing"
)

// bounding are the points through which a line goes that lies strictly below all others, by x: those that lie below every line between two
// others. Points are tried one against all pairs.
func bounding(points []point) (corners []point) {
	for _, p := range points {
		if !slices.ContainsFunc(points, func(q point) bool { return q.x == p.x && q.y < p.y }) && !isAboveAny(points, p) {
			corners = append(corners, p)
		}
	}
	slices.SortFunc(corners, func(p, q point) int { return int(p.x - q.x) })
	return slices.Compact(corners)
}

// isAboveAny reports whether a point lies on or above a line between two others.
func isAboveAny(points []point, p point) bool {
	for _, a := range points {
		for _, b := range points {
			if a != p && b != p && a.x < b.x && a.x <= p.x && p.x <= b.x && (b.x-a.x)*(p.y-a.y) >= (b.y-a.y)*(p.x-a.x) {
				return true
			}
		}
	}
	return false
}

// TestHullKeepsWhatBoundsLines compares the hull with all its points, on a grid so small that many lie in one line or at one x.
func TestHullKeepsWhatBoundsLines(t *testing.T) {
	random := rand.New(rand.NewSource(11))
	for range 2000 {
		var h hull
		var all []point
		for range 1 + random.Intn(30) {
			p := point{float64(random.Intn(8)), float64(random.Intn(8))}
			all = append(all, p)
			if h.addPoint(p); random.Intn(3) == 0 {
				h.rebuild()
			}
		}
		h.rebuild()
		if want := bounding(all); !slices.Equal(h.points, want) {
			t.Fatalf("of %v are kept %v, want %v", all, h.points, want)
		}
		p := point{float64(random.Intn(8)), float64(random.Intn(8))}
		if want := len(h.points) > 1 && slices.Equal(bounding(append(all, p)), h.points); h.isAbove(p) != want {
			t.Fatalf("%v is above %v: %v, want %v", p, h.points, !want, want)
		}
	}
}

// TestHullIsSmall adds points of which few bound a line, and looks at the memory that they take at any time.
func TestHullIsSmall(t *testing.T) {
	random := rand.New(rand.NewSource(12))
	var h hull
	most := 0
	for range 100_000 {
		h.addPoint(point{random.Float64() * 1e9, random.ExpFloat64() * 1e5})
		most = max(most, len(h.points)+len(h.late))
	}
	if h.rebuild(); most > 2*maxLate || len(h.points) > maxLate/2 {
		t.Errorf("%d points were kept at once, and %d in the end", most, len(h.points))
	}
}
