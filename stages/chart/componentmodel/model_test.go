package componentmodel

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func parse(t *testing.T, text string) *Model {
	t.Helper()
	m, err := Read(strings.NewReader(text), "x.arch")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

func load(t *testing.T, name string) string {
	t.Helper()
	data := expect.Value(os.ReadFile("testdata/" + name))(t)
	return string(data)
}

// dense is a text without white space.
func dense(text string) string { return strings.Join(strings.Fields(text), "") }

func aspects(t *testing.T, m *Model) string {
	t.Helper()
	var out strings.Builder
	expect.OK(t, m.AspectJ(&out, ComponentProbe))
	return out.String()
}

// TestListing72 writes the aop.xml of Listing 7.2 from the components of Listing 7.1. The paper calls the classes
// otherwise in the one than in the other.
func TestListing72(t *testing.T) {
	listing := strings.NewReplacer("encrypt.FileHandler.", "encrypt.Handler.", "encrypt.FileEncrypter.", "encrypt.Encrypt.", "encrypt.FSWriter.", "encrypt.FileWriter.")
	got := aspects(t, parse(t, load(t, "filehost.arch")))
	expect.Equal(t, dense(listing.Replace(got)), dense(load(t, "filehost.xml")), "listing")
	again := aspects(t, parse(t, listing.Replace(load(t, "filehost.arch"))))
	expect.Equal(t, again, listing.Replace(got), "read again")
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
}

// TestListing62 has the pointcut of Listing 6.2.
func TestListing62(t *testing.T) {
	got := aspects(t, parse(t, "Test { in test.Test.execute() }"))
	if want := `<pointcut name="monitoredOperation" expression="execution(* test.Test.execute())"/>`; !strings.Contains(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// TestExampleOfTheDocumentation reads the example of the package comment.
func TestExampleOfTheDocumentation(t *testing.T) {
	doc := expect.Value(os.ReadFile("doc.go"))(t)
	var example []string
	for _, line := range strings.Split(string(doc), "\n") {
		if code, is := strings.CutPrefix(line, "//\t"); is && len(example) < 8 {
			example = append(example, code)
		}
	}
	m := parse(t, strings.Join(example, "\n"))
	if len(m.Components) != 2 || !slices.Equal(m.Connections, []Connection{{"fileHost.FileHandler.send", "fileHost.FileEncrypter.accept"}}) {
		t.Errorf("%+v", m)
	}
}

func TestComponent(t *testing.T) {
	m := parse(t, `
		a.Shop 7 { in a.Shop.find(int String[]) out a.Shop.ask(..) }
		Stock { in a.Stock.get(int, .., java.util.List, .., long) in a.Stock.get() in a.Stock.put(..) in a.Stock.put(int) }
		url { in Curl_each(.. long) in Curl_connect(..) out Curl_resolv() }
		other { in a.Stock.put(int, int) in a.B$1.^in(..) }`)
	for function, want := range map[string]string{
		"a.Shop.find(int,String[])": "a.Shop", "public int a.Shop.find(int, String[]) throws a.E": "a.Shop", "a.Shop.find": "a.Shop",
		"a.Shop.find(int)": "", "a.Shop.find()": "", "a.Shop.lose": "", "Shop.find": "", "a.Shop": "", "": "", "(": "",
		"a.Shop.ask()": "a.Shop", "void a.Shop.ask(int, java.util.Map<int, long>)": "a.Shop",
		"a.Stock.get(int, java.util.List<a.B<c>, d>, long)": "Stock", "a.Stock.get(int, x, java.util.List, y, z, long)": "Stock",
		"a.Stock.get(int, long)": "", "a.Stock.get(java.util.List, long)": "", "a.Stock.get(int, java.util.List)": "", "a.Stock.get(long)": "",
		"a.Stock.get( )": "Stock", "a.Stock.put(int, int)": "Stock", "a.Stock.put": "Stock",
		"Curl_connect": "url", "CURLcode Curl_connect(struct Curl_easy *, bool)": "url", "Curl_resolv": "url", "void Curl_each(void (*)(int), long)": "url", "Curl_resolv(int)": "", "Curl_connect2": "",
		"a.B$1.in": "other", "void a.B$1.in(int)": "other",
	} {
		if got, ok := m.Component(function); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", function, got, ok, want)
		}
	}
	key := schema.EventKey{Component: "lib.c", Lifeline: "main/1", Function: "Curl_connect", Kind: schema.Exit, ExecutionType: "x"}
	want := key
	want.Component = "url"
	expect.Equal(t, m.Map(key), want, "mapped")
	key.Function = "main"
	if got := m.Map(key); got != key || new(Model).Map(key) != key {
		t.Errorf("%+v", got)
	}
}

// TestAccepts compares with the definition: an Any is each number of parameters in turn.
func TestAccepts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	list := func(words string) (out []string) {
		for range rng.IntN(6) {
			out = append(out, strings.Fields(words)[rng.IntN(3)])
		}
		return out
	}
	matched := 0
	for range 20000 {
		want, got := list("a b .."), list("a b b")
		if accepts(want, got) != slow(want, got) {
			t.Fatalf("%v for %v: %v", want, got, accepts(want, got))
		}
		if slow(want, got) {
			matched++
		}
	}
	if matched < 500 {
		t.Errorf("only %d matched", matched)
	}
}

func slow(want, got []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case want[0] == Any:
		return slow(want[1:], got) || len(got) > 0 && slow(want, got[1:])
	}
	return len(got) > 0 && got[0] == want[0] && slow(want[1:], got[1:])
}

