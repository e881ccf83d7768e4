package lake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Manifest states which files one partition of a table consists of and how they were made. The manifests of all tables of a
// partition stand in one file, its inventory.
type Manifest struct {
	Format      int           `json:"format,omitempty"` // FormatVersion of the program that made the table; 0: one before 5
	Table       string        `json:"table"`            // name of the table
	Stage       string        `json:"stage"`            // the stage that made the table
	Version     int           `json:"version"`          // of the stage
	Options     string        `json:"options"`          // of the stage: see OptionText
	Inputs      []Input       `json:"inputs"`           // everything that the stage read
	Fingerprint string        `json:"fingerprint"`      // of format, stage, version, options and inputs: see Fingerprint
	Files       []File        `json:"files"`            // in the order in which their rows are read
	Losses      []schema.Loss `json:"losses,omitempty"` // what the stage had to leave out, in one of the tables that it wrote

	// Folder has the nearest folders of the trace that a run was made from, as far as the command named them: 7.88.0/http. It
	// tells apart traces whose files have one name, and is no part of the fingerprint, as the tables do not depend on it.
	Folder string `json:"folder,omitempty"`

	// Groups are buckets over which the lifelines of a component are spread, each list in ascending order. What is said of the
	// component as a whole lies in the first one. Buckets of no group hold whole components.
	Groups [][]int `json:"groups,omitempty"`
}

// Input is something that a table was made from: a partition of a table, or a trace.
type Input struct {
	Name        string `json:"name"`        // of the table, with the run where that is not the table's own; or of the trace
	Fingerprint string `json:"fingerprint"` // of the table, or the hash of the trace
}

// File is a Parquet file of a table.
type File struct {
	Path   string `json:"path"`   // relative to the lake, with slashes
	Bucket int    `json:"bucket"` // of lifelines, or NoBucket
	Rows   int64  `json:"rows"`   // see Manifest.Rows
	Bytes  int64  `json:"bytes"`  // length of the file
	Crc32c string `json:"crc32c"` // CRC-32C (Castagnoli) of all bytes, in eight hexadecimal digits

	staged string // the path under which it is staged, relative to the staging area
}

// Rows is the number of rows in all files.
// It comes from the manifest, so no file is opened.
func (m *Manifest) Rows() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Rows
	}
	return n
}

// InBuckets returns the files of the given buckets and those without a bucket, whose rows belong to every bucket. The first
// bucket of a group stands for the group, and NoBucket for all buckets.
// An analysis of one component reads one bucket of sixteen. The order is that of the manifest.
func (m *Manifest) InBuckets(buckets ...int) []File {
	return m.only(func(bucket int) bool {
		return slices.Contains(buckets, bucket) || slices.Contains(buckets, HomeOf(m.Groups, bucket))
	}, buckets)
}

// InBucket returns the files of a bucket alone, whatever group it is of, and those without a bucket: what is there of its
// lifelines.
func (m *Manifest) InBucket(bucket int) []File {
	return m.only(func(other int) bool { return other == bucket }, []int{bucket})
}

// only returns the files of wanted buckets, and those without one.
func (m *Manifest) only(wanted func(bucket int) bool, buckets []int) []File {
	if slices.Contains(buckets, NoBucket) {
		return m.Files
	}
	var files []File
	for _, f := range m.Files {
		if f.Bucket == NoBucket || wanted(f.Bucket) {
			files = append(files, f)
		}
	}
	return files
}

// HomeOf is the bucket in which what is said of components as a whole lies, of those that have lifelines in a bucket.
func HomeOf(groups [][]int, bucket int) int {
	for _, group := range groups {
		if _, member := slices.BinarySearch(group, bucket); member {
			return group[0]
		}
	}
	return bucket
}

// Fingerprint identifies the contents of a table by what makes them: it hashes the format, the stage, its version and options, and
// everything that the stage reads. A table whose fingerprint is the one of today is up to date. Options must hold plain
// values only.
// Inputs are known by their own fingerprints, so a change far up a chain of stages changes all fingerprints below
// it. Nothing is compared by time.
func Fingerprint(stage string, version int, options any, inputs []Input) string {
	return fingerprintOf(FormatVersion, stage, version, OptionText(options), inputs)
}

// fingerprintOf is Fingerprint for options in the form of OptionText. The zero bytes keep a letter that moves from one part
// to the next from giving the same hash. Tables of formats before 5, whose files have fewer columns, are told by the format being 0.
func fingerprintOf(format int, stage string, version int, options string, inputs []Input) string {
	h := sha256.New()
	if format > 0 {
		fmt.Fprintf(h, "format\x00%d\x00", format)
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00", stage, version, options)
	for _, in := range inputs {
		fmt.Fprintf(h, "%s\x00%s\x00", in.Name, in.Fingerprint)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// OptionText returns the form in which options stand in manifests and fingerprints.
// JSON sorts the keys of maps, so equal options have equal texts. Options that JSON cannot write, such as
// infinities, are written in Go's notation.
func OptionText(options any) string {
	text, err := json.Marshal(options)
	if err != nil {
		return fmt.Sprintf("%#v", options)
	}
	return string(text)
}

// Origin says how tables come to be: which stage makes them, with which options, of which inputs.
// All tables of one stage share an origin, and so a fingerprint.
type Origin struct {
	Stage   string  // its name
	Version int     // grows when the stage makes other tables of the same inputs
	Options any     // plain values only
	Inputs  []Input // in an order that does not change
}

// Fingerprint is that of the tables.
func (o *Origin) Fingerprint() string { return Fingerprint(o.Stage, o.Version, o.Options, o.Inputs) }

// Manifest describes one of the tables.
func (o *Origin) Manifest(table string, files []File) *Manifest {
	return &Manifest{
		Format: FormatVersion, Table: table, Stage: o.Stage, Version: o.Version, Options: OptionText(o.Options), Inputs: o.Inputs,
		Fingerprint: o.Fingerprint(), Files: files,
	}
}

// Fresh reports whether all of some tables have a fingerprint.
// A table that is missing is not fresh.
func (v *Inventory) Fresh(fingerprint string, tables ...string) bool {
	return !slices.ContainsFunc(tables, func(table string) bool {
		m := v.Table(table)
		return m == nil || m.Fingerprint != fingerprint
	})
}

// replaceJSON writes a file of the lake so that it is there whole or not at all.
// The text is indented, so that people can read such files and compare them.
func (l *Lake) replaceJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return l.storage.Replace(name, append(text, '\n'))
}
