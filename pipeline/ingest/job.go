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
	StageVersion = 6
)

// OldestVersion is the version of the stage since which its tables have the columns that stages read.
const OldestVersion = 5

// Job is one run to ingest. Its JSON is what another process needs to do tasks of it, see Publish; the rest that process brings.
type Job struct {
	Lake       *lake.Lake                            `json:"-"` // in which the run is made
	Run        string                                // the name of the run
	Replace    bool                                  // a run of the name that was made from another trace or with other options, which is an error otherwise
	Paths      []string                              // the parts of the trace in order; "-" is Stdin
	Place      string                                // the path under which the trace is known where it was recorded from elsewhere; "": that of its first part
	Stdin      io.Reader                             `json:"-"` // read once, from its beginning
	Detect     Detect                                `json:"-"` // finds the format of a file
	Find       Find                                  `json:"-"` // finds the traces in folders; nil finds none
	Options    schema.ReadingOptions                 // the words of the command line that formats understand
	Calls      string                                // between components of a lifeline: "nested", "messages", or "" for messages where a Reader reads the trace
	Map        func(schema.EventKey) schema.EventKey `json:"-"` // gives functions to other components; nil leaves them
	Memory     int64                                 `json:"-"` // bytes that reading a trace may take beside its row groups
	Incomplete string                                // "complete" or "discard"
	Untraced   string                                // "ignore" or "insert"
	ReorderNs  int64                                 // how much later than its receive a message may be sent in the trace; 0: not at all
	Callbacks  string                                // "infer" or "ignore"; "" by what the format has: see schema.Format.AllTraced
	Format     string                                // as asked for; stands in the fingerprint
	Columns    string                                // of tables, likewise
	Mapping    string                                // what Map and Options.Symbols do, likewise: hashes of their files
	MappedBy   MappingFiles                          // these files
	Cut        Cut                                   // how a trace of lines is cut into tasks
	Slice      string                                // of a trace that is split: how, and which part the run is; "": the whole
	Strict     bool                                  // the first bad line is an error
	Labels     map[string]string                     // stand in the table runs; part of the fingerprint
	Jobs       int                                   `json:"-"` // parsers and encoders at a time, 1 or more
	Say        func(sentence string)                 `json:"-"` // takes what the user is told about the trace beside its losses; nil: nobody listens
	Progress   *pipeline.Meter                       `json:"-"` // counts bytes of files; nil counts nothing
}

// MappingFiles are the files that say what lies at addresses and what component a function belongs to; "" where there is none.
type MappingFiles struct{ Symbols, Model string }

// options are what the tables depend on beside the bytes of the trace.
// A field that is empty is left out of the text, where it was added later: runs of older versions stay fresh.
type options struct {
	Incomplete, Untraced, Format, Columns string
	Component, Mapping, Calls, Callbacks  string            `json:",omitempty"`
	ReorderNs                             int64             `json:",omitempty"`
	PairKey, Slice                        string            `json:",omitempty"`
	Pairs                                 map[string]string `json:",omitempty"`
	NameArgs                              []schema.NameArg  `json:",omitempty"`
	Attributes                            []string          `json:",omitempty"`
	Clocks                                *schema.Clocks    `json:",omitempty"`
	Labels                                map[string]string
	Source                                string
}

// origin says how the tables come to be, given the hash of the trace.
// The same bytes with the same options give the same fingerprint, wherever the files lie and whatever they are
// called: their names count only as the source.
func (j *Job) origin(hash string) lake.Origin {
	opt := options{
		Incomplete: j.Incomplete, Untraced: j.Untraced, Format: j.Format, Columns: j.Columns, Labels: j.Labels, Source: j.source(),
		Component: j.Options.Component, Mapping: j.Mapping, Calls: j.Calls, Callbacks: j.Callbacks,
		PairKey: j.Options.PairKey, Pairs: j.Options.Pairs, Slice: j.Slice,
		NameArgs: j.Options.NameArgs, Attributes: j.Options.Attributes, ReorderNs: j.ReorderNs,
	}
	// What is asked for by nobody leaves the fingerprints of older runs as they are.
	if c := j.Options.Clocks; c.Mode != "" && c.Mode != schema.ClocksAuto || c.Of != "" || len(c.AheadNs) > 0 {
		opt.Clocks = &c
	}
	return lake.Origin{Stage: StageName, Version: StageVersion, Options: opt, Inputs: []lake.Input{{Name: "trace", Fingerprint: hash}}}
}

// source names the trace: its files without their folders, so that a lake does not depend on where they lay.
func (j *Job) source() string {
	names := make([]string, len(j.Paths))
	for i, path := range j.Paths {
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, " ")
}

// files lists the files of the trace in the order in which they are hashed; nil where it comes from the standard
// input.
// It must find the same files in the same order as locate, without unpacking or opening any.
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
		head, err := headOf(path, headBytes)
		if err != nil {
			return nil, err
		}
		beside := []string{path} // an anchor also stands for the files beside it
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
