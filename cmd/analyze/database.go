package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/sql"
)

// catalog returns the files that SQL may read: those of the tables that the lake has committed.
// A table without files has no view.
func catalog(l *lake.Lake) (sql.Catalog, error) {
	files, err := l.Files()
	return sql.Catalog{Files: files}, err
}

// eagerPartitions is up to how many runs and comparisons a lake has whose tracelake.duckdb follows every command. DuckDB
// looks into all files that a view names when the view is made, so the cost grows with the lake: beyond, analyze tidy brings
// the file up to date.
const eagerPartitions = 64

// writeDatabase brings the views of tracelake.duckdb up to date with the tables of the lake, unless the lake is large.
func (a *app) writeDatabase(ctx context.Context, l *lake.Lake) error {
	n, err := l.Count()
	if err != nil || n > eagerPartitions {
		return err
	}
	return a.rewriteDatabase(ctx, l)
}

// followOutcomes brings the views up to date after stages of some runs, unless these had nothing to do and there is a file.
func (a *app) followOutcomes(ctx context.Context, l *lake.Lake, outcomes []pipeline.Outcome) error {
	_, missing := os.Stat(filepath.Join(l.Dir, "tracelake.duckdb"))
	if missing == nil && !slices.ContainsFunc(outcomes, func(o pipeline.Outcome) bool { return !o.Fresh }) {
		return nil
	}
	return a.writeDatabase(ctx, l)
}

// rewriteDatabase brings the views of tracelake.duckdb up to date in a lake of any size.
// The file holds views and no rows, so it is small and written anew each time.
func (a *app) rewriteDatabase(ctx context.Context, l *lake.Lake) error {
	// Another process may change the lake meanwhile. Files that it replaces are gone, so that making a view of them fails, and
	// what is made would be out of date. It is made again then, a few times: who changes the lake writes the file afterwards.
	for range 5 {
		c, err := catalog(l)
		if err != nil {
			return err
		}
		failed := sql.WriteDatabase(ctx, filepath.Join(l.Dir, "tracelake.duckdb"), c)
		now, err := catalog(l)
		if err != nil || ctx.Err() != nil || sameFiles(c, now) {
			return cmp.Or(failed, err)
		}
	}
	return nil
}

// sameFiles reports whether two catalogs have the same files. No file is ever changed, so the tables are the same then.
func sameFiles(a, b sql.Catalog) bool {
	return maps.EqualFunc(a.Files, b.Files, slices.Equal[[]string])
}
