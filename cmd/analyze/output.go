package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
)

// writeOutput writes a file completely or not at all: a failed write leaves the file of before. The name "-" stands for the
// standard output.
func (a *app) writeOutput(name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(a.stdout)
	}
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// writeJSON writes a value to the standard output, indented, and with < and > of names as they are.
func (a *app) writeJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
