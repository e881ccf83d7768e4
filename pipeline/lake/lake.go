// Package lake keeps the tables of runs: it knows where their files lie, when a table exists, and how tables are read and
// written. No other package opens a Parquet file or knows a path below the lake's folder.
//
//	<table>/run=<run>/bucket=<k>/part-<n>-<tag>.parquet   data, Hive-style
//	_manifests/run=<run>.json                             what exists of a run, written last, by rename
//	_measured/<partition>/<stage>.json                    what the tasks cost that made the tables; nothing depends on it
//	_work/<partition>/<stage>-<fingerprint>/              what a stage is making
//	.tracelake-<n>/                                       a database that is being written
//	_lake.json                                            the format version
//	_leases/run=<run>.<n>.json                            who is changing a run: see lease.go
//
// A file that no manifest names does not exist. The tag in a file's name is the beginning of the fingerprint of the work
// that made it, so a new version of a table never overwrites the files of the old one: the rename of the manifest is the
// instant at which one becomes the other.
//
// The files, from the outside to the inside: table.go and events.go read and write tables; verify.go finds damage;
// staging.go and commit.go make tables exist; manifest.go and lake.go say which do; storage.go is the interface below all
// of them, and local.go implements it for a folder.
package lake

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// FormatVersion is the layout that this code writes. Since 2, messages name lifelines and the events of further messages,
// and runs have annotations: what format 1 did not keep of a trace.
// Since 3, one file lists all tables of a run, since 4 that file begins with its checksum, and since 5 files have field ids and a column
// that names their run: Upgrade makes such a lake of one of format 2 to 4, in which tables are made anew when they are next asked for. Lakes of format 1 are refused: the
// traces that they were made from are the source.
const FormatVersion = 5

// Lake is a folder of tables, or a prefix of names in a bucket of an object store: see package stores.
type Lake struct {
	Dir     string // where the lake is, for messages and for programs that use its files: the path of a folder
	storage Storage
	objects Objects // the storage, where it is one of objects; else nil
	cache   inventoryCache
	commits sync.Mutex // held while an inventory is replaced
	leases  leases
	checked sync.Map // the File of every file whose checksum was right in this process: see checkOnce

	// Waiting is told once when a lease is waited for. It may be nil.
	Waiting func(*BusyError)
}

// lakeFile is the content of _lake.json.
type lakeFile struct {
	Format int `json:"format"`
}

// Open opens the lake in a folder of the file system. When there is none, it makes one if create is set.
// Several processes may open a lake for reading at a time, also while one writes.
func Open(dir string, create bool) (*Lake, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if _, missing := os.Stat(dir); missing != nil && create {
		if err := makeFolderDurable(dir); err != nil {
			return nil, err
		}
	}
	return OpenStorage(localStorage(dir), create)
}

