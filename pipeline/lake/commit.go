package lake

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// Commit makes the staged tables exist: first their files move to their places, then their manifests, in the order
// given, replace the old ones, then the files of the old ones are removed. A process that is killed in between leaves
// for every table either the old manifest with its files or the new one.
// The order protects readers: a manifest never names a file that is not in its place, and no file goes that a
// manifest in force names. Every step can be repeated, so the next process finishes what this one did not.
func (s *Staging) Commit(manifests ...*Manifest) error {
	// (1) The new files are in their places, and nobody looks at them yet.
	for _, m := range manifests {
		for _, f := range m.Files {
			if err := s.moveIn(f); err != nil {
				return err
			}
		}
	}
	// (2) The tables become the new ones, one after the other. The last manifest is the one by which readers
	// recognize that all of them are there.
	for _, m := range manifests {
		if err := s.lake.replaceJSON(manifestPath(m.Table, s.partition), m); err != nil {
			return err
		}
	}
	// (3) The files of before are named by no manifest any more.
	for _, m := range manifests {
		if err := s.lake.sweepPartition(m.Table, s.partition, m); err != nil {
			return err
		}
	}
	return s.Discard()
}

// moveIn renames a staged file to the name under which it exists.
func (s *Staging) moveIn(f File) error {
	from := f.Path
	if f.staged != "" {
		from = f.staged // under the name of another fingerprint: see Retag
	}
	return s.lake.storage.Rename(path.Join(s.dir, from), f.Path)
}

// sweepPartition removes the files of a table's partition that its manifest does not name; all of them when m is nil.
// Files are listed, not remembered, so that it also finds those of a process that was killed.
func (l *Lake) sweepPartition(table string, p Partition, m *Manifest) error {
	named := make(map[string]bool)
	if m != nil {
		for _, f := range m.Files {
			named[f.Path] = true
		}
	}
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

// Drop removes a table's partition: the manifest first, so that the files no longer exist when they go.
// A partition that does not exist is no error, so that a drop that was cut short can be repeated.
func (l *Lake) Drop(table string, p Partition) error {
	name := manifestPath(table, p)
	if err := l.storage.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := l.storage.Prune(path.Dir(name)); err != nil {
		return err
	}
	return l.sweepPartition(table, p, nil)
}

// DropWork removes all that was staged for a partition.
// The next analysis of the partition then starts from nothing.
func (l *Lake) DropWork(p Partition) error {
	return l.storage.RemoveAll(path.Join("_work", p.String()))
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

// sweepManifests removes manifests that were being written.
// They end in .new, which no finished manifest does.
func (l *Lake) sweepManifests() error {
	tables, err := l.Tables()
	if err != nil {
		return err
	}
	for _, table := range tables {
		folder := path.Join("_manifests", table)
		names, err := l.storage.List(folder)
		if err != nil {
			return err
		}
		for _, name := range names {
			if strings.HasSuffix(name, ".json"+temporaryEnding) {
				if err := l.storage.Remove(path.Join(folder, name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
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
		m, err := l.Manifest(table, p)
		if err != nil {
			return err
		}
		if err := l.sweepPartition(table, p, m); err != nil {
			return err
		}
	}
	return nil
}
