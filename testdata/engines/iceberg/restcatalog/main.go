// Command restcatalog is an Iceberg catalog for tests that speaks the REST protocol: as much of it as a client needs that makes, loads, changes
// and lists tables. Behind it is iceberg-go's catalog in a file of SQLite. It wants a token, as real ones do.
//
//	restcatalog ADDRESS DATABASE TOKEN WAREHOUSE [KEY=VALUE]...     properties say how the warehouse is reached
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	_ "github.com/apache/iceberg-go/catalog/sql"
	_ "github.com/apache/iceberg-go/io/gocloud"
	"github.com/apache/iceberg-go/table"
	"github.com/uptrace/bun/driver/sqliteshim"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "restcatalog:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 {
		return errors.New("usage: restcatalog ADDRESS DATABASE TOKEN WAREHOUSE [KEY=VALUE]...")
	}
	path, err := filepath.Abs(args[1])
	if err != nil {
		return err
	}
	p := iceberg.Properties{
		"type": "sql", "sql.dialect": "sqlite", "sql.driver": sqliteshim.ShimName, "warehouse": args[3],
		"uri": "file:" + path + "?_pragma=busy_timeout(30000)&_busy_timeout=30000&_txlock=immediate",
	}
	for _, property := range args[4:] {
		key, value, _ := strings.Cut(property, "=")
		p[key] = value
	}
	c, err := catalog.Load(context.Background(), "tests", p)
	if err != nil {
		return err
	}
	return http.ListenAndServe(args[0], (&server{c, args[2]}).routes())
}

// server answers requests by a catalog.
type server struct {
	catalog catalog.Catalog
	token   string
}

// routes are the requests that it knows. Those of HEAD are answered as those of GET, without the body.
func (s *server) routes() http.Handler {
	m := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request) (any, error){
		"GET /v1/config":                                         s.config,
		"POST /v1/namespaces":                                    s.createNamespace,
		"GET /v1/namespaces/{namespace}":                         s.loadNamespace,
		"GET /v1/namespaces/{namespace}/tables":                  s.listTables,
		"POST /v1/namespaces/{namespace}/tables":                 s.createTable,
		"GET /v1/namespaces/{namespace}/tables/{table}":          s.loadTable,
		"POST /v1/namespaces/{namespace}/tables/{table}":         s.commitTable,
		"POST /v1/namespaces/{namespace}/tables/{table}/metrics": func(*http.Request) (any, error) { return nil, nil },
	} {
		m.HandleFunc(pattern, s.answering(answer))
	}
	return m
}

// answering writes what a request is answered with, or an error as the protocol has it.
func (s *server) answering(answer func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+s.token {
			fail(w, http.StatusUnauthorized, errors.New("the token is not the one of this catalog"))
			return
		}
		said, err := answer(r)
		switch {
		case err != nil:
			fail(w, codeOf(err), err)
		case said == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			json.NewEncoder(w).Encode(said)
		}
	}
}

// codeOf is the status of an error. A commit whose requirements do not hold is a conflict.
func codeOf(err error) int {
	switch {
	case errors.Is(err, catalog.ErrNoSuchTable), errors.Is(err, catalog.ErrNoSuchNamespace):
		return http.StatusNotFound
	case errors.Is(err, catalog.ErrTableAlreadyExists), errors.Is(err, catalog.ErrNamespaceAlreadyExists), errors.Is(err, table.ErrCommitFailed),
		strings.Contains(strings.ToLower(err.Error()), "requirement failed"):
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

func fail(w http.ResponseWriter, code int, err error) {
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": err.Error(), "type": http.StatusText(code), "code": code}})
}

func (s *server) config(*http.Request) (any, error) {
	return map[string]any{"defaults": iceberg.Properties{}, "overrides": iceberg.Properties{}}, nil
}

func (s *server) createNamespace(r *http.Request) (any, error) {
	var of struct {
		Namespace  table.Identifier   `json:"namespace"`
		Properties iceberg.Properties `json:"properties"`
	}
	if err := json.NewDecoder(r.Body).Decode(&of); err != nil {
		return nil, err
	}
	return of, s.catalog.CreateNamespace(r.Context(), of.Namespace, of.Properties)
}

func (s *server) loadNamespace(r *http.Request) (any, error) {
	of := table.Identifier{r.PathValue("namespace")}
	properties, err := s.catalog.LoadNamespaceProperties(r.Context(), of)
	return map[string]any{"namespace": of, "properties": properties}, err
}

func (s *server) listTables(r *http.Request) (any, error) {
	names := []map[string]any{}
	for of, err := range s.catalog.ListTables(r.Context(), table.Identifier{r.PathValue("namespace")}) {
		if err != nil {
			return nil, err
		}
		names = append(names, map[string]any{"namespace": of[:len(of)-1], "name": of[len(of)-1]})
	}
	return map[string]any{"identifiers": names}, nil
}

func (s *server) createTable(r *http.Request) (any, error) {
	var of struct {
		Name          string                 `json:"name"`
		Schema        *iceberg.Schema        `json:"schema"`
		PartitionSpec *iceberg.PartitionSpec `json:"partition-spec"`
		Properties    iceberg.Properties     `json:"properties"`
	}
	if err := json.NewDecoder(r.Body).Decode(&of); err != nil {
		return nil, err
	}
	options := []catalog.CreateTableOpt{catalog.WithProperties(of.Properties)}
	if of.PartitionSpec != nil {
		options = append(options, catalog.WithPartitionSpec(of.PartitionSpec))
	}
	t, err := s.catalog.CreateTable(r.Context(), table.Identifier{r.PathValue("namespace"), of.Name}, of.Schema, options...)
	return loaded(t, err)
}

// identifier names the table of a request.
func identifier(r *http.Request) table.Identifier {
	return table.Identifier{r.PathValue("namespace"), r.PathValue("table")}
}

func (s *server) loadTable(r *http.Request) (any, error) {
	return loaded(s.catalog.LoadTable(r.Context(), identifier(r)))
}

// loaded is the answer with a table.
func loaded(t *table.Table, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]any{"metadata-location": t.MetadataLocation(), "metadata": t.Metadata(), "config": iceberg.Properties{}}, nil
}

func (s *server) commitTable(r *http.Request) (any, error) {
	var of struct {
		Requirements table.Requirements `json:"requirements"`
		Updates      table.Updates      `json:"updates"`
	}
	if err := json.NewDecoder(r.Body).Decode(&of); err != nil {
		return nil, err
	}
	metadata, location, err := s.catalog.CommitTable(r.Context(), identifier(r), of.Requirements, of.Updates)
	return map[string]any{"metadata-location": location, "metadata": metadata}, err
}