// TestFaults points at what is wrong: the mark is cut out before reading.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"✗":                            `the end of the file where a name belongs`,
		"✗{}":                          `"{" where a name belongs`,
		"A ✗in b()":                    `"in" where "{" belongs`,
		"A {✗}":                        `"}" where "in" or "out" belongs`,
		"A {\n\tin b()\n\t✗on c()\n}":  `"on" where "in" or "out" belongs`,
		"A { in b.✗() }":               `"(" where a name belongs`,
		"A { in b.✗in() }":             `"in" has no place here`,
		"A { in b ✗}":                  `"}" where "(" belongs`,
		"A { in b(c,✗) }":              `")" has no place here`,
		"A { in b(✗,) }":               `"," where a name belongs`,
		"A { in b(c✗":                  `the end of the file where a name belongs`,
		"A { in b(✗*) }":               `"*" has no place here`,
		"A { in b() }\n ✗A { in c() }": `component "A" is declared twice`,
		"A { in b() } ✗c -> b":         `"c" is no interface`,
		"A { in b() } b -> ✗A":         `"A" is no interface`,
		"A { in b() } b -> b ✗->":      `"->" where a name belongs`,
		"A { in b() } b ✗b":            `"b" where "{" belongs`,
		"b ✗-> b A { in b() }":         `"->" where "{" belongs`,
		"A { in b() } b -> b ✗A { }":   `"A" is no interface`,
		"A { in b() }\n/* é\n */ ✗/* ": `a comment that does not end`,
		"// é\n// f\r\nA ✗é":           `"é" has no place here`,
		"A { in ✗^() }":                `"^" has no place here`,
		"A { in b() } ✗1":              `"1" where a name belongs`,
		"✗\xff":                        `not UTF-8 text`,
	} {
		before, after, _ := strings.Cut(text, "✗")
		place := fmt.Sprintf("x.arch:%d:%d: ", strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'))
		_, err := Read(strings.NewReader(before+after), "x.arch")
		var bad *schema.SyntaxError
		if !errors.As(err, &bad) || err.Error() != place+want {
			t.Errorf("%q: %v, want %s%s", text, err, place, want)
		}
	}
}

