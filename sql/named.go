package sql

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// NamedQuery is a question that comes with the program.
type NamedQuery struct {
	Name   string  // by which analyze query calls it
	Doc    string  // one line
	Params []Param // in the order in which help lists them
	SQL    string  // one statement of DuckDB over the views of the lake
}

// Param is a parameter of a named query, $name in its text.
type Param struct {
	Name    string // without $
	Default string // a text, or a call of a macro on the lake such as first_run()
	Doc     string // one line: what it means, and its unit
}

// Queries lists the named queries in order of their names.
func Queries() []NamedQuery {
	paths, _ := queryFiles.ReadDir("queries") // embedded: the folder is there
	var out []NamedQuery
	for _, p := range paths {
		text, _ := queryFiles.ReadFile("queries/" + p.Name())
		out = append(out, parseQuery(strings.TrimSuffix(p.Name(), ".sql"), string(text)))
	}
	slices.SortFunc(out, func(a, b NamedQuery) int { return strings.Compare(a.Name, b.Name) })
	return out
}

var paramLine = regexp.MustCompile(`^-- param (\w+)=(\S*) (.+)$`)

// parseQuery reads the sentence and the parameters from the comments of a query.
func parseQuery(name, text string) NamedQuery {
	first, _, _ := strings.Cut(text, "\n")
	q := NamedQuery{Name: name, Doc: strings.TrimPrefix(first, "-- "), SQL: text}
	for _, line := range strings.Split(text, "\n") {
		if m := paramLine.FindStringSubmatch(line); m != nil {
			q.Params = append(q.Params, Param{Name: m[1], Default: m[2], Doc: m[3]})
		}
	}
	return q
}

// Named executes a named query. Parameters that are not given take their defaults.
func (d *DB) Named(ctx context.Context, out io.Writer, name string, params map[string]string, format Format) error {
	queries := Queries()
	i := slices.IndexFunc(queries, func(q NamedQuery) bool { return q.Name == name })
	if i < 0 {
		return fmt.Errorf("no query %q", name)
	}
	q := queries[i]
	literals, err := d.literals(ctx, q, params)
	if err != nil {
		return fmt.Errorf("query %s: %w", name, err)
	}
	return d.Query(ctx, out, substitute(q.SQL, literals), format)
}

// literals are the parameters as SQL literals. Literals rather than bound parameters let DuckDB leave
// out files of other runs while it plans.
func (d *DB) literals(ctx context.Context, q NamedQuery, given map[string]string) (map[string]string, error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(q.Params, func(p Param) bool { return p.Name == name }) {
			return nil, fmt.Errorf("no parameter %q: %s", name, q.paramNames())
		}
	}
	out := map[string]string{}
	for _, p := range q.Params {
		if v, ok := given[p.Name]; ok {
			out[p.Name] = literal(v)
			continue
		}
		v, err := d.evaluate(ctx, p, out)
		if err != nil {
			return nil, fmt.Errorf("default of %s: %w", p.Name, err)
		}
		out[p.Name] = v
		if d.note != nil && strings.Contains(p.Default, "(") && v != "NULL" {
			d.note(fmt.Sprintf("%s = %s, as --param %s=... was not given", p.Name, v, p.Name))
		}
	}
	return out, nil
}

// paramNames lists the parameters for an error message.
func (q NamedQuery) paramNames() string {
	if len(q.Params) == 0 {
		return "it has none"
	}
	var names []string
	for _, p := range q.Params {
		names = append(names, p.Name)
	}
	return "it has " + strings.Join(names, ", ")
}

// evaluate is the default as a literal. A macro call may use the parameters before it.
func (d *DB) evaluate(ctx context.Context, p Param, before map[string]string) (string, error) {
	if !strings.Contains(p.Default, "(") {
		return literal(p.Default), nil
	}
	var v sql.NullString
	err := d.db.QueryRowContext(ctx, "SELECT "+substitute(p.Default, before)).Scan(&v)
	if err != nil || !v.Valid {
		return "NULL", err
	}
	return literal(v.String), nil
}
