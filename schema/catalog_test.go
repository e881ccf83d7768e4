package schema

import (
	"reflect"
	"strings"
	"testing"
)

// layouts are the tables whose description must agree with the structs that are written.
func layouts() map[string][]ColumnDoc {
	names := new(Names)
	return map[string][]ColumnDoc{
		"runs":         ofStruct(reflect.TypeFor[Run]()),
		"losses":       ofStruct(reflect.TypeFor[Loss]()),
		"events":       ofColumns(NewEvents()),
		"messages":     ofColumns(NewMessages(names)),
		"annotations":  ofStruct(reflect.TypeFor[Annotation]()),
		"executions":   ofColumns(NewExecutions(names)),
		"fragments":    ofStruct(reflect.TypeFor[Fragment]()),
		"states":       ofStruct(reflect.TypeFor[State]()),
		"transitions":  ofStruct(reflect.TypeFor[Transition]()),
		"samples":      ofColumns(NewSamples(names)),
		"metrics":      ofColumns(NewMetrics(names)),
		"constraints":  ofColumns(NewConstraints(names)),
		"violations":   ofStruct(reflect.TypeFor[Violation]()),
		"slack":        ofColumns(new(Slack)),
		"compositions": ofColumns(NewCompositions(names)),
		"matches":      ofStruct(reflect.TypeFor[Match]()),
		"changes":      ofStruct(reflect.TypeFor[Change]()),
		"summaries":    ofStruct(reflect.TypeFor[Summary]()),
		"findings":     ofStruct(reflect.TypeFor[Finding]()),
		"estimates":    ofStruct(reflect.TypeFor[Estimate]()),
		"history":      ofStruct(reflect.TypeFor[ReleaseValue]()),
		"baselines":    ofStruct(reflect.TypeFor[BaselineRun]()),
		"variants":     ofStruct(reflect.TypeFor[Variant]()),
		"lattice":      ofStruct(reflect.TypeFor[LatticeEdge]()),
		"differences":  ofStruct(reflect.TypeFor[SetDifference]()),

		"entity_changes": ofStruct(reflect.TypeFor[EntityChange]()),
		"change_points":  ofStruct(reflect.TypeFor[ChangePoint]()),

		"models":            ofStruct(reflect.TypeFor[Model]()),
		"model_states":      ofStruct(reflect.TypeFor[ModelState]()),
		"model_transitions": ofStruct(reflect.TypeFor[ModelTransition]()),

		"occurrences":  ofColumns(NewOccurrences()),
		"clock_bounds": ofStruct(reflect.TypeFor[ClockBound]()),
	}
}

func ofColumns(t Columns) []ColumnDoc {
	var out []ColumnDoc
	for _, c := range t.Columns() {
		d := ColumnDoc{Name: c.Name, Nullable: c.Nullable, Type: "VARCHAR"}
		switch {
		case c.Ints != nil:
			d.Type = "BIGINT"
		case c.Bools != nil:
			d.Type = "BOOLEAN"
		}
		out = append(out, d)
	}
	return out
}

func ofStruct(t reflect.Type) []ColumnDoc {
	types := map[string]string{"string": "VARCHAR", "int64": "BIGINT", "*int64": "BIGINT",
		"*float64": "DOUBLE", "float64": "DOUBLE", "bool": "BOOLEAN", "map[string]string": "MAP(VARCHAR, VARCHAR)"}
	var out []ColumnDoc
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("parquet"), ",")
		d := ColumnDoc{Name: tag[0], Type: types[f.Type.String()]}
		for _, option := range tag[1:] {
			d.Nullable = d.Nullable || option == "optional"
		}
		out = append(out, d)
	}
	return out
}

func TestTablesAgreeWithStructs(t *testing.T) {
	want := layouts()
	if len(Tables) != len(want) {
		t.Errorf("%d tables described, %d known", len(Tables), len(want))
	}
	for _, table := range Tables {
		var got []ColumnDoc
		for _, c := range table.Columns {
			if !c.Path {
				got = append(got, ColumnDoc{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
			}
		}
		if !reflect.DeepEqual(got, want[table.Name]) {
			t.Errorf("%s: described as\n%v\nbut written as\n%v", table.Name, got, want[table.Name])
		}
	}
}

func TestTablesAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range Tables {
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
			if strings.HasSuffix(c.Name, "_ns") != (c.Unit == "ns") {
				t.Errorf("%s.%s has unit %q", table.Name, c.Name, c.Unit)
			}
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