// render writes a model as a file, with blanks and comments where they may be.
func render(m *Model, rng *rand.Rand) string {
	var out strings.Builder
	gap := func() {
		out.WriteString([]string{" ", "\n", " /* } */ ", "\t// {\n", "\r\n"}[rng.IntN(5)])
	}
	put := func(tokens ...string) {
		for _, t := range tokens {
			out.WriteString(t)
			gap()
		}
	}
	name := func(n string) {
		for i, w := range strings.Split(n, ".") {
			if i > 0 {
				put(".")
			}
			if w == "in" || w == "out" || rng.IntN(5) == 0 {
				w = "^" + w
			}
			put(w)
		}
	}
	for _, c := range m.Components {
		name(c.Name)
		put([]string{"", "12"}[rng.IntN(2)], "{")
		for _, f := range c.Interfaces {
			put(map[bool]string{true: "in", false: "out"}[f.Incoming])
			name(f.Name)
			put("(")
			for i, p := range f.Parameters {
				if i > 0 && rng.IntN(2) == 0 {
					put(",")
				}
				if bare := strings.TrimRight(p, "[]"); p == Any {
					put(p)
				} else {
					name(bare)
					put(strings.SplitAfter(p[len(bare):], "]")...)
				}
			}
			put(")")
		}
		put("}")
	}
	for _, c := range m.Connections {
		name(c.From)
		put("->")
		name(c.To)
	}
	return out.String()
}

// TestRoundTrip writes random models and reads them.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	name := func() string {
		words := []string{"a", "b2", "in", "out", "_x", "C$1"}
		out := words[rng.IntN(len(words))]
		for range rng.IntN(3) {
			out += "." + words[rng.IntN(len(words))]
		}
		return out
	}
	for range 500 {
		m := new(Model)
		var all []string
		for i := range 1 + rng.IntN(4) {
			c := Component{Name: fmt.Sprintf("%s.c%d", name(), i)}
			for range 1 + rng.IntN(3) {
				f := Interface{Incoming: rng.IntN(2) == 0, Name: name()}
				for range rng.IntN(4) {
					f.Parameters = append(f.Parameters, []string{Any, name(), name() + "[]", name() + "[][]"}[rng.IntN(4)])
				}
				c.Interfaces = append(c.Interfaces, f)
				all = append(all, f.Name)
			}
			m.Components = append(m.Components, c)
		}
		for range rng.IntN(3) {
			m.Connections = append(m.Connections, Connection{all[rng.IntN(len(all))], all[rng.IntN(len(all))]})
		}
		m.index()
		text := render(m, rng)
		expect.Deep(expect.Must(t), parse(t, text), m, "%s", text)
		for _, c := range m.Components {
			for _, f := range c.Interfaces {
				if _, ok := m.Component("int " + f.Name + "(" + strings.ReplaceAll(strings.Join(f.Parameters, ", "), Any, "x, y") + ")"); !ok {
					t.Fatalf("%+v is not found", f)
				}
			}
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, io.ErrClosedPipe }
func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFailures(t *testing.T) {
	if _, err := Read(broken{}, "x"); err != io.ErrClosedPipe {
		t.Error(err)
	}
	if err := new(Model).AspectJ(broken{}, ComponentProbe); err != io.ErrClosedPipe {
		t.Error(err)
	}
	if _, err := Read(strings.NewReader(strings.Repeat(" ", maxBytes+1)), "x"); !errors.Is(err, errLarge) {
		t.Error(err)
	}
}

// FuzzRead reads anything: a fault has a place in the text, and a model can be written.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"A { in a.b(..) out c(d[], e f) } a.b -> c", "A 1 { in b() } /* */ // x", "A{in ^in()}", "A{in b(", "->"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Read(strings.NewReader(text), "x")
		var bad *schema.SyntaxError
		if err != nil {
			if lines := strings.Split(text, "\n"); !errors.As(err, &bad) || bad.Line < 1 || bad.Line > int64(len(lines)) ||
				bad.Col < 1 || bad.Col > int64(len(lines[bad.Line-1]))+1 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		m.Component(text)
		if len(m.Components) == 0 || xml.Unmarshal([]byte(aspects(t, m)), new(struct{})) != nil {
			t.Errorf("%q: %+v", text, m)
		}
	})
}
