package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Both sides write objects of JSON, one in a line. analyze begins with a task. For every table the program asks what the lake has of it,
// each time after it has looked at the catalog: see mirror. It says how each table ended, and ends itself after the last.

// task says what is to be mirrored, and where.
type task struct {
	Catalog    string            `json:"catalog"`    // its URI
	Properties map[string]string `json:"properties"` // of the catalog and its storage, as Iceberg names them
	Namespace  string            `json:"namespace"`
	Lake       string            `json:"lake"`   // where it is; a table mirrors one lake
	Tables     []string          `json:"tables"` // that the lake may have
}

// lakeTable is a table of the lake as it is now.
type lakeTable struct {
	Doc         string   `json:"doc"`
	Key         string   `json:"key"` // the column by whose value files are told apart: run, comparison or baseline
	Columns     []column `json:"columns"`
	Files       []file   `json:"files"`
	Fingerprint string   `json:"fingerprint"` // of all files
}

// column is a column of a table.
type column struct {
	ID   int    `json:"id"` // field id
	Name string `json:"name"`
	Type string `json:"type"` // of SQL
	Doc  string `json:"doc"`

	KeyID   int `json:"key_id,omitempty"` // of a map: field ids of its keys and values
	ValueID int `json:"value_id,omitempty"`
}

// file is a Parquet file of a table.
type file struct {
	Path  string `json:"path"` // a URI
	Key   string `json:"key"`  // the value of the column Key in all rows
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

// message is what the program says: it asks for a table, or says how one ended.
type message struct {
	Ask    string  `json:"ask,omitempty"`
	Result *result `json:"result,omitempty"`
}

// result says what became of a table.
type result struct {
	Table     string `json:"table"`
	Files     int    `json:"files"` // that the table has now
	Rows      int64  `json:"rows"`
	Added     int    `json:"added"` // files
	Removed   int    `json:"removed"`
	Unchanged bool   `json:"unchanged"` // nothing was committed
	Attempts  int    `json:"attempts"`  // commits that were tried: more than one where others commit to the table, too
}

// lines is the other side.
type lines struct {
	in  *bufio.Reader
	out *json.Encoder
}

func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{bufio.NewReaderSize(in, 1<<16), json.NewEncoder(out)}
}

// read reads a line into v.
func (l *lines) read(v any) error {
	line, err := l.in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the program that started this one has ended: %w", err)
	}
	return json.Unmarshal(line, v)
}

// ask returns a table of the lake as it is now.
func (l *lines) ask(table string) (t lakeTable, err error) {
	if err = l.out.Encode(message{Ask: table}); err == nil {
		err = l.read(&t)
	}
	return t, err
}
