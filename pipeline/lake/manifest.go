package lake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tracelake/tracelake/schema"
)

// Manifest says what one partition of a table consists of and how it came to be.
type Manifest struct {
	Table       string        `json:"table"`
	Partition   string        `json:"partition"`
	Stage       string        `json:"stage"`
	Version     int           `json:"version"`
	Options     string        `json:"options"`
	Inputs      []Input       `json:"inputs"`
	Fingerprint string        `json:"fingerprint"`
	Files       []File        `json:"files"`
	Losses      []schema.Loss `json:"losses,omitempty"`
}

// Input is something a table was made from: a table's partition, or a trace by its hash.
type Input struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
}

// File is a Parquet file of a table. The path is relative to the lake.
type File struct {
	Path   string `json:"path"`
	Bucket int    `json:"bucket"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	Crc32c string `json:"crc32c"`

	staged string // where it is staged, if under another name
}

// Rows is the number of rows in all files.
func (m *Manifest) Rows() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Rows
	}
	return n
}

// Fingerprint tells whether a table made before is the one that would be made now: it hashes the stage, its
// version and options, and what it reads. Options must hold plain values only.
func Fingerprint(stage string, version int, options any, inputs []Input) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00", stage, version, OptionText(options))
	for _, in := range inputs {
		fmt.Fprintf(h, "%s\x00%s\x00", in.Name, in.Fingerprint)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// OptionText is the form in which options stand in manifests and fingerprints.
func OptionText(options any) string {
	text, err := json.Marshal(options)
	if err != nil {
		return fmt.Sprintf("%#v", options)
	}
	return string(text)
}

// Origin says how tables come to be: which stage makes them, with which options, of which inputs.
type Origin struct {
	Stage   string
	Version int
	Options any // plain values only
	Inputs  []Input
}

// Fingerprint is that of the tables.
func (o *Origin) Fingerprint() string { return Fingerprint(o.Stage, o.Version, o.Options, o.Inputs) }

// Manifest describes one of the tables.
func (o *Origin) Manifest(table string, p Partition, files []File) *Manifest {
	return &Manifest{
		Table: table, Partition: p.String(), Stage: o.Stage, Version: o.Version, Options: OptionText(o.Options), Inputs: o.Inputs,
		Fingerprint: o.Fingerprint(), Files: files,
	}
}

// Fresh reports whether all tables of a partition have a fingerprint. They differ where a process was killed while it
// committed them.
func (l *Lake) Fresh(p Partition, fingerprint string, tables ...string) (bool, error) {
	for _, table := range tables {
		m, err := l.Manifest(table, p)
		if err != nil || m == nil || m.Fingerprint != fingerprint {
			return false, err
		}
	}
	return true, nil
}

func manifestPath(table string, p Partition) string {
	return filepath.Join("_manifests", table, p.String()+".json")
}

// Manifest reads the manifest of a table's partition; it is nil when that does not exist.
func (l *Lake) Manifest(table string, p Partition) (*Manifest, error) {
	path := filepath.Join(l.Dir, manifestPath(table, p))
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w: remove the file and run again", path, err)
	}
	return m, nil
}

// writeJSON writes a file of the lake so that it is there whole or not at all.
func (l *Lake) writeJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	path := filepath.Join(l.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return replaceFile(path, append(text, '\n'))
}

func replaceFile(path string, text []byte) error {
	temporary := path + ".new"
	f, err := os.Create(temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
