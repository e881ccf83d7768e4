package tags_test

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/tags"
	"github.com/tracelake/tracelake/testdata/expect"
)

func nowhere() string { return "somewhere" }

// list shows the attributes of a set.
func list(t *tags.Table, set schema.AttributeSet) (out []string) {
	a := t.Attributed()
	for _, one := range a.Sets.Append(nil, set) {
		out = append(out, a.Texts.Names.Name(one.Name)+"="+a.Texts.Values.Name(one.Value))
	}
	return out
}

// TestTable keeps what is asked for; equal sets are one, and of a name twice the first value holds.
func TestTable(t *testing.T) {
	none := tags.New(nil)
	if none.Wants([]byte("a")) || none.Attributed() != nil {
		t.Error("without being asked, something is kept")
	}
	table := tags.New([]string{"a", "b"})
	expect.Equal(t, table.Wants([]byte("a")), true, "a")
	expect.Equal(t, table.Wants([]byte("c")), false, "c")
	expect.Equal(t, tags.New([]string{"all"}).Wants([]byte("c")), true, "c of all")
	add := func(set schema.AttributeSet, name, value string) schema.AttributeSet {
		return table.Add(set, []byte(name), []byte(value), nowhere)
	}
	first := add(add(schema.NoAttributes, "a", "1"), "b", "2")
	again := add(add(add(schema.NoAttributes, "a", "1"), "b", "2"), "a", "3")
	expect.Equal(t, again, first, "the same set")
	expect.Slice(t, list(table, first), []string{"a=1", "b=2"}, "attributes")
}

// TestBounds has more values of a name than are kept, values that are too long, and more sets: they are counted by their names, and
// what is known stays.
func TestBounds(t *testing.T) {
	table, ledger := tags.New([]string{"all"}), new(schema.Ledger)
	for i := range tags.MostValues + 10 {
		table.Add(schema.NoAttributes, []byte("id"), fmt.Append(nil, i), nowhere)
	}
	kept := table.Add(schema.NoAttributes, []byte("id"), []byte("7"), nowhere)
	expect.Slice(t, list(table, kept), []string{"id=7"}, "a value of before")
	table.Add(schema.NoAttributes, []byte("text"), make([]byte, tags.MostBytes+1), nowhere)
	for i := range tags.MostValues {
		set := table.Add(schema.NoAttributes, []byte("x"), fmt.Append(nil, i), nowhere)
		for j := range 32 {
			table.Add(set, []byte("y"), fmt.Append(nil, j), nowhere)
		}
	}
	table.Damaged("column", 3, nowhere)
	table.Damaged("column", 4, func() string { return "elsewhere" })
	table.Tell(ledger)
	var told []string
	sets := 0
	for _, loss := range ledger.Losses("") {
		if kind := loss.Kind(); kind == "x" || kind == "y" {
			sets += int(loss.Count)
			continue
		}
		told = append(told, fmt.Sprint(loss.Reason, " ", loss.Kind(), " ", loss.Count, " ", loss.FirstPosition))
	}
	expect.Slice(t, told, []string{"attribute_budget id 10 somewhere", "attribute_budget text 1 somewhere", "damaged_attribute column 7 somewhere"}, "losses")
	// Those of id are sets, too; a set that is left out leaves its 32 y on the empty one.
	if want := tags.MostValues*34 - tags.MostSets; sets < want-100 || sets > want+100 {
		t.Errorf("%d attributes are left out for want of sets, want about %d", sets, want)
	}
}
