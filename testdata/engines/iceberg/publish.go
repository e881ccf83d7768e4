package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
)

// What a mirrored table says of itself: the lake, as a property of the table, and in the summary of each snapshot the fingerprint of what
// the lake had.
const (
	lakeProperty        = "tracelake.lake"
	fingerprintProperty = "tracelake.fingerprint"
)

// properties of a mirrored table. The files belong to the lake: no engine removes them (gc.enabled). Its metadata are written anew at
// each commit, and only the last few are kept. A commit is not repeated on top of what another has committed: it would add a file twice.
var properties = iceberg.Properties{
	"gc.enabled": "false",
	"write.metadata.delete-after-commit.enabled": "true",
	"write.metadata.previous-versions-max":       "5",
	"commit.retry.num-retries":                   "0",
}

// publisher mirrors a lake into a catalog.
type publisher struct {
	task
	lake    *lines
	catalog catalog.Catalog
}

// publish does the task that the other side names.
func publish(ctx context.Context, lake *lines) error {
	p := publisher{lake: lake}
	err := lake.read(&p.task)
	if err != nil {
		return err
	}
	if p.catalog, err = openCatalog(ctx, p.Catalog, p.Properties); err != nil {
		return err
	}
	if err := makeNamespace(ctx, p.catalog, p.Namespace); err != nil {
		return err
	}
	for _, name := range p.Tables {
		r, err := p.mirrorAgain(ctx, name)
		if err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
		if err := lake.out.Encode(message{Result: &r}); err != nil {
			return err
		}
	}
	return nil
}

// mostAttempts bounds how often a commit is tried that others overtake.
const mostAttempts = 60

// mirrorAgain mirrors a table, and does so again when another publisher was faster.
func (p *publisher) mirrorAgain(ctx context.Context, name string) (result, error) {
	for attempt := 1; ; attempt++ {
		r, err := p.mirror(ctx, name)
		if r.Attempts = attempt; err == nil || attempt == mostAttempts || !overtaken(err) {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(time.Duration(rand.Int64N(int64(20*time.Millisecond) * int64(min(attempt, 10))))):
		}
	}
}

// overtaken reports whether a commit failed since the table was changed after it was loaded. Catalogs say so in two ways, of which only
// one is an error of that name; and a table that another publisher has just made is there.
func overtaken(err error) bool {
	return errors.Is(err, table.ErrCommitFailed) || errors.Is(err, catalog.ErrTableAlreadyExists) ||
		strings.Contains(strings.ToLower(err.Error()), "requirement failed")
}

// mirror makes a table of the catalog what the lake has, in one commit. The catalog is looked at before the lake: so what the lake says is
// at least as new as what any publisher has committed until then, and a commit in between lets this one fail.
func (p *publisher) mirror(ctx context.Context, name string) (r result, err error) {
	r.Table = name
	there, err := p.load(ctx, name)
	if err != nil {
		return r, err
	}
	want, err := p.lake.ask(name)
	if err != nil {
		return r, err
	}
	r.Files = len(want.Files)
	for _, f := range want.Files {
		r.Rows += f.Rows
	}
	schema, err := schemaOf(want)
	if err != nil {
		return r, err
	}
	if there == nil {
		if len(want.Files) == 0 {
			r.Unchanged = true
			return r, nil
		}
		if there, err = p.create(ctx, name, want, schema); err != nil {
			return r, err
		}
	}
	if of := there.Properties()[lakeProperty]; of != p.Lake {
		return r, fmt.Errorf("it is in the catalog and mirrors %s: publish this lake into another namespace, with --namespace", orNothing(of))
	}
	return r, p.commit(ctx, there, want, schema, &r)
}

// orNothing names the lake of a table, or says that it has none.
func orNothing(lake string) string {
	if lake == "" {
		return "no lake"
	}
	return "the lake " + lake
}

// load returns a table of the catalog, or nil where it has none of this name.
func (p *publisher) load(ctx context.Context, name string) (*table.Table, error) {
	t, err := p.catalog.LoadTable(ctx, table.Identifier{p.Namespace, name})
	if errors.Is(err, catalog.ErrNoSuchTable) {
		return nil, nil
	}
	return t, err
}

// create makes a table without rows.
func (p *publisher) create(ctx context.Context, name string, want lakeTable, schema *iceberg.Schema) (*table.Table, error) {
	spec, err := specOf(want, schema)
	if err != nil {
		return nil, err
	}
	of := iceberg.Properties{lakeProperty: p.Lake, "comment": want.Doc}
	for key, value := range properties {
		of[key] = value
	}
	return p.catalog.CreateTable(ctx, table.Identifier{p.Namespace, name}, schema, catalog.WithPartitionSpec(&spec), catalog.WithProperties(of))
}

// commit adds the files that a table lacks, and removes those that the lake has no more. Where the last snapshot was made of the same,
// nothing is done.
func (p *publisher) commit(ctx context.Context, t *table.Table, want lakeTable, schema *iceberg.Schema, r *result) error {
	txn := t.NewTransaction()
	grown, err := addColumns(txn, t.Schema(), schema)
	if err != nil {
		return err
	}
	last := t.CurrentSnapshot()
	if !grown && (last == nil && len(want.Files) == 0 || last != nil && last.Summary != nil && last.Summary.Properties[fingerprintProperty] == want.Fingerprint) {
		r.Unchanged = true
		return checkIDs(r.Table, t.Schema(), schema)
	}
	added, removed, err := difference(ctx, t, want)
	if err != nil {
		return err
	}
	r.Added, r.Removed = len(added), len(removed)
	if err := txn.AssertRefSnapshotID(table.MainBranch); err != nil {
		return err
	}
	summary := iceberg.Properties{fingerprintProperty: want.Fingerprint}
	if len(added)+len(removed) > 0 {
		// Files have field ids, so that no mapping of names is needed.
		if err := txn.ReplaceDataFilesWithDataFiles(ctx, removed, added, summary, table.WithoutAutoNameMapping()); err != nil {
			return err
		}
	}
	t, err = txn.Commit(ctx)
	if err != nil {
		return err
	}
	return checkIDs(r.Table, t.Schema(), schema)
}

// difference compares the files of a table with those of the lake.
func difference(ctx context.Context, t *table.Table, want lakeTable) (added, removed []iceberg.DataFile, err error) {
	missing := make(map[string]file, len(want.Files))
	for _, f := range want.Files {
		missing[f.Path] = f
	}
	tasks, err := t.Scan().PlanFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, have := range tasks {
		if _, stays := missing[have.File.FilePath()]; !stays {
			removed = append(removed, have.File)
		}
		delete(missing, have.File.FilePath())
	}
	for _, f := range want.Files { // in the order of the lake
		if _, lacks := missing[f.Path]; !lacks {
			continue
		}
		b, err := iceberg.NewDataFileBuilder(t.Spec(), iceberg.EntryContentData, f.Path, iceberg.ParquetFile,
			map[int]any{partitionID: f.Key}, nil, nil, f.Rows, f.Bytes)
		if err != nil {
			return nil, nil, err
		}
		added = append(added, b.Build())
	}
	return added, removed, nil
}
