package definitions

import "fmt"

// like suggests the word of a list that is nearest to a wrong one: "; did you mean margin?", or nothing where none is near.
func like(wrong string, words []string) string {
	if best := Nearest(wrong, words); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return ""
}

// Nearest returns the word of a list that fewest changes of letters make of another one, if these are at most a third of its letters;
// "" if there is none. The first of several is taken.
func Nearest(wrong string, words []string) (best string) {
	least := len(wrong)/3 + 1
	if least > len(wrong)-1 {
		least = len(wrong) - 1
	}
	for _, w := range words {
		if max(len(w)-len(wrong), len(wrong)-len(w)) > least { // cheaper than to compare letters
			continue
		}
		if n := distance(wrong, w); n < least || n == least && best == "" {
			least, best = n, w
		}
	}
	return best
}

// distance is how many letters must be inserted, removed or replaced to make one word of the other (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1) // of the letters of a so far
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
