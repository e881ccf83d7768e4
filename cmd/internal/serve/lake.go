package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/sql"
)

// contents are what there is in a lake.
type contents struct {
	Lake        string           `json:"lake"`  // its folder, without those above it
	State       string           `json:"state"` // see stateOf
	Runs        []runEntry       `json:"runs"`
	Comparisons []comparisonName `json:"comparisons"`
	Baselines   []baseline       `json:"baselines"`
	Tables      []tableEntry     `json:"tables"`
	Queries     []queryEntry     `json:"queries"`
	SQL         bool             `json:"sql"` // questions that readers write are answered
}

// runEntry is a run. What a lake has of a run that is being dropped is not listed.
type runEntry struct {
	Run        string            `json:"run"`
	Source     string            `json:"source"`
	Format     string            `json:"format"`
	Labels     map[string]string `json:"labels"`
	Events     int64             `json:"events"`
	Executions int64             `json:"executions"`
	Messages   int64             `json:"messages"`
	Components int64             `json:"components"`
	StartNs    string            `json:"start_ns"` // as text: a number of JavaScript is not exact there
	DurationNs int64             `json:"duration_ns"`
	Losses     []lossEntry       `json:"losses"`
	Clocks     bool              `json:"clocks"`  // it was reconciled of several clocks
	Missing    string            `json:"missing"` // the command that makes what a timeline needs; empty where it is there
}

// lossEntry is what a stage dropped, repaired or invented.
type lossEntry struct {
	Stage   string `json:"stage"`
	Reason  string `json:"reason"`
	Count   int64  `json:"count"`
	First   string `json:"first_position"`
	Meaning string `json:"meaning"`
}

// comparisonName is what was made of several runs.
type comparisonName struct {
	Comparison string   `json:"comparison"`
	Stages     []string `json:"stages"`
	Rows       int64    `json:"rows"`
	Bytes      int64    `json:"bytes"`
	Findings   *int64   `json:"findings"` // null where it is no comparison of runs
	History    bool     `json:"history"`  // it is a history of releases
	Levels     bool     `json:"levels"`   // the behaviour of model sets was compared
}

// baseline is runs that are selected by one name.
type baseline struct {
	Baseline string   `json:"baseline"`
	Runs     []string `json:"runs"`
}

// tableEntry is a table with its size in all partitions.
type tableEntry struct {
	Table      string `json:"table"`
	Doc        string `json:"doc"`
	Partitions int64  `json:"partitions"`
	Rows       int64  `json:"rows"`
	Bytes      int64  `json:"bytes"`
}

// queryEntry is a named query.
type queryEntry struct {
	Query  string       `json:"query"`
	Doc    string       `json:"doc"`
	SQL    string       `json:"sql"`
	Params []paramEntry `json:"params"`
}

// paramEntry is a parameter of a query.
type paramEntry struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Default string `json:"default"`
	Doc     string `json:"doc"`
}

// state tells whether the lake has changed since a page asked last.
func (s *site) state(*http.Request) (any, error) {
	state, err := s.stateOf()
	return map[string]string{"state": state}, err
}

