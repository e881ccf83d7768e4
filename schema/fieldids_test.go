package schema

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

var writeFieldIDs = flag.Bool("fieldids", false, "add the field ids of new columns to testdata/fieldids.txt")

// fieldIDs are the field ids of all columns, one in a line: table, column, number. The columns of a map have names below it.
func fieldIDs() (lines []string) {
	for _, t := range Tables() {
		for _, c := range t.Columns {
			if c.ID > 0 {
				lines = append(lines, fmt.Sprintf("%s %s %d", t.Name, c.Name, c.ID))
			}
			if c.KeyID > 0 {
				lines = append(lines, fmt.Sprintf("%s %s.key %d", t.Name, c.Name, c.KeyID), fmt.Sprintf("%s %s.value %d", t.Name, c.Name, c.ValueID))
			}
		}
	}
	return lines
}

// TestFieldIDsStay compares the field ids with those that were given, in testdata/fieldids.txt: none changes, none is given twice, also
// not that of a column that is gone. A table of Iceberg, which outlives the program that wrote its files, knows columns by them alone.
// The lines of new columns are added by go test ./schema -fieldids.
func TestFieldIDsStay(t *testing.T) {
	const file = "testdata/fieldids.txt"
	given := strings.Split(strings.TrimSpace(string(expect.Value(os.ReadFile(file))(t))), "\n")
	columnOfID, idOfColumn := map[string]string{}, map[string]string{}
	for _, line := range given {
		f := strings.Fields(line)
		columnOfID[f[0]+" "+f[2]], idOfColumn[f[0]+" "+f[1]] = f[1], f[2]
	}
	expect.Equal(t, len(columnOfID), len(given), "numbers that are given once")
	for _, line := range fieldIDs() {
		f := strings.Fields(line)
		id, known := idOfColumn[f[0]+" "+f[1]]
		other, taken := columnOfID[f[0]+" "+f[2]]
		switch {
		case known && id != f[2]:
			t.Errorf("%s.%s has field id %s, which was %s", f[0], f[1], f[2], id)
		case !known && taken:
			t.Errorf("%s.%s has field id %s, which is that of %s: take one that no column has had", f[0], f[1], f[2], other)
		case !known && *writeFieldIDs:
			given = append(given, line)
			columnOfID[f[0]+" "+f[2]] = f[1]
		case !known:
			t.Errorf("%s.%s is new: add it by go test ./schema -run TestFieldIDsStay -fieldids", f[0], f[1])
		}
	}
	if *writeFieldIDs && !t.Failed() {
		slices.Sort(given)
		expect.OK(t, os.WriteFile(file, []byte(strings.Join(given, "\n")+"\n"), 0o644))
	}
}
