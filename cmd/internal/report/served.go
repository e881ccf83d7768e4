package report

import (
	"context"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// Page returns the page that analyze report writes of a comparison or a run by default. Its policy stands in the document.
func Page(ctx context.Context, g *console.Globals, l *lake.Lake, name string) ([]byte, error) {
	f := &command{Globals: g, most: defaultMost, fragments: defaultFragments}
	page, _, err := f.page(ctx, l, name)
	return page, err
}

// Verdict returns the verdict on a comparison of runs as a word and as a sentence, as analyze compare prints it, and what was compared.
func Verdict(ctx context.Context, g *console.Globals, l *lake.Lake, name string) (word, sentence string, spec *compare.Spec, err error) {
	result, spec, err := compare.Read(l, name)
	if err != nil {
		return "", "", nil, err
	}
	f := &command{Globals: g}
	c, err := f.reported(ctx, l, name, result, spec)
	if err != nil {
		return "", "", nil, err
	}
	s := verdict.New(*c, result.Changes, result.Findings).Sentences()
	return s.Verdict, s.Summary, spec, nil
}
