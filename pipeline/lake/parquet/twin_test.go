package parquet

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pairTable has two columns of names with dictionaries of their own, and one that may be null.
type pairTable struct {
	a, b, c    []schema.Code
	da, db, dc schema.Dictionary
}

func (t *pairTable) Columns() []schema.Column {
	return []schema.Column{
		schema.Strings("a", &t.a, &t.da), schema.Strings("b", &t.b, &t.db), schema.Strings("c", &t.c, &t.dc).OrNull(),
	}
}

// fill gives a and c the same names; those of b are other ones behind the same codes unless alike.
func (t *pairTable) fill(rows int, alike bool) {
	for i := range rows {
		name := fmt.Sprint("name ", i*i%7)
		t.a, t.c = append(t.a, t.da.Code(name)), append(t.c, t.dc.Code(name))
		if !alike {
			name = "other " + name
		}
		t.b = append(t.b, t.db.Code(name))
	}
}

// TestTwins checks that columns with the same codes are written once only where they have the same names and
// the same nulls, and that a copy reads like its twin.
func TestTwins(t *testing.T) {
	for _, alike := range []bool{true, false} {
		var file bytes.Buffer
		in := new(pairTable)
		in.fill(3000, alike)
		w := NewWriter(&file, in)
		expect.Value(w.Close(in))(t)
		path := filepath.Join(t.TempDir(), "twins.parquet")
		expect.OK(t, os.WriteFile(path, file.Bytes(), 0o644))
		want, got := new(pairTable), new(pairTable)
		want.fill(3000, alike)
		r := expect.Value(openFile(path, got))(t)
		defer r.Close()
		expect.Value(r.Next())(t)
		for i := range want.a {
			g := []string{got.da.Name(got.a[i]), got.db.Name(got.b[i]), got.dc.Name(got.c[i])}
			x := []string{want.da.Name(want.a[i]), want.db.Name(want.b[i]), want.dc.Name(want.c[i])}
			if fmt.Sprint(g) != fmt.Sprint(x) {
				t.Fatalf("alike %v, row %d: %q, want %q", alike, i, g, x)
			}
		}
	}
}
