package lake

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Commit makes the staged tables exist, beside the other tables of the partition: first their files move to their places,
// then the inventory with their manifests replaces the old one, then the files of the old manifests are removed. The
// tables become the new ones at one instant, so a process that is killed leaves all of the old ones or all of the new.
// The order protects readers: an inventory never names a file that is not in its place, and no file goes that the
// inventory in force names. Every step can be repeated, so the next process finishes what this one did not.
func (s *Staging) Commit(manifests ...*Manifest) error {
	return s.commit(manifests, func(before *Inventory) *Inventory { return before.with(manifests) })
}

// CommitAll makes the staged tables all that exists of the partition: tables that it had beside them are gone at the same
// instant, for readers must not take what was derived from another trace for this one's.
func (s *Staging) CommitAll(manifests ...*Manifest) error {
	return s.commit(manifests, func(before *Inventory) *Inventory {
		return (&Inventory{Partition: before.Partition}).with(manifests)
	})
}

// commit moves files in, replaces the inventory by the one that becomes of it, and removes the files that it has ceased to
// name. Stages of one partition commit one after the other, since each replaces the inventory that the one before left.
func (s *Staging) commit(manifests []*Manifest, become func(before *Inventory) *Inventory) error {
	// (1) The new files are in their places, and nobody looks at them yet.
	for _, m := range manifests {
		for _, f := range m.Files {
			if err := s.moveIn(f); err != nil {
				return err
			}
		}
	}
	// (2) The tables become the new ones, all at one instant.
	if err := s.lake.change(s.partition, become); err != nil {
		return err
	}
	return s.Discard()
}

// change replaces the inventory of a partition, and removes the files of those tables that are not in it as they were.
func (l *Lake) change(p Partition, become func(before *Inventory) *Inventory) error {
	l.commits.Lock()
	defer l.commits.Unlock()
	before, err := l.Inventory(p)
	if err != nil {
		return err
	}
	after := become(before)
	if err := l.replaceInventory(p, after); err != nil {
		return err
	}
	// The files of before are named by no inventory any more. The folders of tables that are new are looked at as well,
	// since a process that was killed may have left files there.
	named := after.files()
	for _, m := range slices.Concat(before.Tables, after.Tables) {
		if now := after.Table(m.Table); now == m && before.Table(m.Table) == m {
			continue // neither its files nor its manifest changed
		}
		if err := l.sweepPartition(m.Table, p, named); err != nil {
			return err
		}
	}
	return nil
}

// moveIn gives a staged file the name under which it exists. A file that has the name already stays, when it has the bytes:
// another process staged the same and was faster, or was killed before its inventory was there.
func (s *Staging) moveIn(f File) error {
	storage := s.lake.storage
	err := storage.Publish(s.stagedPath(f), f.Path)
	if err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.lake.holds(f.Path, f, true) {
		return nil
	}
	// What has the name is damaged, and no inventory names it, or the table would be up to date.
	if removed := storage.Remove(f.Path); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		return removed
	}
	return storage.Publish(s.stagedPath(f), f.Path)
}

// sweepPartition removes the files of a table's partition that its inventory does not name.
// Files are listed, not remembered, so that it also finds those of a process that was killed.
func (l *Lake) sweepPartition(table string, p Partition, named map[string]bool) error {
	root := path.Join(table, p.String())
	if err := l.sweepFolder(root, named); err != nil {
		return err
	}
	return l.storage.Prune(root)
}

// sweepFolder removes the files in a folder and its sub-folders that are not named.
// The first error ends it. What is left is found again by the next sweep.
func (l *Lake) sweepFolder(folder string, named map[string]bool) error {
	names, err := l.storage.List(folder)
	for _, name := range names {
		at := path.Join(folder, name)
		switch {
		case err != nil:
		case strings.HasSuffix(name, "/"):
			err = l.sweepFolder(at, named)
		case !named[at]:
			err = l.storage.Remove(at)
		}
	}
	return err
}

// Drop removes a partition with all its tables, and what was staged for it: the inventory first, so that the files no
// longer exist when they go.
// A partition that does not exist is no error, so that a drop that was cut short can be repeated.
func (l *Lake) Drop(p Partition) error {
	for _, folder := range []string{path.Join("_work", p.String()), measuredFolder(p)} {
		if err := l.storage.RemoveAll(folder); err != nil {
			return err
		}
	}
	err := l.change(p, func(before *Inventory) *Inventory { return &Inventory{Partition: before.Partition} })
	if err != nil {
		return err
	}
	return l.sweepRest(p) // what no inventory ever named
}

// DropTables removes some tables of a partition. The others stay, also those that were made from them.
func (l *Lake) DropTables(p Partition, tables ...string) error {
	return l.change(p, func(before *Inventory) *Inventory { return before.without(tables) })
}

// Sweep removes what killed processes left behind: files that no manifest names, half-written manifests and databases.
// Staged work stays, for the stage that continues it. The caller holds the lock.
func (l *Lake) Sweep() error {
	names, err := l.storage.List("")
	for _, name := range names {
		folder, isFolder := strings.CutSuffix(name, "/")
		switch {
		case err != nil:
			return err
		case !isFolder || strings.HasPrefix(folder, "_"): // our own files and folders
		case strings.HasPrefix(folder, ".tracelake-"): // a database that was never finished
			err = l.storage.RemoveAll(folder)
		default:
			err = l.sweepTable(folder)
		}
	}
	if err != nil {
		return err
	}
	return l.sweepManifests()
}

// sweepManifests removes inventories that were being written.
// They end in .new, which no finished one does.
func (l *Lake) sweepManifests() error {
	names, err := l.storage.List(manifestsFolder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".json"+temporaryEnding) {
			if err := l.storage.Remove(path.Join(manifestsFolder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepRest removes all files of a partition that its inventory does not name, whichever table they lie under.
func (l *Lake) sweepRest(p Partition) error {
	v, err := l.Inventory(p)
	if err != nil {
		return err
	}
	named := v.files()
	tables, err := l.tableFolders()
	for _, table := range tables {
		if err == nil {
			err = l.sweepPartition(table, p, named)
		}
	}
	return err
}

// tableFolders lists the folders in which tables lie, whether they exist or not.
func (l *Lake) tableFolders() (tables []string, err error) {
	names, err := l.storage.List("")
	for _, name := range names {
		if folder, is := strings.CutSuffix(name, "/"); is && !strings.HasPrefix(folder, "_") && !strings.HasPrefix(folder, ".") {
			tables = append(tables, folder)
		}
	}
	return tables, err
}

// sweepTable sweeps all partitions of a table, whether they exist or not.
func (l *Lake) sweepTable(table string) error {
	names, err := l.storage.List(table)
	if err != nil {
		return err
	}
	for _, name := range names {
		p, isPartition := parsePartition(strings.TrimSuffix(name, "/"))
		if !isPartition { // a folder of somebody else stays
			continue
		}
		v, err := l.Inventory(p)
		if err != nil {
			return err
		}
		if err := l.sweepPartition(table, p, v.files()); err != nil {
			return err
		}
	}
	return nil
}