// stateOf is a text that changes whenever a partition does.
func (s *site) stateOf() (string, error) {
	stamps, err := s.lake.Stamps()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, p := range slices.Sorted(maps.Keys(stamps)) {
		fmt.Fprintf(h, "%s\x00%s\x00", p, stamps[p])
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// contents lists what there is in the lake.
func (s *site) contents(*http.Request) (any, error) {
	state, err := s.stateOf()
	if err != nil {
		return nil, err
	}
	c := &contents{
		Lake: filepath.Base(s.lake.Dir), State: state, Runs: []runEntry{}, Comparisons: []comparisonName{}, Baselines: []baseline{}, Queries: []queryEntry{}, SQL: s.free,
	}
	all, err := s.lake.Inventories()
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if err := c.add(s.lake, v); err != nil {
			return nil, err
		}
	}
	for _, doc := range schema.Tables() {
		e, err := tableOf(s.lake, doc, all)
		if err != nil {
			return nil, err
		}
		c.Tables = append(c.Tables, e)
	}
	for _, q := range sql.Queries() {
		e := queryEntry{Query: q.Name, Doc: q.Doc, SQL: q.SQL, Params: []paramEntry{}}
		for _, p := range q.Params {
			e.Params = append(e.Params, paramEntry{p.Name, string(p.Kind), p.Default, p.Doc})
		}
		c.Queries = append(c.Queries, e)
	}
	return c, nil
}

// add adds a partition.
func (c *contents) add(l *lake.Lake, v *lake.Inventory) error {
	if described := v.Table("runs"); described != nil {
		return c.addRun(l, v, described)
	}
	key, name := keyOf(v)
	switch key {
	case "comparison":
		e := comparisonName{Comparison: name}
		for _, m := range v.Tables {
			if !slices.Contains(e.Stages, m.Stage) {
				e.Stages = append(e.Stages, m.Stage)
			}
			e.Rows += m.Rows()
			for _, f := range m.Files {
				e.Bytes += f.Bytes
			}
		}
		if m := v.Table("findings"); m != nil {
			rows := m.Rows()
			e.Findings = &rows
		}
		e.History, e.Levels = v.Table("history") != nil, v.Table("variants") != nil
		slices.Sort(e.Stages)
		c.Comparisons = append(c.Comparisons, e)
	case "baseline":
		members, err := runs.ReadBaseline(l, name)
		if errors.As(err, new(*runs.NameError)) { // dropped meanwhile
			return nil
		}
		c.Baselines = append(c.Baselines, baseline{name, members})
		return err
	}
	return nil
}

// keyOf splits the name of a partition.
func keyOf(v *lake.Inventory) (key, name string) {
	for i := range v.Partition {
		if v.Partition[i] == '=' {
			return v.Partition[:i], v.Partition[i+1:]
		}
	}
	return v.Partition, ""
}

// addRun adds a run. Its losses are those of all its tables, each counted once: tables of one stage state the same.
func (c *contents) addRun(l *lake.Lake, v *lake.Inventory, described *lake.Manifest) error {
	rows, err := lake.ReadFile[schema.Run](context.Background(), l, described.Files[0])
	if errors.Is(err, fs.ErrNotExist) { // replaced meanwhile: the next look has the new one
		return nil
	}
	if err != nil {
		return err
	}
	_, name := keyOf(v)
	run := rows[0]
	e := runEntry{
		Run: name, Source: run.Source, Format: run.Format, Labels: run.Labels, Events: run.Events, Executions: run.Executions, Messages: run.Messages,
		Components: run.Components, StartNs: strconv.FormatInt(run.StartNs, 10), DurationNs: run.DurationNs, Losses: []lossEntry{},
	}
	seen := make(map[[2]string]bool)
	for _, m := range v.Tables {
		for _, loss := range m.Losses {
			if key := [2]string{loss.Stage, loss.Reason}; !seen[key] {
				seen[key] = true
				e.Losses = append(e.Losses, lossEntry{loss.Stage, loss.Reason, loss.Count, loss.FirstPosition, loss.Meaning})
			}
		}
	}
	e.Clocks = v.Table("clock_bounds") != nil
	if v.Table("executions") == nil || v.Table("tiles") == nil {
		e.Missing = "analyze run " + name
	}
	c.Runs = append(c.Runs, e)
	return nil
}

// tableOf adds up the partitions of a table, by the manifests. Rows are those that queries show.
func tableOf(l *lake.Lake, doc schema.TableDoc, all []*lake.Inventory) (tableEntry, error) {
	e := tableEntry{Table: doc.Name, Doc: doc.Doc}
	for _, v := range all {
		if m := v.Table(doc.Name); m != nil {
			e.Partitions++
			e.Rows += m.Rows()
			for _, f := range m.Files {
				e.Bytes += f.Bytes
			}
		}
	}
	hidden, err := claims.HiddenRows(l, doc.Name, all)
	e.Rows -= hidden
	return e, err
}
