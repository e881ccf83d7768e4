// Package lake says where tables lie and when they exist.
//
//	<table>/run=<run>/bucket=<k>/part-<n>-<tag>.parquet   data, Hive-style
//	_manifests/<table>/run=<run>.json                     what exists, written last, by rename
//	_work/<partition>/<stage>-<fingerprint>/              what a stage is making
//	.tracelake-<n>/                                       a database that is being written
//	_lake.json                                            the format version
//	_lock                                                 held by the one process that writes
//
// A file that no manifest names does not exist. The tag in a file's name is the beginning of the
// fingerprint of what made it, so a new version of a table never overwrites the files of the old one: the
// rename of the manifest is the instant at which one becomes the other.
package lake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// FormatVersion is the layout that this code writes. Since 2, messages name lifelines and the events of further messages,
// and runs have annotations: what format 1 did not keep of a trace.
const FormatVersion = 2

// Lake is a folder of tables.
type Lake struct{ Dir string }

type lakeFile struct {
	Format int `json:"format"`
}

// Open opens the lake in a folder, which it creates when create is set and there is none.
func Open(dir string, create bool) (*Lake, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	mark := filepath.Join(dir, "_lake.json")
	text, err := os.ReadFile(mark)
	if errors.Is(err, fs.ErrNotExist) {
		if !create {
			return nil, fmt.Errorf("%s is not a lake (no _lake.json): ingest a trace first, or name the lake with --lake", dir)
		}
		return initialise(dir)
	}
	if err != nil {
		return nil, err
	}
	var have lakeFile
	if err := json.Unmarshal(text, &have); err != nil {
		return nil, fmt.Errorf("%s: %w", mark, err)
	}
	if have.Format > FormatVersion {
		return nil, fmt.Errorf("%s has lake format %d, and this program knows formats up to %d: use a newer program", dir, have.Format, FormatVersion)
	}
	if have.Format < FormatVersion {
		return nil, fmt.Errorf("%s has lake format %d; this program makes format %d, which keeps more of a trace: ingest the traces into a new folder", dir, have.Format, FormatVersion)
	}
	return &Lake{Dir: dir}, nil
}

// initialise makes a lake of an empty or missing folder.
func initialise(dir string) (*Lake, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "_") {
			return nil, fmt.Errorf("%s holds other files (%s): a new lake needs an empty folder", dir, e.Name())
		}
	}
	l := &Lake{Dir: dir}
	return l, l.writeJSON("_lake.json", lakeFile{Format: FormatVersion})
}

// Partition names one run of a per-run table, or one comparison of a comparison table.
type Partition struct {
	Key  string // "run" or "comparison"
	Name string
}

// Run is the partition of a run.
func Run(name string) Partition { return Partition{"run", name} }

// Comparison is the partition of a comparison.
func Comparison(name string) Partition { return Partition{"comparison", name} }

func (p Partition) String() string { return p.Key + "=" + p.Name }

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$`)

// CheckName says whether a run or comparison may have this name; it becomes a folder's name.
func CheckName(name string) error {
	if nameRule.MatchString(name) {
		return nil
	}
	return fmt.Errorf("%q cannot name a run: use letters, digits, '.', '_', '+' and '-', beginning with a letter or digit", name)
}

// Partitions lists the partitions of a table that exist, sorted.
func (l *Lake) Partitions(table string) ([]Partition, error) {
	entries, err := os.ReadDir(filepath.Join(l.Dir, "_manifests", table))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []Partition
	for _, e := range entries {
		name, isManifest := strings.CutSuffix(e.Name(), ".json")
		key, value, isPartition := strings.Cut(name, "=")
		if isManifest && isPartition {
			out = append(out, Partition{key, value})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// Tables lists the tables that have a manifest, sorted.
func (l *Lake) Tables() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(l.Dir, "_manifests"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	sort.Strings(out)
	return out, nil
}

// Files maps every table to the files that exist, in the order of their partitions.
func (l *Lake) Files() (map[string][]string, error) {
	tables, err := l.Tables()
	if err != nil {
		return nil, err
	}
	files := make(map[string][]string)
	for _, table := range tables {
		partitions, err := l.Partitions(table)
		if err != nil {
			return nil, err
		}
		for _, p := range partitions {
			m, err := l.Manifest(table, p)
			if err != nil {
				return nil, err
			}
			for _, f := range m.Files {
				files[table] = append(files[table], l.Path(f))
			}
		}
	}
	return files, nil
}

// Path is where a file of a manifest lies.
func (l *Lake) Path(f File) string { return filepath.Join(l.Dir, filepath.FromSlash(f.Path)) }
