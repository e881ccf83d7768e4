package schema

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// columnTables are the tables that are structs of slices, by their names.
func columnTables() map[string]Columns {
	names := new(Names)
	return map[string]Columns{
		"events": NewEvents(), "messages": NewMessages(names), "arrivals": NewArrivals(names), "executions": NewExecutions(names), "samples": NewSamples(names),
		"metrics": NewMetrics(names), "constraints": NewConstraints(names), "slack": new(Slack), "compositions": NewCompositions(names), "gains": NewGains(names),
		"critical_steps": NewCriticalSteps(names), "call_paths": NewCallPaths(names), "tiles": NewTiles(names),
		"occurrences": NewOccurrences(), "couplings": NewCouplings(names),
		"attributes": NewAttributes(&AttributeNames{new(Dictionary), new(Dictionary)}), "claims": new(Claims), "dependencies": new(Dependencies),
		"fragments_of_signals": new(SignalFragments),
	}
}

// bound are the columns of a table as they are bound to its slices.
func bound(t Columns) []ColumnDoc {
	var out []ColumnDoc
	for _, c := range t.Columns() {
		d := ColumnDoc{Name: c.Name, Nullable: c.Nullable, Type: "VARCHAR"}
		switch {
		case c.Ints != nil:
			d.Type = "BIGINT"
		case c.Bools != nil:
			d.Type = "BOOLEAN"
		case c.Floats != nil:
			d.Type = "DOUBLE"
		}
		out = append(out, d)
	}
	return out
}

func TestTablesAgreeWithStructs(t *testing.T) {
	tables := columnTables()
	for _, table := range Tables() {
		written, columnar := tables[table.Name]
		delete(tables, table.Name)
		if !columnar {
			continue
		}
		var got []ColumnDoc
		for _, c := range table.Columns {
			if !c.Path {
				got = append(got, ColumnDoc{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
			}
		}
		expect.Deep(t, got, bound(written), "%s: described and written", table.Name)
	}
	if len(tables) > 0 {
		t.Errorf("not described: %v", tables)
	}
}

// A column is bound to the slice of its own field: what is appended through one is read through the other.
func TestColumnsAreBoundToTheirFields(t *testing.T) {
	for name, table := range columnTables() {
		Extend(table, 1)
		fields := reflect.ValueOf(table).Elem()
		for i := range fields.NumField() {
			if f := fields.Field(i); fields.Type().Field(i).Tag.Get("parquet") != "" && f.Len() != 1 {
				t.Errorf("%s: %s is bound to no column", name, fields.Type().Field(i).Name)
			}
		}
		Reset(table)
		expect.Equal(t, Rows(table), 0, "rows of %s after Reset", name)
	}
}

func TestTablesAreDescribed(t *testing.T) {
	expect.Equal(t, len(Tables()), len(declared), "tables that follow a table that there is")
	seen := map[string]bool{}
	for _, table := range Tables() {
		if seen[table.Name] || table.Doc == "" || table.Grain == "" {
			t.Errorf("%q: twice, or without a description", table.Name)
		}
		seen[table.Name] = true
		var path []string
		keys := 0
		for _, c := range table.Columns {
			if c.Doc == "" || c.Type == "" {
				t.Errorf("%s.%s has no description", table.Name, c.Name)
			}
			expect.Equal(t, strings.HasSuffix(c.Name, "_ns"), c.Unit == "ns", "%s.%s: its name ends in _ns, its unit is %q", table.Name, c.Name, c.Unit)
			if c.Path {
				path = append(path, c.Name)
			}
			if c.Key {
				keys++
			}
		}
		if keys == 0 || table.Partition != strings.Join(path, ", ") {
			t.Errorf("%s: %d keys, partitioned by %q, not %q", table.Name, keys, table.Partition, path)
		}
	}
}

// Every field that can hold a column is one, and a number says what it counts in: a time or an amount has a unit, and
// what only names, orders or points to something says so with "-".
func TestNumbersHaveUnits(t *testing.T) {
	units := map[string]bool{"count": true, "1": true, "-": true, "ns or count": true}
	for _, table := range declared {
		row := table.row
		for i := range row.NumField() {
			f := row.Field(i)
			name, _ := columnName(f)
			if name == "" {
				if f.Type.Kind() != reflect.Pointer {
					t.Errorf("%s.%s is no column", row.Name(), f.Name)
				}
				continue
			}
			c, unit := columnOf(f), f.Tag.Get("unit")
			number := c.Type == "BIGINT" || c.Type == "DOUBLE"
			named := c.Unit == "ns" || c.Unit == "ppm"
			if number && !named && !units[unit] || (!number || named) && unit != "" {
				t.Errorf("%s.%s, %s, has unit %q", row.Name(), f.Name, c.Type, unit)
			}
		}
	}
}

// A misspelt key of a tag is read by nobody and reported by nobody.
func TestTagsAreKnown(t *testing.T) {
	known := map[string]bool{"parquet": true, "parquet-key": true, "parquet-value": true, "json": true, "names": true, "key": true, "unit": true, "doc": true}
	for _, table := range declared {
		row := table.row
		for i := range row.NumField() {
			rest := string(row.Field(i).Tag)
			for rest != "" {
				key, quoted, _ := strings.Cut(rest, `:"`)
				_, after, _ := strings.Cut(quoted, `"`)
				if !known[key] {
					t.Errorf("%s.%s has the tag %q", row.Name(), row.Field(i).Name, key)
				}
				rest = strings.TrimLeft(after, " ")
			}
		}
	}
}

func TestOptionalTextIsPlain(t *testing.T) {
	for _, row := range []reflect.Type{reflect.TypeFor[Change](), reflect.TypeFor[Match](), reflect.TypeFor[Variant](), reflect.TypeFor[LatticeEdge](), reflect.TypeFor[EntityChange](), reflect.TypeFor[ReleaseValue](), reflect.TypeFor[ChangePoint](), reflect.TypeFor[Model](), reflect.TypeFor[ModelTransition]()} {
		for i := range row.NumField() {
			f := row.Field(i)
			optional := strings.Contains(f.Tag.Get("parquet"), ",optional")
			number := f.Type.Kind() != reflect.String && f.Type.Kind() != reflect.Bool
			if optional && number != (f.Type.Kind() == reflect.Pointer) {
				t.Errorf("%s.%s: an optional number that is not a pointer turns 0 into null", row.Name(), f.Name)
			}
		}
	}
}
