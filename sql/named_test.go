package sql

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func named(t *testing.T, db *DB, name string, params map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	if err := db.Named(context.Background(), &out, name, params, Table); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out.String()
}

func TestNamedQueries(t *testing.T) {
	db := openLake(t, tinyLake(t), Options{})
	for _, q := range Queries() {
		golden(t, q.Name+".txt", named(t, db, q.Name, nil))
	}
}

func TestNamedQueriesOnEmptyLake(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	for _, q := range Queries() {
		if got := named(t, db, q.Name, nil); !strings.HasSuffix(got, "\n(0 rows)\n") {
			t.Errorf("%s: %s", q.Name, got)
		}
	}
}

func TestNamedQueriesAreDescribed(t *testing.T) {
	used := regexp.MustCompile(`\$(\w+)`)
	queries := Queries()
	if len(queries) < 14 {
		t.Errorf("only %d queries", len(queries))
	}
	for _, q := range queries {
		if !strings.HasPrefix(q.SQL, "-- "+q.Doc) || q.Doc == "" {
			t.Errorf("%s has no description", q.Name)
		}
		known := map[string]bool{}
		for _, p := range q.Params {
			known[p.Name] = true
			if !strings.Contains(q.SQL, "$"+p.Name) {
				t.Errorf("%s does not use $%s", q.Name, p.Name)
			}
		}
		for _, m := range used.FindAllStringSubmatch(q.SQL, -1) {
			if !known[m[1]] {
				t.Errorf("%s uses $%s, which it does not declare", q.Name, m[1])
			}
		}
	}
}

func TestNamedParameters(t *testing.T) {
	db := openLake(t, tinyLake(t), Options{})
	for _, c := range []struct {
		name   string
		params map[string]string
		want   string
	}{
		{"lost-most-time", map[string]string{"comparison": "01..8.14", "limit": "1"}, "lib_dns    lib_dns.lookup from lib_url  500 ns"},
		{"lost-most-time", map[string]string{"base": "curl-8.14.1", "cand": "01"}, "(0 rows)"},
		{"trace-window", map[string]string{"from": "1300", "to": "1700"}, "(2 rows)"},
		{"losses", map[string]string{"run": "01"}, "(0 rows)"},
		{"runs", nil, "(2 rows)"},
		{"self-time", map[string]string{"run": "1"}, "(0 rows)"},
		{"callers-of", map[string]string{"function": "it's $run; --"}, "(0 rows)"},
		{"fragment-path", map[string]string{"fragment": "lib_url.connect"}, "(4 rows)"},
	} {
		if got := named(t, db, c.name, c.params); !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %s", c.name, c.params, got)
		}
	}
}

func TestNamedRefuses(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	for _, c := range []struct {
		name   string
		params map[string]string
		want   string
	}{
		{"nothing", nil, `no query "nothing"`},
		{"runs", map[string]string{"x": "1"}, `query runs: no parameter "x": it has none`},
		{"changed", map[string]string{"x": "1"}, `query changed: no parameter "x": it has comparison, level, limit`},
		{"changed", map[string]string{"limit": "-1"}, `query changed: limit=-1 is not a whole number, 0 or more`},
		{"changed", map[string]string{"limit": "1.5"}, `query changed: limit=1.5 is not a whole number, 0 or more`},
		{"changed", map[string]string{"limit": "many"}, `query changed: limit=many is not a whole number, 0 or more`},
	} {
		err := db.Named(context.Background(), new(bytes.Buffer), c.name, c.params, Table)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %v: %v", c.name, c.params, err)
		}
	}
}

// TestTextThatLooksLikeANumber takes a text where the default is one that looks like a number.
func TestTextThatLooksLikeANumber(t *testing.T) {
	for line, want := range map[string]Kind{"-- param base:text=1 of a label": Text, "-- param base=1 how many": Number, "-- param base=v1 of a label": Text, "-- param from:offset=1 when": Number} {
		p, is := parseParam(line)
		expect.Equal(t, is && p.Kind == want, true, "%s: %q", line, p.Kind)
	}
}

// README.md names every table, every view and macro, and every named query.
func TestReadmeIsComplete(t *testing.T) {
	readme := expect.Value(os.ReadFile("README.md"))(t)
	var names []string
	for _, table := range schema.Tables() {
		names = append(names, "`"+table.Name+"`")
	}
	for _, q := range Queries() {
		names = append(names, "| `"+q.Name+"` |")
	}
	derived := expect.Value(derivedViews())(t)
	for _, s := range derived {
		if m := createdObject.FindStringSubmatch(s); m != nil {
			names = append(names, "`"+m[2])
		}
	}
	for _, name := range names {
		if !strings.Contains(string(readme), name) {
			t.Errorf("README.md lacks %s", name)
		}
	}
}
