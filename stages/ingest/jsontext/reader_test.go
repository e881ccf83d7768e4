package jsontext

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The fault is where ✗ stands, which is cut out first.
func TestPlaces(t *testing.T) {
	for _, marked := range []string{
		"✗]", "[1,\n 2✗ 3]", "{\"a\":1,\r\n\"b\"✗ 2}", "[\n\n✗,1]", "[\"a✗\x01\"]", "[1]\n{✗1}", `[tr✗x]`, `["\✗x"]`, `[1,✗]`, "{}\n\"a✗", "[1.✗]", "[✗",
	} {
		text := strings.Replace(marked, "✗", "", 1)
		before := marked[:strings.Index(marked, "✗")]
		// Some faults are found behind the blanks that follow.
		before += text[len(before) : len(text)-len(strings.TrimLeft(text[len(before):], " \r\n"))]
		line := int64(strings.Count(before, "\n")) + 1
		col := int64(len(before) - strings.LastIndexByte(before, '\n'))
		for _, pad := range []int{0, first - 5, first, ahead - 5, ahead, 3 * ahead} {
			r := New(strings.NewReader(strings.Repeat("\n", pad)+text), "f.json")
			_, err := decode(r)
			var at *schema.SyntaxError
			if !errors.As(err, &at) || at.File != "f.json" || at.Line != line+int64(pad) || at.Col != col {
				t.Errorf("%q behind %d lines: %v, want line %d column %d", marked, pad, err, line+int64(pad), col)
			}
			if r.Kind() != Bad || !errors.Is(r.Skip(), r.Err()) {
				t.Errorf("%q can be read on after its fault", marked)
			}
		}
	}
}

// At is where the value in hand begins, wherever the buffer ends.
func TestAt(t *testing.T) {
	pads := make([]int, 0, 160)
	for i := range 80 {
		pads = append(pads, first-40+i, ahead-40+i)
	}
	for _, pad := range pads {
		r := New(strings.NewReader("[\n"+strings.Repeat(" ", pad)+`{"a": "`+strings.Repeat("x", 30)+`"}]`), "f")
		err := r.Array(func() error {
			return r.Object(func(name []byte) error {
				expect.Equal(expect.Must(t), string(name), "a", "name %q behind %d blanks", name, pad)
				if s, err := r.String(); err != nil || string(s) != strings.Repeat("x", 30) {
					t.Fatalf("%q, %v behind %d blanks", s, err, pad)
				}
				return r.At(errors.New("wrong"))
			})
		})
		expect.Equal(expect.Must(t), err.Error(), fmt.Sprintf("f:2:%d: wrong", pad+7), "error")
	}
}

func TestLenient(t *testing.T) {
	for text, want := range map[string]string{
		`[1,]`: "[[1]]", `[1`: "[[1]]", `[1,`: "[[1]]", `[`: "[[]]", `[1, `: "[[1]]", `[[1],[2`: "[[[1] [2]]]", `{"a":1,}`: "[map[a:1]]", `[{"a":[1]},]`: "[[map[a:[1]]]]",
		"[\"a\nb\"]": "[[a\nb]]", "[\n": "[[]]",
		"[{}\n{}]": "[[map[] map[]]]", `[1{"a":2}`: "[[1 map[a:2]]]",
		`{"a":{}{}}`: "error", `[{}1]`: "error",
		`[,]`: "error", `[1,,]`: "error", `{,}`: "error", `{"a":1`: "error", `[{"a":1`: "error", `[{"a":1,`: "error", `["a`: "error", `[1}`: "error", `[1 2]`: "error",
		"[\"a\x00": "error", `[tru`: "error", `[-`: "error",
	} {
		r := New(strings.NewReader(text), "f")
		r.Lenient = true
		got := "error"
		if values, err := decode(r); err == nil {
			got = fmt.Sprint(values)
		}
		expect.Equal(t, got, want, "%q", text)
	}
}

// A comma between values in no array is taken where it is asked for.
func TestComma(t *testing.T) {
	r := New(strings.NewReader(" {} \n, {}{}, 1 x"), "f")
	for i, want := range []Kind{Object, Object, Object, Number} {
		r.Comma()
		expect.Equal(expect.Must(t), r.Kind(), want, "kind of value %d", i)
		expect.OK(t, r.Skip())
	}
	if r.Comma(); r.Kind() != Bad {
		t.Errorf("a letter is passed over")
	}
}

// What a callback leaves is skipped, and a value of another kind stays where it is.
func TestLeft(t *testing.T) {
	r := New(strings.NewReader(`{"a":[1,{"b":2}],"c":"7","d":null,"e":8.5,"f":{}} 9`), "f")
	var seen []string
	err := r.Object(func(name []byte) error {
		n := string(name)
		v, err := r.Int()
		seen = append(seen, fmt.Sprint(n, v, err, r.Err()))
		return nil
	})
	want := "a0 expected a string, found an array <nil>|c7 <nil> <nil>|d0 expected a string, found null <nil>|" +
		"e0 expected an integer of 64 bits <nil>|f0 expected a string, found an object <nil>"
	if got := strings.Join(seen, "|"); err != nil || got != want {
		t.Errorf("%v, %s, want %s", err, got, want)
	}
	if v, err := r.Int(); v != 9 || err != nil || r.Kind() != End {
		t.Errorf("%d, %v, want 9 and the end", v, err)
	}
}

func TestBounds(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth)
	if err := New(strings.NewReader(deep+strings.Repeat("]", MaxDepth)), "f").Skip(); err != nil {
		t.Error(err)
	}
	if err := New(strings.NewReader(deep+"["), "f").Skip(); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d arrays in each other: %v", MaxDepth+1, err)
	}
	long := func() io.Reader {
		return io.MultiReader(strings.NewReader(`"`), &repeated{left: 3 * MaxToken}, strings.NewReader(`" 1`))
	}
	r := New(long(), "f")
	if err := r.Skip(); err != nil || len(r.buf) != ahead+word {
		t.Errorf("a long string was skipped with error %v in %d bytes", err, len(r.buf))
	}
	if v, err := r.Int(); v != 1 || err != nil {
		t.Errorf("%d, %v behind a long string", v, err)
	}
	if _, err := New(long(), "f").String(); err == nil {
		t.Errorf("a string of %d bytes was read", 3*MaxToken)
	}
}

// repeated is a long run of one byte.
type repeated struct{ left int }

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	r.left -= n
	return n, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// An error of the source comes through, with the place; a source that gives nothing is not read for ever.
func TestSource(t *testing.T) {
	broken := errors.New("broken")
	err := New(io.MultiReader(strings.NewReader(`[1,`), failing{broken}), "f").Skip()
	if !errors.Is(err, broken) || err.Error() != "f:1:4: broken" {
		t.Error(err)
	}
	if err := New(failing{nil}, "f").Skip(); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}
