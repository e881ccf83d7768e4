package criticalpaths

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Like lists names of executions that resemble a wrong one, the nearest first.
// It serves an error message, so that a pass over all executions is affordable.
func (j *Job) Like(ctx context.Context, name string) ([]string, error) {
	all, err := j.executedNames(ctx)
	if err != nil {
		return nil, err
	}
	// Points only order candidates; they mean nothing by themselves.
	type candidate struct {
		name   string
		points int
	}
	var near []candidate
	for _, known := range all {
		if points := similarity(strings.ToLower(name), strings.ToLower(known)); points > 0 {
			near = append(near, candidate{known, points})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int { return cmp.Or(b.points-a.points, strings.Compare(a.name, b.name)) })
	list := make([]string, len(near))
	for i, c := range near {
		list[i] = c.name
	}
	return list, nil
}

// executedNames returns the names of all executions, sorted.
func (j *Job) executedNames(ctx context.Context) ([]string, error) {
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	seen := make(map[string]bool)
	// The search finds nothing on purpose: it only visits all rows, several files at a time.
	_, err = j.findExecutions(ctx, m.Files, nil, func(ex *schema.Executions) func(i int) bool {
		pairs := make(map[[2]schema.Code]bool)
		for i := range ex.Execution {
			pairs[[2]schema.Code{ex.Component[i], ex.Function[i]}] = true
		}
		mu.Lock()
		defer mu.Unlock()
		// Names are joined once for each row group and pair, and not for each row.
		for pair := range pairs {
			seen[ex.Names.Components.Name(pair[0])+"."+ex.Names.Functions.Name(pair[1])] = true
		}
		return func(int) bool { return false }
	})
	if err != nil && !errors.Is(err, ErrNothing) {
		return nil, err
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// similarity returns how alike two names are, 0 if they are not: names that differ in capitals only come
// first, then names that contain the other, then those that contain the function's name, then by common
// letters.
func similarity(wrong, known string) int {
	const enough = 3 // letters that mean something
	// Behind the first point, which may be within the component's name: good enough to suggest.
	function := known[strings.IndexByte(known, '.')+1:]
	edits := editDistance(wrong, known)
	switch {
	case edits == 0: // only capitals differ
		return 3000
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
