package sql

import (
	"context"
	"embed"
	"fmt"
	"io"
	"maps"
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

// parseQuery reads the sentence and the parameters from the comments of a query.
func parseQuery(name, text string) NamedQuery {
	first, _, _ := strings.Cut(text, "\n")
	q := NamedQuery{Name: name, Doc: strings.TrimPrefix(first, "-- "), SQL: text}
	for _, line := range strings.Split(text, "\n") {
		if p, is := parseParam(line); is {
			q.Params = append(q.Params, p)
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
	return d.answer(ctx, out, substitute(q.SQL, literals), shown{format: format, units: true})
}

// literals are the parameters as SQL literals. Literals rather than bound parameters let DuckDB leave
// out files of other runs while it plans.
func (d *DB) literals(ctx context.Context, q NamedQuery, given map[string]string) (map[string]string, error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(q.Params, func(p Param) bool { return p.Name == name }) {
			return nil, &UnknownParamError{name, q.paramNames()}
		}
	}
	out := map[string]string{}
	for _, p := range q.Params {
		if v, ok := given[p.Name]; ok {
			var err error
			if out[p.Name], err = d.given(ctx, p, v, out); err != nil {
				return nil, err
			}
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
