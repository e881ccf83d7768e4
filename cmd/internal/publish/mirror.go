package publish

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// The types are those of testdata/engines/iceberg/wire.go, which says what is written when.

type task struct {
	Catalog    string            `json:"catalog"`
	Properties map[string]string `json:"properties"`
	Namespace  string            `json:"namespace"`
	Lake       string            `json:"lake"`
	Tables     []string          `json:"tables"`
}

type lakeTable struct {
	Doc         string   `json:"doc"`
	Key         string   `json:"key"`
	Columns     []column `json:"columns"`
	Files       []file   `json:"files"`
	Fingerprint string   `json:"fingerprint"`
}

type column struct {
	ID      int32  `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Doc     string `json:"doc"`
	KeyID   int32  `json:"key_id,omitempty"`
	ValueID int32  `json:"value_id,omitempty"`
}

type file struct {
	Path  string `json:"path"`
	Key   string `json:"key"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

type message struct {
	Ask    string  `json:"ask"`
	Result *result `json:"result"`
}

// result says what became of a table.
type result struct {
	Table     string `json:"table"`
	Files     int    `json:"files"`
	Rows      int64  `json:"rows"`
	Added     int    `json:"added"`
	Removed   int    `json:"removed"`
	Unchanged bool   `json:"unchanged"`
	Attempts  int    `json:"attempts"`
}

// mirror answers the program that knows Iceberg.
type mirror struct {
	task    task
	lake    *lake.Lake
	results []result
	broken  error               // why the lake cannot be read
	left    map[string][]string // by partition: the tables that are left out, as their files lack the key
}

// tables are the names of all tables that a lake may have.
func tables() (names []string) {
	for _, t := range schema.Tables() {
		names = append(names, t.Name)
	}
	return names
}

// run starts the program and answers it until it ends.
func (m *mirror) run(ctx context.Context, path string) error {
	console.Linger(ctx) // the program ends first
	c := exec.CommandContext(ctx, path, "publish")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	var stderr strings.Builder
	c.Stderr = &stderr
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	answered := m.answer(in, bufio.NewReader(out))
	in.Close()
	err = c.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case m.broken != nil: // the program ends then, and says so
		return m.broken
	case err != nil:
		return said(err, stderr.String())
	}
	return answered
}

// answer is the other side of the program: see testdata/engines/iceberg/wire.go.
func (m *mirror) answer(in io.Writer, out *bufio.Reader) error {
	lines := json.NewEncoder(in)
	if err := lines.Encode(m.task); err != nil {
		return err
	}
	for {
		line, err := out.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var said message
		if err := json.Unmarshal(line, &said); err != nil {
			return fmt.Errorf("%s: %w: build it again, with make bin/%s", program, err, program)
		}
		if said.Result != nil {
			m.results = append(m.results, *said.Result)
			continue
		}
		t, err := m.table(said.Ask)
		if err != nil {
			m.broken = err
			return err
		}
		if err := lines.Encode(t); err != nil {
			return err
		}
	}
}

// table describes a table of the lake as it is now.
func (m *mirror) table(name string) (t lakeTable, err error) {
	doc, known := schema.Table(name)
	if !known {
		return t, fmt.Errorf("%s asks for a table %q: build it again, with make bin/%s", program, name, program)
	}
	t.Doc = doc.Doc
	t.Key, _, _ = strings.Cut(doc.Partition, ",")
	for _, c := range doc.Columns {
		if c.ID > 0 {
			t.Columns = append(t.Columns, column{ID: c.ID, Name: c.Name, Type: c.Type, Doc: c.Doc, KeyID: c.KeyID, ValueID: c.ValueID})
		}
	}
	partitions, err := m.lake.Partitions(t.Key)
	if err != nil {
		return t, err
	}
	sum := sha256.New()
	for _, p := range partitions {
		v, err := m.lake.Inventory(p)
		if err != nil {
			return t, err
		}
		of := v.Table(name)
		if of == nil || m.isOld(p, of) {
			continue
		}
		fmt.Fprintf(sum, "%s\x00%s\x00", p.Name, of.Fingerprint)
		for _, f := range of.Files {
			if f.Rows == 0 {
				continue
			}
			t.Files = append(t.Files, file{uri(m.lake, m.lake.Path(f)), p.Name, f.Rows, f.Bytes})
			fmt.Fprintf(sum, "%s\x00", f.Path)
		}
	}
	t.Fingerprint = hex.EncodeToString(sum.Sum(nil))
	return t, nil
}

// isOld reports whether a table was made by a program that did not write the key into files, and notes that it is left out.
func (m *mirror) isOld(p lake.Partition, of *lake.Manifest) bool {
	if of.Format >= keyed {
		return false
	}
	if m.left == nil {
		m.left = make(map[string][]string)
	}
	if name := p.String(); !slices.Contains(m.left[name], of.Table) {
		m.left[name] = append(m.left[name], of.Table)
	}
	return true
}

// keyed is the first format of a lake whose files have a key.
const keyed = 5

// old says what was left out, a sentence a partition.
func (m *mirror) old() (sentences []string) {
	for _, name := range slices.Sorted(maps.Keys(m.left)) {
		key, of, _ := strings.Cut(name, "=")
		help := "make it again"
		if key == "run" {
			help = "ingest it again, then analyze run"
		}
		sentences = append(sentences, fmt.Sprintf("%s %s: left out are tables of an earlier program, whose files do not name their %s: %s; %s",
			key, of, key, strings.Join(m.left[name], ", "), help))
	}
	return sentences
}
