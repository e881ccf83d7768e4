package jsontext

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tracelake/tracelake/testdata/expect"
)

// members reads an object by Members as a list of names and values, an array of numbers for those not looked for.
func members(r *Reader, names *Names, list []string) (seen string, err error) {
	err = r.Members(names, func(which int) error {
		s, err := r.String()
		seen += fmt.Sprintf("%s=%q ", list[which], s)
		return err
	})
	return seen, err
}

// Members gives what Object gives, whatever came before and wherever the text is cut.
func TestMembers(t *testing.T) {
	list := []string{"a", "name", "scope", "longer", "longest of all", "", "ph", "phase"}
	objects := []string{
		`{"a":"1","name":"2","scope":"3","longer":"4","longest of all":"5","":"6","ph":"7","phase":"8"}`,
		`{"name":"1","a":"2","scope":"3"}`, `{"a":"1","scope":"2","name":"3"}`, `{"a":"1","names":"2","name":"3"}`,
		`{"nam":1,"name":"2","\u0061":"3","a":"4"}`, `{ "a" : "1" , "name" :"2","scope": "3"}`, `{}`, `{"a":"1","a":"2","x":[{"a":{}}],"a":"3"}`,
	}
	for first := range objects {
		for second := range objects {
			text := strings.Repeat(objects[first]+"\n", 3) + objects[second] + objects[first]
			for name, source := range map[string]io.Reader{
				"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text)),
				"cut": io.MultiReader(strings.NewReader(text[:len(text)*2/3]), strings.NewReader(text[len(text)*2/3:])),
			} {
				r, plain, names := New(source, "f"), New(strings.NewReader(text), "f"), NewNames(list...)
				for plain.Kind() == Object {
					want := ""
					plain.Object(func(name []byte) error {
						for _, known := range list {
							if key := string(name); known == key {
								s, _ := plain.String()
								want += fmt.Sprintf("%s=%q ", key, s)
							}
						}
						return nil
					})
					if got, err := members(r, names, list); got != want || err != nil {
						t.Fatalf("%s of %s: %v, %s, want %s", name, text, err, got, want)
					}
				}
				if r.Kind() != End {
					t.Fatalf("%s: more than %s", name, text)
				}
			}
		}
	}
	if err := New(strings.NewReader(`{"a" 1}`), "f").Members(NewNames("a"), nil); err == nil || err.Error() != "f:1:6: expected a colon, found '1'" {
		t.Error(err)
	}
	names, left := NewNames("a"), func(int) error { return nil }
	r := New(strings.NewReader(`{"a":1}`+"\n"+`{"a" 1}`), "f")
	if first, second := r.Members(names, left), r.Members(names, left); first != nil || second == nil || second.Error() != "f:2:6: expected a colon, found '1'" {
		t.Error(first, second)
	}
	r = New(strings.NewReader(`{"a":1,"a":2}{"a":1,"a":2}`), "f")
	calls := 0
	at := func(int) error {
		if calls++; calls == 4 {
			return r.At(io.ErrNoProgress)
		}
		return nil
	}
	if first, second := r.Members(names, at), r.Members(names, at); first != nil || second == nil || !strings.HasPrefix(second.Error(), "f:1:21: ") {
		t.Error(first, second)
	}
	if err := New(strings.NewReader(`[1]`), "f").Members(NewNames("a"), nil); err == nil || err.Error() != "expected an object, found an array" {
		t.Error(err)
	}
}

// SmallString and FixedPoint take what String takes, or nothing, wherever the text is cut.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{`""`, `"1"`, `"1234567"`, `"12345678"`, `"\u0000"`, `"a\n"`, `1`, `1234567`, `12345678`, `01`, `0`, `-1`, `1.5`, `1.`, `.5`, `1e3`, `0.001`, `0.0001`,
		`999999999999999.999`, `9999999999999999.99`, `123456789012345678901`, `00.5`, `12:`, `1/2`, "\"a\x01\"", `null`, `[1]`, ` 7`, `1a`, "1\x00", "1\x01", "1\x02", "\x03", `"ab`, "3\xfa", "\"é\"", "7 "} {
		for _, end := range []string{",", "}", "]", "", " ,"} {
			f.Add(s + end)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, source := range map[string]func() io.Reader{
			"whole": func() io.Reader { return strings.NewReader(text) },
			"bytes": func() io.Reader { return iotest.OneByteReader(strings.NewReader(text)) },
		} {
			ref, r := New(source(), "f"), New(source(), "f")
			want, err := ref.String()
			if s, ok := r.SmallString(); ok {
				if err != nil || s.Text() != string(want) || r.pos != ref.pos || r.tok != ref.tok {
					t.Fatalf("%s: %q: the short text %q, want %q, %v", name, text, s.Text(), want, err)
				}
				if same, ok := NewSmallString(want); !ok || same != s {
					t.Fatalf("%q is %x, want %x", want, s, same)
				}
				if b := s.Byte(); len(want) == 1 && b != want[0] || len(want) != 1 && b != 0 {
					t.Fatalf("%q is the byte %q", want, b)
				}
			} else if r.pos != New(source(), "f").pos {
				t.Fatalf("%s: %q: something is taken", name, text)
			}
			r = New(source(), "f")
			if v, ok := r.FixedPoint(3); ok {
				whole, fraction, _ := strings.Cut(string(want), ".")
				exact, wrong := strconv.ParseInt(whole+(fraction + "000")[:3], 10, 64)
				if err != nil || wrong != nil || len(fraction) > 3 || v != exact || r.pos != ref.pos {
					t.Fatalf("%s: %q: %d thousandths, want %d, %v", name, text, v, exact, err)
				}
			}
		}
	})
}

// What is common in traces is taken by the quick way.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`"1234567",`: "1234567", `1234567}`: "1234567", `"",`: "", `0,`: "0", `"B"}`: "B", `"é"`: "é",
		`"12345678"`: "no", `12345678,`: "no", `1.5,`: "no", `01,`: "no", ` 1,`: "no", `-1,`: "no", "1\x01,": "no", `,`: "no", `"a\n"`: "no", "": "no",
	} {
		got := "no"
		if s, ok := New(strings.NewReader(text), "f").SmallString(); ok {
			got = s.Text()
		}
		expect.Equal(t, got, want, "%q", text)
	}
	for text, want := range map[string]int64{
		`1.5,`: 1500, `0}`: 0, `12,`: 12000, `3552235441.123}`: 3552235441123, `999999999999999.999,`: 999999999999999999,
		`1.5001,`: -1, `1e3,`: -1, `1234567890123456,`: -1, `01,`: -1, `1.,`: -1, `1 `: -1, `"1",`: -1, "": -1, `-1,`: -1,
	} {
		v, ok := New(strings.NewReader(text), "f").FixedPoint(3)
		if !ok {
			v = -1
		}
		expect.Equal(t, v, want, "%q", text)
	}
}
