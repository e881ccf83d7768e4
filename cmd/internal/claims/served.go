package claims

import (
	"bytes"
	"context"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
)

// Behaviours finds which items of a run were treated alike, and returns what analyze behaviours RUN --item ITEM --format json prints. Without attributes
// in by, all but the item count.
func Behaviours(ctx context.Context, g *console.Globals, l *lake.Lake, run, item string, by []string) ([]byte, error) {
	f := &behavioursFlags{command: command{Globals: g, by: by}, item: item}
	set, described, err := f.readOf(ctx, l, []string{run}, item)
	if err != nil {
		return nil, err
	}
	found, err := f.behaviours(set, described)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = found.WriteJSON(&out)
	return out.Bytes(), err
}
