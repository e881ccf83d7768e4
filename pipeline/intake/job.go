package intake

import (
	"io"
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

// Detect finds the format of a trace by its first bytes, or says why there is none.
type Detect func(file string, head []byte) (schema.Format, error)

// Job is one run to ingest.
type Job struct {
	Lake       *lake.Lake
	Run        string
	Paths      []string // the parts of the trace in order; "-" is Stdin
	Stdin      io.Reader
	Detect     Detect
	Incomplete string // "complete" or "discard"
	Untraced   string // "ignore" or "insert"
	Format     string // as asked for; stands in the fingerprint
	Columns    string // of tables, likewise
	Strict     bool
	Labels     map[string]string
	Jobs       int
	Progress   *pipeline.Meter
}

// options are what the tables depend on beside the bytes of the trace.
type options struct {
	Incomplete, Untraced, Format, Columns string
	Labels                                map[string]string
	Source                                string
}

func (j *Job) fingerprint(hash string) (string, []lake.Input, options) {
	opt := options{j.Incomplete, j.Untraced, j.Format, j.Columns, j.Labels, j.source()}
	inputs := []lake.Input{{Name: "trace", Fingerprint: hash}}
	return lake.Fingerprint(StageName, StageVersion, opt, inputs), inputs, opt
}

// source names the trace: its files without their folders, so that a lake does not depend on where they lay.
func (j *Job) source() string {
	names := make([]string, len(j.Paths))
	for i, path := range j.Paths {
		names[i] = filepath.Base(path)
	}
	return strings.Join(names, " ")
}

// Fresh says whether the run is in the lake already, made from these bytes with these options.
func (j *Job) Fresh() (*lake.Manifest, error) {
	have, err := j.Lake.Manifest("runs", lake.Run(j.Run))
	if err != nil || have == nil {
		return nil, err
	}
	for _, path := range j.Paths {
		if path == "-" {
			return nil, nil
		}
	}
	sum, err := HashFiles(j.Paths)
	if err != nil {
		return nil, err
	}
	if want, _, _ := j.fingerprint(sum); want != have.Fingerprint {
		return nil, nil
	}
	return have, nil
}
