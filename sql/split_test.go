package sql

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		script string
		want   []statement
	}{
		{"", nil},
		{" ; -- only\n ; /* /* nested */ ; */", nil},
		{"a;b", []statement{{"a", 1}, {"b", 1}}},
		{"\na;\n\n-- why\nb ; ", []statement{{"a", 2}, {"-- why\nb", 4}}},
		{"'a;''b';\"c;\"", []statement{{"'a;''b'", 1}, {"\"c;\"", 1}}},
		{`E'a\';';'b\';c`, []statement{{`E'a\';'`, 1}, {`'b\'`, 1}, {"c", 1}}},
		{"$$a;b$$;$t$c;$$;$t$;$1;a$b$;d$b$", []statement{{"$$a;b$$", 1}, {"$t$c;$$;$t$", 1}, {"$1", 1}, {"a$b$", 1}, {"d$b$", 1}}},
		{"'open;", []statement{{"'open;", 1}}},
		{"x /* open;", []statement{{"x /* open;", 1}}},
	} {
		expect.Deep(t, split(c.script), c.want, "%q", c.script)
	}
}

func TestReturnsRows(t *testing.T) {
	for text, want := range map[string]bool{"select 1": true, "-- c\n/* d */ From x": true, "(select 1)": true, "CREATE VIEW v AS SELECT 1": false, "set x = 1": false} {
		expect.Equal(t, (statement{text: text}).returnsRows(), want, "%q", text)
	}
}

func TestSubstitute(t *testing.T) {
	values := map[string]string{"a": "'1'", "ab": "'2'"}
	got := substitute("-- $a\n$a $ab $b '$a' \"$a\" x$a $$ $a $$", values)
	expect.Equal(t, got, "-- $a\n'1' '2' $b '$a' \"$a\" x$a $$ $a $$", "substituted")
}

func FuzzSplit(f *testing.F) {
	f.Add(script)
	f.Add("$t$;$t$ E'\\';' /* /* */ ; -- x")
	f.Fuzz(func(t *testing.T, s string) {
		for i := 0; i < len(s); {
			_, end := token(s, i)
			if end <= i || end > len(s) {
				t.Fatalf("token at %d ends at %d", i, end)
			}
			i = end
		}
		expect.Equal(expect.Must(t), substitute(s, nil), s, "substituting nothing")
		rest := s
		for _, st := range split(s) {
			_, after, ok := strings.Cut(rest, st.text)
			if !ok || st.keyword() == "" {
				t.Fatalf("%q is not a statement of %q", st.text, s)
			}
			rest = after
		}
	})
}
