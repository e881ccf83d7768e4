package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// decode reads all values of a text into the types of encoding/json, and the error at its end, if any.
func decode(r *Reader) (values []any, err error) {
	for r.Kind() != End {
		v, err := value(r)
		if err != nil {
			return values, err
		}
		values = append(values, v)
	}
	return values, r.Err()
}

func value(r *Reader) (any, error) {
	switch r.Kind() {
	case Object:
		m := map[string]any{}
		err := r.Object(func(name []byte) (err error) {
			key := utf8Of(name)
			m[key], err = value(r)
			return err
		})
		return m, err
	case Array:
		a := []any{}
		err := r.Array(func() error {
			v, err := value(r)
			a = append(a, v)
			return err
		})
		return a, err
	case String:
		s, err := r.String()
		return utf8Of(s), err
	case Number:
		s, err := r.String()
		return json.Number(s), err
	case Bool:
		return r.Bool()
	}
	return nil, r.Skip()
}

// utf8Of replaces every byte that is no UTF-8, as encoding/json does.
func utf8Of(s []byte) string { return string([]rune(string(s))) }

// reference is what encoding/json reads.
func reference(text []byte) (values []any, err error) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	d.UseNumber()
	for {
		var v any
		switch err := d.Decode(&v); err {
		case nil:
			values = append(values, v)
		case io.EOF:
			return values, nil
		default:
			return values, err
		}
	}
}

var seeds = []string{
	`{"a":[1,-0,1.5e+3,"b\n\u00e9\ud83d\ude00\ud800x",true,false,null,{}],"":[]}`, "\xef\xbb\xbf[1]", "1 2\n{\"a\":1}\n[]", `{}{}"a""b"`,
	`[1,]`, `{"a":1,}`, `[1`, `{"a"`, `{"a":`, `"abc`, `"\u12`, `01`, `-`, `1.`, `1e`, `tru`, `trux`, "\"\x01\"", "\"\x00\"", "\x00", `]`, `{1:2}`,
	`{"a" 1}`, `[1 2]`, "\"\xff\xc3\"", `"\x"`, `"\ud83d\u0041"`, `nullnull`, `1"a"`, "[\"1234567\",\"12345678\\\"9\"]", `"\/"`, `{"a":1 "b":2}`, "",
	`"\ud83d\ude00"`, `[01,1]`, `[-01 ]`, `[0.5,10,-0 ]`,
}

// The values are those of encoding/json, and the text is accepted where it is, however the source cuts it.
func FuzzOracle(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > MaxDepth {
			return // Values may lie deeper in each other than they are read here. encoding/json goes deeper.
		}
		want, wantErr := reference(text)
		for name, source := range map[string]io.Reader{
			"whole": bytes.NewReader(text), "bytes": iotest.OneByteReader(bytes.NewReader(text)),
			"error with data": iotest.DataErrReader(bytes.NewReader(text)),
		} {
			got, err := decode(New(source, "f"))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %q: error %v, want %v", name, text, err, wantErr)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %q: read %#v, want %#v", name, text, got, want)
			}
			if wantErr == io.ErrUnexpectedEOF != errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%s: %q: error %v, want %v", name, text, err, wantErr)
			}
			skipped(t, text, len(want), wantErr == nil)
		}
	})
}

// skipped checks that skipping accepts what reading accepts.
func skipped(t *testing.T, text []byte, values int, good bool) {
	r, n := New(iotest.HalfReader(bytes.NewReader(text)), "f"), 0
	for r.Kind() != End && r.Skip() == nil {
		n++
	}
	if n != values || (r.Err() == nil) != good {
		t.Fatalf("%q: skipped %d values with error %v, want %d", text, n, r.Err(), values)
	}
}

// Int is what exact arithmetic makes of the number.
func FuzzInt(f *testing.F) {
	for _, s := range []string{"0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1.50e1", "1.5e0", "0e99", "-0.0",
		"12e-1", "120e-1", "922337203685477580.7e1", "1e18", "1e19", "00", "-", ".", ".e-5", "-.e-1", "1e", "+1", "1e+2", "1.2.3", "0.000", "1e40", "0E10000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 60 || !json.Valid([]byte(text)) {
			return
		}
		var n json.Number
		if json.Unmarshal([]byte(text), &n) != nil || text[0] == '"' || n == "" {
			return
		}
		e := strings.IndexAny(text, "eE")
		if e >= 0 && len(text)-e > 15 {
			return // an exponent beyond 64 bits
		}
		near := text
		if e >= 0 {
			// Of at most 60 digits the first is no integer below 1e-100, and the last is none of 64 bits from 1e100 on: big need not go farther.
			exponent, err := strconv.Atoi(text[e+1:])
			if err != nil {
				return // blanks behind it
			}
			near = text[:e+1] + strconv.Itoa(min(max(exponent, -100), 100))
		}
		exact, ok := new(big.Rat).SetString(near)
		if !ok {
			return // blanks around it
		}
		for _, written := range []string{text, `"` + text + `"`} {
			got, err := New(bytes.NewReader([]byte(written)), "f").Int()
			fits := exact.IsInt() && exact.Num().IsInt64()
			if (err == nil) != fits || fits && got != exact.Num().Int64() {
				t.Fatalf("%s is %d, %v; want %v, which fits: %v", written, got, err, exact, fits)
			}
		}
	})
}
