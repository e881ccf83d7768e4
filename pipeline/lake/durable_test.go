package lake_test

import (
	"path"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// powerless is a storage whose power may fail at any time: it knows in which folders names have changed that are not
// durable yet, and objects to a step that relies on one of them.
type powerless struct {
	lake.Storage
	t        *testing.T
	unsynced map[string]bool
	renamed  int // inventories that took their place
}

func (s *powerless) Publish(from, to string) error {
	for folder := path.Dir(to); ; folder = path.Dir(folder) {
		s.unsynced[strings.TrimPrefix(folder, ".")] = true
		if folder == "." {
			return s.Storage.Publish(from, to)
		}
	}
}

func (s *powerless) Rename(from, to string) error {
	delete(s.unsynced, "_manifests") // an inventory that takes the place of one that is not durable does no harm
	if len(s.unsynced) > 0 {
		s.t.Errorf("%s takes its place before the names in %v are durable", to, s.unsynced)
	}
	s.renamed++
	s.unsynced[path.Dir(to)] = true
	return s.Storage.Rename(from, to)
}

func (s *powerless) Remove(name string) error {
	if strings.HasPrefix(name, "_manifests/") {
		s.unsynced["_manifests"] = true
	} else if strings.HasSuffix(name, ".parquet") && s.unsynced["_manifests"] {
		s.t.Errorf("%s goes before it is durable that no inventory names it", name)
	}
	return s.Storage.Remove(name)
}

func (s *powerless) Sync(folders ...string) error {
	for _, folder := range folders {
		delete(s.unsynced, folder)
	}
	return s.Storage.Sync(folders...)
}

// TestPowerFailure checks the order of a commit, of one that replaces tables and of a drop: an inventory takes its place when
// the names of its files are durable, and files go when the inventory without them is.
func TestPowerFailure(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	s := &powerless{Storage: lake.InFolder(dir), t: t, unsynced: make(map[string]bool)}
	l := expect.Value(lake.OpenStorage(s, false))(t)
	commit(t, l, "old")
	commit(t, l, "new")
	expect.Equal(t, read(t, l, "events"), wanted("new")["events"], "events")
	expect.OK(t, l.Drop(t.Context(), run))
	expect.Equal(t, len(dataFiles(t, l)), 0, "files that are left")
	expect.Equal(t, s.renamed, 2, "inventories that took their place")
}
