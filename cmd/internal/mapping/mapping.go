// Package mapping reads the files by which users say what the functions of a trace are: --symbols and --model.
package mapping

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/componentmodel"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// Mapping is what files of the user say about functions: what lies at an address, and what component it belongs to.
// The hashes make a run that was ingested with another version of the files count as outdated.
type Mapping struct {
	files   ingest.MappingFiles   // by their full paths
	symbols schema.Symbols        // names and units by address; nil without --symbols
	model   *componentmodel.Model // components by pattern of functions; nil without --model
	hashes  string                // SHA-256 of the files, a line each, for the fingerprint
}

// Read reads the files of --symbols and --model. Without either the mapping is empty.
// Each file is read as a whole: its hash is part of the run's fingerprint, so that an edited file is seen.
func Read(files ingest.MappingFiles) (m Mapping, err error) {
	m.files = files
	for _, path := range []*string{&m.files.Symbols, &m.files.Model} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return m, err
		}
	}
	if files.Symbols != "" {
		data, err := m.load("symbols", files.Symbols)
		if err != nil {
			return m, err
		}
		if m.symbols, err = symbols.Read(data, files.Symbols); err != nil {
			return m, fmt.Errorf("--symbols: %w", err)
		}
	}
	if files.Model != "" {
		if m.model, err = m.readModel(files.Model); err != nil {
			return m, err
		}
	}
	return m, nil
}

// Model reads a component model alone.
func Model(path string) (*componentmodel.Model, error) { return new(Mapping).readModel(path) }

func (m *Mapping) readModel(path string) (*componentmodel.Model, error) {
	data, err := m.load("model", path)
	if err != nil {
		return nil, err
	}
	return componentmodel.Read(bytes.NewReader(data), path)
}

// load reads a file, which may be compressed as a trace may be, and notes the hash of the file as it lies.
// An error names the flag, which is what the user has to mend.
func (m *Mapping) load(what, path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", what, err)
	}
	sum := sha256.Sum256(data)
	// In a fixed order, symbols before model, so that equal files give equal text.
	m.hashes += what + " " + hex.EncodeToString(sum[:]) + "\n"
	plain, err := ingest.Decompress(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(plain)
	}
	if err != nil {
		return nil, fmt.Errorf("--%s: decompress %s: %w", what, path, err)
	}
	return data, nil
}

// Apply gives a job the mapping.
func (m *Mapping) Apply(j *ingest.Job) {
	j.Options.Symbols, j.Mapping, j.MappedBy = m.symbols, m.hashes, m.files
	if m.model != nil {
		j.Map = m.model.Map
	}
}
