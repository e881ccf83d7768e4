package console

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPlain checks that text comes through alike however it is cut into writes, also within a letter, and that line ends and
// tabs stay.
func TestPlain(t *testing.T) {
	const text = "plain\tline\n\x1b[2J größe 日本 🙂 \u009b\xff\xe2\x82\n\xf0\x9f"
	want := string(texttab.AppendPrintable(nil, []byte(text), "\n\t"))
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var out bytes.Buffer
		p := NewPlain(&out)
		for rest := text; rest != ""; {
			n := min(1+rng.IntN(5), len(rest))
			if took, err := p.Write([]byte(rest[:n])); took != n || err != nil {
				t.Fatalf("%d of %d bytes, %v", took, n, err)
			}
			rest = rest[n:]
		}
		expect.OK(t, p.Close())
		expect.Equal(t, out.String(), want, "text")
	}
	if strings.ContainsAny(want, "\x1b\u009b") {
		t.Errorf("%q has control characters", want)
	}
}

// TestPlainJSON checks that JSON means the same behind Plain, whatever its strings hold.
func TestPlainJSON(t *testing.T) {
	name := "\x1b[1m\x7f\u009b\u202e\n\"\\ü"
	text := expect.Value(json.Marshal(name))(t)
	var out bytes.Buffer
	expect.Value(NewPlain(&out).Write(text))(t)
	var got string
	expect.OK(t, json.Unmarshal(out.Bytes(), &got))
	expect.Equal(t, got, name, "name")
	expect.Equal(t, bytes.ContainsAny(out.Bytes(), "\x7f\u009b\u202e"), false, "control characters in %q", out.Bytes())
}

// TestReportIsPlain checks that an error that names what a trace holds commands no terminal.
func TestReportIsPlain(t *testing.T) {
	var said strings.Builder
	Report("prog", Usagef("it has \x1b[2Jmain"), &said)
	expect.Equal(t, said.String(), "prog: it has \\u001b[2Jmain\n", "report")
}
