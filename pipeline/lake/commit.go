package lake

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Commit makes the staged tables exist: first their files move to their place, then their manifests, in the
// order given, replace those of before, then the files of before go. A process that is killed in
// between leaves for every table either the old manifest with its files or the new one.
func (s *Staging) Commit(manifests ...*Manifest) error {
	for _, m := range manifests {
		for _, f := range m.Files {
			if err := s.moveIn(f); err != nil {
				return err
			}
		}
	}
	for _, m := range manifests {
		if err := s.lake.writeJSON(manifestPath(m.Table, s.partition), m); err != nil {
			return err
		}
	}
	for _, m := range manifests {
		if err := s.lake.sweepPartition(m.Table, s.partition, m); err != nil {
			return err
		}
	}
	return s.Discard()
}

func (s *Staging) moveIn(f File) error {
	target := s.lake.Path(f)
	if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
		return err
	}
	if f.staged != "" {
		f.Path = f.staged
	}
	return os.Rename(s.Path(f), target)
}

// sweepPartition removes the files of a table's partition that its manifest does not name.
func (l *Lake) sweepPartition(table string, p Partition, m *Manifest) error {
	named := make(map[string]bool)
	if m != nil {
		for _, f := range m.Files {
			named[l.Path(f)] = true
		}
	}
	root := filepath.Join(l.Dir, table, p.String())
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || named[path] {
			return err
		}
		return os.Remove(path)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return removeEmpty(root)
}

// removeEmpty removes a folder's empty sub-folders and the folder itself when nothing is left.
func removeEmpty(root string) error {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := len(entries)
	for _, e := range entries {
		if e.IsDir() && os.Remove(filepath.Join(root, e.Name())) == nil {
			left--
		}
	}
	if left == 0 {
		return os.Remove(root)
	}
	return nil
}

// Drop makes a table's partition not exist.
func (l *Lake) Drop(table string, p Partition) error {
	path := filepath.Join(l.Dir, manifestPath(table, p))
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	os.Remove(filepath.Dir(path)) // succeeds when it was the table's last manifest
	return l.sweepPartition(table, p, nil)
}

// DropWork forgets what was staged for a partition.
func (l *Lake) DropWork(p Partition) error {
	return os.RemoveAll(filepath.Join(l.Dir, "_work", p.String()))
}

// Sweep removes what killed processes left behind: files that no manifest names, half-written manifests and
// databases. Staged work stays, for the stage that goes on with it.
func (l *Lake) Sweep() error {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case !e.IsDir() || strings.HasPrefix(name, "_"):
		case strings.HasPrefix(name, ".tracelake-"):
			err = os.RemoveAll(filepath.Join(l.Dir, name))
		default:
			err = l.sweepTable(name)
		}
		if err != nil {
			return err
		}
	}
	return l.sweepManifests()
}

// sweepManifests removes manifests that were being written. It does not use patterns: the lake's path
// may hold their signs.
func (l *Lake) sweepManifests() error {
	tables, err := l.Tables()
	if err != nil {
		return err
	}
	for _, table := range tables {
		dir := filepath.Join(l.Dir, "_manifests", table)
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".json.new") {
				if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (l *Lake) sweepTable(table string) error {
	entries, err := os.ReadDir(filepath.Join(l.Dir, table))
	if err != nil {
		return err
	}
	for _, e := range entries {
		key, name, isPartition := strings.Cut(e.Name(), "=")
		if !isPartition {
			continue
		}
		p := Partition{key, name}
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
