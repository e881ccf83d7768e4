package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// TableDoc describes a table of the lake, as analyze describe, analyze tables and the comments of the SQL views show it.
type TableDoc struct {
	Name      string
	Follows   string // the table before it in reading order; "" of the first
	Doc       string // what the table holds, a sentence
	Grain     string // what one row is
	Partition string // the directories below the table: "run", "run, bucket", "comparison" or "baseline"
	Columns   []ColumnDoc

	row reflect.Type // the struct of a row, or of slices with an element a row
}

// ColumnDoc describes a column as SQL shows it. All but the columns of the path are read from the struct that is
// written, so that a column cannot be stored and not described, nor described and not stored.
type ColumnDoc struct {
	Name     string
	Type     string // SQL type
	Unit     string // "ns", "ppm", "count", "1" for ratios and probabilities; "" for names, positions and truth values
	Doc      string
	Nullable bool
	Key      bool  // part of the primary key
	Path     bool  // taken from the directory names; of these, files have the run, comparison or baseline as well
	ID       int32 // field id in files; 0 of the bucket, which they do not have
	KeyID    int32 // of a map: field id of its keys; else 0
	ValueID  int32 // of a map: field id of its values; else 0
}

// declared are the tables by the file that describes them: a new table is its file, and no list names it again.
var declared []TableDoc

// declare adds a table to the catalog, with the columns of T: the struct of a row, or of slices with an element a row.
func declare[T any](doc TableDoc) TableDoc {
	doc.row, doc.Columns = reflect.TypeFor[T](), columnsOf[T](doc.Partition)
	declared = append(declared, doc)
	return doc
}

// declareColumns is declare for a table whose rows lie in column slices; see layoutOf.
func declareColumns[T, N any](doc TableDoc, words enums) layout[T, N] {
	declare[T](doc)
	return layoutOf[T, N](words)
}

// Tables lists the tables in reading order: a run, its chart, its models, its times; then what compares runs. A table stands
// behind the one that it follows; those that follow the same one stand by their names, each with what follows it.
var Tables = sync.OnceValue(func() []TableDoc {
	byName := slices.SortedFunc(slices.Values(declared), func(a, b TableDoc) int { return strings.Compare(a.Name, b.Name) })
	var tables []TableDoc
	var add func(behind string)
	add = func(behind string) {
		for _, t := range byName {
			if t.Follows == behind {
				tables = append(tables, t)
				add(t.Name)
			}
		}
	}
	add("")
	return tables
})

// Table returns the description of a table and whether it has one.
func Table(name string) (TableDoc, bool) {
	i := slices.IndexFunc(declared, func(t TableDoc) bool { return t.Name == name })
	if i < 0 {
		return TableDoc{}, false
	}
	return declared[i], true
}

// columnsOf lists the columns of a table: those of the path, and a column for each field of T with a parquet
// tag. The tags of a field are
//
//	parquet  name of the column in files and SQL; "id": its field id in files; "optional": it may be null
//	key      "yes": part of the primary key
//	unit     of a number: see ColumnDoc.Unit; "-": it names, orders or points to something and has none.
//	         A column whose name ends in _ns or _ppm needs no tag: its name states the unit
//	doc      what the value is, without a capital and a full stop
func columnsOf[T any](partition string) []ColumnDoc {
	columns, after := pathColumns(partition)
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		if f := row.Field(i); f.Tag.Get("parquet") != "" {
			columns = append(columns, columnOf(f))
		}
	}
	return append(columns, after...)
}

// pathColumns are the columns that the directories of a table give: views show the bucket last, the others first.
func pathColumns(partition string) (before, after []ColumnDoc) {
	for _, name := range strings.Split(partition, ", ") {
		if name == "bucket" {
			after = append(after, ColumnDoc{Name: name, Type: "BIGINT", Nullable: true, Path: true,
				Doc: "group of components, or of lifelines of one, that share files; null where the table has no buckets"})
			continue
		}
		before = append(before, ColumnDoc{Name: name, Type: "VARCHAR", Doc: "the " + name, Key: true, Path: true, ID: KeyID})
	}
	return before, after
}

// columnOf reads the description of a column from its field.
func columnOf(f reflect.StructField) ColumnDoc {
	name, nullable := columnName(f)
	c := ColumnDoc{Name: name, ID: fieldID(f), Type: sqlType(f.Type), Nullable: nullable,
		Doc: f.Tag.Get("doc"), Key: f.Tag.Get("key") == "yes", Unit: strings.TrimPrefix(f.Tag.Get("unit"), "-")}
	if f.Type.Kind() == reflect.Map {
		c.KeyID, c.ValueID = idIn(f, "parquet-key"), idIn(f, "parquet-value")
	}
	for _, unit := range []string{"ns", "ppm"} {
		if strings.HasSuffix(name, "_"+unit) {
			c.Unit = unit
		}
	}
	return c
}

// columnName splits the parquet tag of a field.
func columnName(f reflect.StructField) (name string, nullable bool) {
	name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return name, strings.Contains(","+options+",", ",optional,")
}

// KeyID is the field id of the column that says which run, comparison or baseline a row is of. The columns of a table begin behind it.
const KeyID = 1

// fieldID is the number by which readers of other programs, such as those of Iceberg tables, know the column of a field. It stands in
// the parquet tag. A number is given once: a column that comes later takes the next one, wherever it stands, and that of a column that
// goes is not given again.
func fieldID(f reflect.StructField) int32 { return idIn(f, "parquet") }

// idIn is the field id in a tag. The keys and the values of a map have one each in tags of their own.
func idIn(f reflect.StructField, tag string) int32 {
	var id int32
	for _, option := range strings.Split(f.Tag.Get(tag), ",") {
		if _, err := fmt.Sscanf(option, "id(%d)", &id); err == nil {
			return id
		}
	}
	panic(fmt.Sprintf("schema: the column of %s has no field id in its tag %s", f.Name, tag))
}

// sqlType is the type that SQL gives to the values of a field, or to the elements of a slice: a code or a word of an
// enumeration is stored as its text.
func sqlType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Map:
		return "MAP(VARCHAR, VARCHAR)"
	case reflect.Slice, reflect.Pointer:
		return sqlType(t.Elem())
	case reflect.Int64:
		return "BIGINT"
	case reflect.Float64:
		return "DOUBLE"
	case reflect.Bool:
		return "BOOLEAN"
	case reflect.String, reflect.Uint32, reflect.Uint8:
		return "VARCHAR"
	}
	panic(fmt.Sprintf("schema: no column holds %s", t))
}
