package schema

import (
	"cmp"
	"slices"
	"strings"
)

// Similar returns those of some names that resemble a wrong one, the nearest first, each once. It serves error messages: a name of
// a component, a function or a fragment that somebody mistyped, or of which they left out a part.
func Similar(wrong string, names []string) []string {
	// Points only order candidates; they mean nothing by themselves.
	points := make(map[string]int)
	for _, known := range names {
		points[known] = similarity(strings.ToLower(wrong), strings.ToLower(known))
	}
	near := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(names))), func(name string) bool { return points[name] == 0 })
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(points[b], points[a]) })
	return near
}

// similarity returns how alike two names are, 0 if they are not: names that differ in capitals only come first, then those of
// which the wrong one is the function, then those that contain it, then those that contain the function's name, then by common letters.
func similarity(wrong, known string) int {
	const enough = 3 // letters that mean something
	// Behind the first point, which may be within the component's name: good enough to suggest.
	function := known[strings.IndexByte(known, '.')+1:]
	edits := editDistance(wrong, known)
	switch {
	case edits == 0: // only capitals differ
		return 3000
	case len(wrong) > 1 && strings.Contains(known+" ", "."+wrong+" "): // it lacks the component, or the peer of a fragment
		return 2500 - min(edits, 400)
	case len(wrong) >= enough && strings.Contains(known, wrong): // the name was not complete
		return 2000 - edits
	case 3*edits <= len(wrong): // a typing error: one letter in three at most
		return 1500 - edits
	case len(function) >= enough && strings.Contains(wrong, function): // the component is wrong
		return 1000 - edits
	}
	return 0
}

// editDistance returns how many letters must be inserted, removed or changed to make one word of the
// other (Levenshtein 1966), in O(len(a) len(b)) time.
func editDistance(a, b string) int {
	// One row of the table of distances suffices, with the value that was diagonal.
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
