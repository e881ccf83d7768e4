package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/stages/change/changepoint"
)

// annotated is a series in which several people marked where it changes.
type annotated struct {
	name     string    // as the annotations name it
	values   []float64 // those that are there
	position []int     // of each value in the series with its gaps, to which the marks refer
	length   int       // of the series with its gaps
	marks    [][]int   // by person: positions of the first value after each change, in order
}

// readMarks reads who marked what, by the name of the series.
func readMarks(folder fs.FS) (map[string][][]int, error) {
	text, err := fs.ReadFile(folder, "annotations.json")
	if err != nil {
		return nil, err
	}
	var people map[string]map[string][]int // by series and person
	if err := json.Unmarshal(text, &people); err != nil {
		return nil, fmt.Errorf("annotations.json: %w", err)
	}
	marks := make(map[string][][]int)
	for name, by := range people {
		// People are sorted by their names, so that sums over them are the same every time.
		for _, person := range slices.Sorted(maps.Keys(by)) {
			marks[name] = append(marks[name], slices.Sorted(slices.Values(by[person])))
		}
	}
	return marks, nil
}

// readSeries reads a series; a file that holds something else, or more than one dimension, has no values. Gaps are left out.
func readSeries(folder fs.FS, path string) (s annotated, err error) {
	text, err := fs.ReadFile(folder, path)
	if err != nil {
		return s, err
	}
	// Only the name and the raw values of each dimension are read; times are positions.
	var file struct {
		Name   string
		Series []struct{ Raw []*float64 }
	}
	// Files of several dimensions, and those that are no series at all, are passed over without an error.
	if json.Unmarshal(text, &file) != nil || len(file.Series) != 1 {
		return s, nil
	}
	s.name, s.length = file.Name, len(file.Series[0].Raw)
	// A gap is null in the file: it has a position and no value.
	for i, v := range file.Series[0].Raw {
		if v != nil {
			s.values, s.position = append(s.values, *v), append(s.position, i)
		}
	}
	return s, nil
}

// told is the level at which breaks are told, as in a history.
const told = .05

// places returns where breaks and bends are in the series with its gaps.
func (s *annotated) places(shape *changepoint.Shape) (at []int) {
	for _, b := range shape.Breaks {
		// Breaks come with their rate of false discoveries; bends, where a slope ends without a step, have none.
		if b.Q <= told {
			at = append(at, s.position[b.At])
		}
	}
	for _, b := range shape.Bends {
		at = append(at, s.position[b])
	}
	slices.Sort(at)
	return at
}

// score is how well change points agree with what people marked, as means over the people.
type score struct {
	f1       float64 // of the places
	covering float64 // of the segments between them
}

// plus adds up scores, which print divides by the number of series.
func (a score) plus(b score) score { return score{a.f1 + b.f1, a.covering + b.covering} }

// rate compares change points with the marks. Both measures are those of van den Burg and Williams, section 4: the beginning of a
// series counts as a change point, precision is that over the marks of all people together, and recall is the mean over people.
// Position 0 is a change point of both sides, so that the first segment has a beginning.
func (s *annotated) rate(found []int, margin int) (r score) {
	found = append([]int{0}, found...)
	var together []int
	recall := 0.0
	// Recall is a mean over people, so that one who marks much counts no more than others.
	for _, own := range s.marks {
		marks := append([]int{0}, own...)
		together = append(together, marks...)
		recall += float64(matched(marks, found, margin)) / float64(len(marks)) / float64(len(s.marks))
		r.covering += covering(marks, found, s.length) / float64(len(s.marks))
	}
	// Marks of several people at the same place are one, for precision.
	slices.Sort(together)
	precision := float64(matched(slices.Compact(together), found, margin)) / float64(len(found))
	if precision+recall > 0 {
		r.f1 = 2 * precision * recall / (precision + recall)
	}
	return r
}

// matched counts the marks that have a change point within the margin, each change point for one mark only, the nearest.
func matched(marks, found []int, margin int) (n int) {
	taken := make([]bool, len(found))
	for _, m := range marks {
		nearest := -1
		for i, at := range found {
			if d := distance(at, m); !taken[i] && d <= margin && (nearest < 0 || d < distance(found[nearest], m)) {
				nearest = i
			}
		}
		if nearest >= 0 {
			taken[nearest] = true
			n++
		}
	}
	return n
}

// distance is how many places two positions are apart.
func distance(a, b int) int { return max(a-b, b-a) }

// covering is the mean, over the segments that marks bound, of the greatest share that one segment found has of both together (the
// Jaccard index), weighted by length.
func covering(marks, found []int, n int) (sum float64) {
	for i := range marks {
		from, to := bounds(marks, i, n)
		best := 0.0
		// The best match of each marked segment, however often a found segment is the best.
		for k := range found {
			start, end := bounds(found, k, n)
			common := float64(max(min(to, end)-max(from, start), 0))
			// The union is both lengths less what they share.
			best = max(best, common/(float64(to-from+end-start)-common))
		}
		sum += best * float64(to-from) / float64(n)
	}
	return sum
}

// bounds are those of the segment that begins with a position.
func bounds(starts []int, i, n int) (from, to int) {
	if i+1 < len(starts) {
		return starts[i], starts[i+1]
	}
	return starts[i], n
}
