package components_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/testdata/expect"
)

// readCIF reads the automata of a text.
func readCIF(t testing.TB, alphabet *schema.Dictionary, text string) []*components.Model {
	t.Helper()
	models := expect.Value(components.ReadCIF("text.cif", text, alphabet))(t)
	return models
}

// readFolder reads all models of a folder, into an alphabet.
func readFolder(t testing.TB, alphabet *schema.Dictionary, folder string) []*components.Model {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(folder, "*.cif"))
	if len(paths) == 0 {
		t.Fatalf("%s has no models", folder)
	}
	var all []*components.Model
	for _, path := range paths {
		text := expect.Value(os.ReadFile(path))(t)
		all = append(all, readCIF(t, alphabet, string(text))...)
	}
	slices.SortFunc(all, func(a, b *components.Model) int { return strings.Compare(a.Component, b.Component) })
	return all
}

// writeCIF writes a model of a set.
func writeCIF(t testing.TB, s *components.Set, m *components.Model) string {
	t.Helper()
	var out bytes.Buffer
	expect.OK(t, s.WriteCIF(&out, m))
	return out.String()
}

var location = regexp.MustCompile(`loc\d+`)

// lines are those of a text, sorted, without the numbers of locations, which MIDS gives in the order of the trace.
func lines(text string) string {
	all := strings.Split(strings.TrimSpace(location.ReplaceAllString(text, "loc")), "\n")
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestCIFAsRecorded learns the traces of MIDS and writes their models as MIDS did, but for the numbers of locations.
func TestCIFAsRecorded(t *testing.T) {
	written := 0
	for _, name := range folders(t, recorded+"/models") {
		set := example(t, name).models(t, components.Options{})
		for _, m := range set.Models {
			want := expect.Value(os.ReadFile(filepath.Join(recorded, "models", name, "output_expected", m.Component+".cif")))(t)
			expect.Equal(t, lines(writeCIF(t, set, m)), lines(string(want)), "%s, %s", name, m.Component)
			written++
		}
	}
	if written < 20 {
		t.Errorf("only %d models", written)
	}
}

// TestCIFRoundTrip writes the recorded models and reads them again, and does so through the rows of tables.
func TestCIFRoundTrip(t *testing.T) {
	paths, _ := filepath.Glob(recorded + "/operations/*/*/*")
	for _, path := range paths {
		if files, _ := filepath.Glob(path + "/*.cif"); len(files) == 0 {
			continue
		}
		given := &components.Set{Alphabet: new(schema.Dictionary)}
		given.Models = readFolder(t, given.Alphabet, path)
		read := &components.Set{Alphabet: given.Alphabet}
		for _, m := range given.Models {
			text := writeCIF(t, given, m)
			again := readCIF(t, given.Alphabet, text)
			if len(again) != 1 || writeCIF(t, given, again[0]) != text {
				t.Errorf("%s, %s: written again as\n%s\nnot as\n%s", path, m.Component, writeCIF(t, given, again[0]), text)
			}
			read.Models = append(read.Models, again...)
		}
		same(t, read, given.Models)
		tabled, err := given.Rows(nil).Set()
		if err != nil {
			t.Fatal(path, err)
		}
		for i, m := range tabled.Models {
			expect.Equal(t, writeCIF(t, tabled, m), writeCIF(t, given, given.Models[i]), "%s: through tables", path)
		}
	}
	if len(paths) < 100 {
		t.Errorf("only %d folders", len(paths))
	}
}

// TestCIFWords writes words of CIF that are names of a model with "$".
func TestCIFWords(t *testing.T) {
	const text = "automaton $time:\n  disc bool $list = false;\n  event f;\n  event $tau;\n  location loc1:\n    initial;\n    marked;\n" +
		"    edge tau when $list = true goto loc1;\n    edge $text.g do $list := true goto loc1;\n    edge f goto loc1;\n    edge $tau goto loc1;\n" +
		"end\ngroup $text:\n  event g;\nend\n"
	s := &components.Set{Alphabet: new(schema.Dictionary)}
	s.Models = readCIF(t, s.Alphabet, text)
	if m := s.Model("time"); m == nil || m.Transitions() != 4 || m.Data.Variables[0].Name != "list" {
		t.Fatalf("%+v", m)
	}
	expect.Equal(t, writeCIF(t, s, s.Models[0]), text, "written")
	empty := &components.Model{Component: "A", Automaton: readCIF(t, s.Alphabet, "automaton A:\nlocation l:\nend")[0].Automaton}
	empty.Automaton.Accepting, empty.Automaton.First = nil, nil
	if got := readCIF(t, s.Alphabet, writeCIF(t, s, empty)); len(got) != 1 || got[0].Accepts() {
		t.Error("a model without words is not written as one")
	}
}

// TestBadCIF points at what is not read: the mark is where the error must be.
func TestBadCIF(t *testing.T) {
	for text, want := range map[string]string{
		"automaton A:\n  ✗plant x;\nend": "\"plant x;\" is not read here", "✗x": "is not read here", "✗end": "is not read here",
		"automaton A:\nlocation l:\n  initial;\n✗": "the automaton has no end", "group A:\n✗": "the group has no end",
		"automaton A:\n✗end": "no location", "automaton A:\n ✗initial;\nend": "is not read here",
		"automaton A:\nlocation l:\n\t✗location l:\nend":                         "location l stands here for the second time",
		"automaton A:\nlocation l:\nend\n✗automaton A:\nlocation l:\nend":        "automaton A stands here for the second time",
		"automaton A:\ndisc bool x;\n✗disc bool x;\nlocation l:\nend":            "variable x stands here for the second time",
		"automaton A:\n✗disc int[0..99999999999] x;\nlocation l:\nend":           "too many values",
		"automaton A:\nlocation l:\n✗edge a;\nend":                               "is not read here",
		"automaton A:\nlocation l:\nedge a goto m;\n✗end":                        "there is no location m",
		"automaton A:\nlocation l:\nedge a goto l;\nedge a goto l;\n✗end":        "two edges",
		"automaton A:\nlocation l:\n✗edge a when x = 1 goto l;\nend":             "there is no variable x",
		"automaton A:\ndisc bool x;\nlocation l:\n✗edge a when x > 1 goto l;":    "condition \"x > 1\"",
		"automaton A:\ndisc bool x;\nlocation l:\n✗edge a do x := y + 1 goto l;": "update \"x := y + 1\"",
		"automaton A:\ndisc bool x;\nlocation l:\n✗edge a do x := y goto l;":     "\"y\" is no value",
		"automaton A:\nlocation l:\n✗edge a, b goto l;\nend":                     "is not read here",
	} {
		before, _, _ := strings.Cut(text, "✗")
		_, err := components.ReadCIF("a.cif", strings.Replace(text, "✗", "", 1), new(schema.Dictionary))
		bad, is := err.(*schema.SyntaxError)
		if !is || !strings.Contains(err.Error(), want) || bad.File != "a.cif" {
			t.Errorf("%q: %v, want %s", text, err, want)
			continue
		}
		line, col := int64(strings.Count(before, "\n")+1), int64(len(before)-strings.LastIndexByte(before, '\n'))
		if bad.Line != line || bad.Col != col {
			t.Errorf("%q: error at %d:%d, want %d:%d", text, bad.Line, bad.Col, line, col)
		}
	}
}