// makeFolderDurable makes a folder and those above it, so that all of their names outlive a power failure.
func makeFolderDurable(dir string) error {
	parent := filepath.Dir(dir)
	if _, missing := os.Stat(parent); missing != nil && parent != dir {
		if err := makeFolderDurable(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return localStorage(parent).Sync("")
}

// Local reports whether the lake is a folder of this machine, whose path is Dir, so that programs outside can read its files.
func (l *Lake) Local() bool { return l.objects == nil }

// OpenStorage opens the lake in a storage. When there is none, it makes one if create is set, and removes what processes left that
// were killed while they made it. It is for storages other than folders, such as object stores, and for tests.
func OpenStorage(s Storage, create bool) (*Lake, error) {
	l, err := openStorage(s, create)
	if err == nil && create {
		err = l.sweepMarks()
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// sweepMarks removes the half-written _lake.json of processes that have ended.
func (l *Lake) sweepMarks() error {
	names, err := l.storage.List("")
	for _, name := range names {
		if err == nil && strings.HasPrefix(name, "_lake.json.") && leftBehind("", name) {
			err = unlessGone(l.storage.Remove(name))
		}
	}
	return err
}

// openStorage is OpenStorage before it looks for what is left behind.
func openStorage(s Storage, create bool) (*Lake, error) {
	l := &Lake{Dir: s.Path(""), storage: s}
	l.objects, _ = s.(Objects)
	text, err := readFile(s, "_lake.json")
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 { // not made, or not wholly: see Storage.Claim
		if !create {
			return nil, fmt.Errorf("%s is not a lake (no _lake.json): ingest a trace first, or name the lake with --lake", l.Dir)
		}
		return l, l.initialise()
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s is a file, and a lake is a folder: name one with --lake", l.Dir)
	}
	if err != nil {
		return nil, err
	}
	var have lakeFile
	if err := json.Unmarshal(text, &have); err != nil || have.Format <= 0 {
		err = cmp.Or(err, errors.New("it states no format"))
		return nil, fmt.Errorf("%s: %w: write {\"format\": %d} into it, or ingest the traces into a new folder", s.Path("_lake.json"), err, FormatVersion)
	}
	if have.Format > FormatVersion {
		return nil, fmt.Errorf("%s has lake format %d, and this program knows formats up to %d: use a newer program", l.Dir, have.Format, FormatVersion)
	}
	if have.Format < FormatVersion {
		return nil, &oldFormatError{l.Dir, have.Format}
	}
	if string(text) != string(l.mark()) {
		return nil, fmt.Errorf("%s is damaged: its text is not %q", s.Path("_lake.json"), l.mark())
	}
	return l, nil
}

// initialise makes a lake of an empty or missing folder. A folder with other files is refused, because Sweep would remove
// them.
// Names that begin with an underscore are those of a lake whose making was cut short.
func (l *Lake) initialise() error {
	names, err := l.storage.List("")
	if err != nil {
		return err
	}
	made := slices.Contains(names, "_lake.json") // by another process, meanwhile, which may have gone on
	for _, name := range names {
		if !made && !strings.HasPrefix(name, "_") {
			return fmt.Errorf("%s holds other files (%s): a new lake needs an empty folder", l.Dir, strings.TrimSuffix(name, "/"))
		}
	}
	// Several processes may make the lake at once, and each finds it made. Of two that find the file empty, both write the same.
	err = l.storage.Claim("_lake.json", l.mark())
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if text, err := readFile(l.storage, "_lake.json"); err != nil || len(text) > 0 {
		return err
	}
	return l.storage.Replace("_lake.json", l.mark())
}

// mark is the text of _lake.json.
func (l *Lake) mark() []byte { return fmt.Appendf(nil, "{\n \"format\": %d\n}\n", FormatVersion) }

// Partition names one run of a table of runs, one comparison of a table of comparisons, and the like.
type Partition struct {
	Key  string // "run", "comparison" or "baseline"
	Name string // of the run, the comparison or the baseline: see CheckName
}

// Run is the partition of a run.
func Run(name string) Partition { return Partition{"run", name} }

// Comparison is the partition of a comparison.
func Comparison(name string) Partition { return Partition{"comparison", name} }

// String returns the name of the partition's folder, such as run=a.
func (p Partition) String() string { return p.Key + "=" + p.Name }

// nameRule keeps names within what file systems, shells and SQL take without quotes. A name that begins with a dot
// or an underscore would be hidden, or taken for one of the lake's own.
var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$`)

// CheckName returns an error that states the rules when a run or comparison may not have this name, which becomes a
// folder's name.
func CheckName(name string) error {
	if nameRule.MatchString(name) {
		return nil
	}
	return fmt.Errorf("%q cannot name a run: use letters, digits, '.', '_', '+' and '-', beginning with a letter or digit", name)
}

// parsePartition is the inverse of Partition.String.
func parsePartition(text string) (p Partition, ok bool) {
	p.Key, p.Name, ok = strings.Cut(text, "=")
	return p, ok
}

// Files maps every table to the paths of its files relative to the lake, in the order of their partitions, for programs
// outside, such as DuckDB, which reads the files by itself.
func (l *Lake) Files() (map[string][]string, error) {
	all, err := l.Inventories()
	if err != nil {
		return nil, err
	}
	files := make(map[string][]string)
	for _, v := range all {
		for _, m := range v.Tables {
			for _, f := range m.Files {
				files[m.Table] = append(files[m.Table], f.Path)
			}
		}
	}
	return files, nil
}

// Path returns where a file of a manifest lies, for people and for programs outside.
func (l *Lake) Path(f File) string { return l.storage.Path(f.Path) }
