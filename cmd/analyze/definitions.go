package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/stages/change/definitions"
)

// readDefinitions reads the file of --definitions; nil for none.
func readDefinitions(file string) (*definitions.Set, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil { // wrong usage: the file is the user's
		return nil, console.Usagef("--definitions: %w", err)
	}
	s, err := definitions.Read(file, text)
	if err != nil {
		return nil, console.Usagef("--definitions: %w", err)
	}
	return s, nil
}

// asUsage makes wrong usage of a definition that is of nothing in the runs.
func asUsage(file string, err error) error {
	if of := (*compare.DefinitionError)(nil); errors.As(err, &of) { // a definition that is of nothing in the runs
		return console.Usagef("%s: %w", file, err)
	}
	return err
}

// normalisationNames are the words of --normalisation: those of the thesis, then those that the user defines.
func (f *compareFlags) normalisationNames() []string {
	names := slices.Clone(normalisations) // a copy, since names are appended
	if f.definitions != nil {
		for _, n := range f.definitions.Normalisations {
			names = append(names, n.Name)
		}
	}
	return names
}

// methodNames are the words of --method in a sentence.
func (f *compareFlags) methodNames() string {
	names := []string{"runs", "thesis", "dyn", "abs", "rel", "ks", "mwu", "shift"}
	if f.definitions != nil {
		for _, d := range f.definitions.Detectors {
			names = append(names, d.Name)
		}
	}
	return strings.Join(names, ", ")
}
