package report

import (
	"context"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
)

// Page returns the page that analyze report writes of a comparison or a run by default. Its policy stands in the document.
func Page(ctx context.Context, g *console.Globals, l *lake.Lake, name string) ([]byte, error) {
	f := &command{Globals: g, most: defaultMost, fragments: defaultFragments}
	page, _, err := f.page(ctx, l, name)
	return page, err
}
