package ingest

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// StageName and StageVersion stand in the manifests of an ingest. The version changes with the tables.
const (
	StageName    = "ingest"
	StageVersion = 3
)

// Job is one run to ingest.
type Job struct {
	Lake       *lake.Lake
	Run        string
	Paths      []string // the parts of the trace in order; "-" is Stdin
	Stdin      io.Reader
	Detect     Detect
	Find       Find
	Options    schema.ReadingOptions
	Calls      string                                // between components of a lifeline: "nested", "messages", or "" for messages where a Reader reads the trace
	Map        func(schema.EventKey) schema.EventKey // gives functions to other components; nil leaves them
	Memory     int64                                 // bytes that reading a trace may take beside its row groups
	Incomplete string                                // "complete" or "discard"
	Untraced   string                                // "ignore" or "insert"
	Format     string                                // as asked for; stands in the fingerprint
	Columns    string                                // of tables, likewise
	Mapping    string                                // what Map and Options.Symbols do, likewise: hashes of their files
	Strict     bool
	Labels     map[string]string
	Jobs       int
	Progress   *pipeline.Meter
	Derived    *Derived // what is read instead of the trace at Paths, if it is not nil
}

// Derived is a run that is made from other runs of the lake, and not from a trace.
type Derived struct {
	Format  string // stands in the table runs
	Source  string // likewise
	Options string // what the run depends on beside its inputs
	Inputs  []lake.Input
	Reader  schema.Reader
	Ledger  *schema.Ledger // of the reader
	// Tables writes what is known beside the events once these are read: further tables of the run. It may be nil.
	Tables func(*lake.Staging) (map[string][]lake.File, error)
}

// options are what the tables depend on beside the bytes of the trace.
type options struct {
	Incomplete, Untraced, Format, Columns string
	Component, Mapping, Calls, Given      string `json:",omitempty"`
	Labels                                map[string]string
	Source                                string
}

// origin says how the tables come to be, given the hash of the trace. A run that is made from others has no trace.
func (j *Job) origin(hash string) lake.Origin {
	opt := options{
		Incomplete: j.Incomplete, Untraced: j.Untraced, Format: j.Format, Columns: j.Columns, Labels: j.Labels, Source: j.source(),
		Component: j.Options.Component, Mapping: j.Mapping, Calls: j.Calls,
	}
	inputs := []lake.Input{{Name: "trace", Fingerprint: hash}}
	if j.Derived != nil {
		inputs, opt.Given = j.Derived.Inputs, j.Derived.Options
	}
	return lake.Origin{Stage: StageName, Version: StageVersion, Options: opt, Inputs: inputs}
}

// source names the trace: its files without their folders, so that a lake does not depend on where they lay.
func (j *Job) source() string {
	if j.Derived != nil {
		return j.Derived.Source
	}
	names := make([]string, len(j.Paths))
	for i, path := range j.Paths {
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, " ")
}

// runTables are the tables that every ingest makes.
var runTables = []string{"events", "messages", "annotations", "runs"}

// Fresh returns the manifest of the run if the lake has it already, made from these bytes with these options.
func (j *Job) Fresh() (*lake.Manifest, error) {
	have, err := j.Lake.Manifest("runs", lake.Run(j.Run))
	if err != nil || have == nil {
		return nil, err
	}
	hash := ""
	if j.Derived == nil {
		files, err := j.files()
		if err != nil || files == nil {
			return nil, err
		}
		if hash, err = HashFiles(files); err != nil {
			return nil, err
		}
	}
	origin := j.origin(hash)
	if fresh, err := j.Lake.Fresh(lake.Run(j.Run), origin.Fingerprint(), runTables...); err != nil || !fresh {
		return nil, err
	}
	return have, nil
}

// files lists the files of the trace in the order in which they are hashed; nil where it comes from the standard
// input.
func (j *Job) files() (files []string, err error) {
	for _, path := range j.Paths {
		if path == "-" {
			return nil, nil
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			below, err := j.filesIn(path)
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
			continue
		}
		head, err := headOf(path)
		if err != nil {
			return nil, err
		}
		beside := []string{path}
		if format, err := j.Detect(path, head); err == nil && format.Anchor && !isTar(head) {
			if beside, err = filesOf(filepath.Dir(path), filepath.Base(path), true); err != nil {
				return nil, err
			}
		}
		files = append(files, beside...)
	}
	return files, nil
}

// find finds the traces in a folder. A job without formats that know folders finds none.
func (j *Job) find(folder string) ([]Found, error) {
	if j.Find == nil {
		return nil, nil
	}
	return j.Find(os.DirFS(folder))
}

// filesIn lists the files of the traces in a folder.
func (j *Job) filesIn(folder string) (files []string, err error) {
	found, err := j.find(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		more, err := filesOf(filepath.Join(folder, filepath.Dir(f.Path)), filepath.Base(f.Path), f.Format.Anchor)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}
