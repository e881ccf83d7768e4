package criticalpaths

import (
	"context"
	"errors"
	"maps"
	"slices"
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
	return schema.Similar(name, all), nil
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
