package chrome

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
	"golang.org/x/tools/txtar"
)

// stories are the traces of the golden tests.
func stories(t testing.TB) (texts []string) {
	files := expect.Value(filepath.Glob("testdata/*.txtar"))(t)
	for _, path := range files {
		text := expect.Value(os.ReadFile(path))(t)
		texts = append(texts, string(txtar.Parse(text).Files[0].Data))
	}
	return texts
}

// Whatever the bytes are, there is no panic, events come in the order of time with good names, and a message is sent and
// received once at most, and sent first unless it was received at an earlier time, or by the same call, which is entered before it is left.
func FuzzRead(f *testing.F) {
	for _, text := range stories(f) {
		for _, component := range []string{"", byCategory} {
			f.Add(text, component)
		}
	}
	// An object of a profile's event that is not called data holds no part of the profile.
	f.Add(`[{"args":{"other":{"startTime":100}},"id":"1","name":"Profile","ph":"P","pid":7,"tid":1,"ts":100},
		{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"(root)"},"id":1},{"callFrame":{"functionName":"f"},"id":2,"parent":1}],
		"samples":[2,2]},"timeDeltas":[5,10]}},"id":"1","name":"ProfileChunk","ph":"P","pid":7,"tid":2,"ts":120}]`, "")
	f.Fuzz(func(t *testing.T, text, component string) {
		r := read(text, options{component: component})
		var last int64
		const sent, received = 1, 2
		messages, receipts := map[int64]int{}, map[int64]event1{}
		for i, e := range r.events {
			if i > 0 && e.TimeNs < last {
				t.Fatalf("event %d at %d comes after %d", i, e.TimeNs, last)
			}
			last = e.TimeNs
			for _, name := range []string{e.Component, e.Lifeline, e.Function} {
				if name == "" || !utf8.ValidString(name) {
					t.Fatalf("event %d has the name %q", i, name)
				}
			}
			if (e.Direction == schema.NoMessage) != (e.ID == schema.NoValue) {
				t.Fatalf("event %d: %+v", i, e)
			}
			did := map[schema.Direction]int{schema.Send: sent, schema.Receive: received}[e.Direction]
			if messages[e.ID]&did > 0 {
				t.Fatalf("event %d: %+v comes twice", i, e)
			}
			if e.Direction == schema.Send && messages[e.ID] == received && e.TimeNs == receipts[e.ID].TimeNs && (e.Lifeline != receipts[e.ID].Lifeline || e.Function != receipts[e.ID].Function) {
				t.Fatalf("event %d: %+v comes too late", i, e)
			}
			if messages[e.ID] |= did; did == received {
				receipts[e.ID] = e
			}
		}
		if strict := read(text, options{component: component, strict: true}); strict.err == nil && !slices.Equal(strict.events, r.events) {
			t.Fatalf("a strict reading gives %v, want %v", strict.events, r.events)
		}
		if tagged := read(text, options{component: component, attributes: []string{"all"}}); !slices.Equal(tagged.events, r.events) || fmt.Sprint(tagged.err) != fmt.Sprint(r.err) {
			t.Fatalf("attributes change events: %v, %v, want %v, %v", tagged.events, tagged.err, r.events, r.err)
		}
		Detect([]byte(text))
	})
}

// A time is what exact arithmetic makes of it, rounded down.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"0", "1.5", "-0.0001", "12345678901234567890.5e-5", "9223372036854775.807", "9223372036854775.808", "-9223372036854775.808", "1e3", "0e999", "1e-999",
		"0.0000000000001", "-1.0009999999", "00012.5", "1234567890123456.789", "1.", ".5", "1e", "+1", "--1", "1.2.3", "1e+3", "1E-3", ""} {
		f.Add(s)
	}
	micro, limit := big.NewRat(1000, 1), new(big.Int).Lsh(big.NewInt(1), 63)
	f.Fuzz(func(t *testing.T, s string) {
		m, good, fits := microseconds([]byte(s))
		exact, ok := new(big.Rat).SetString(s)
		for _, c := range s {
			ok = ok && (c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+')
		}
		if ok && (s[0] == '+' || s[0] == '.' || s[0] == '-' && (len(s) < 2 || s[1] == '.') || s[len(s)-1] == '.') || len(s) > 30 {
			return // which big takes and JSON does not
		}
		if good && !ok && len(s) < 7 { // big knows no great exponents
			t.Fatalf("%q is taken for a time, %v", s, m)
		}
		if !good || !ok {
			return
		}
		ns := new(big.Int)
		exact.Mul(exact, micro)
		ns.Div(exact.Num(), exact.Denom()) // rounds down, since denominators are above 0
		inside := new(big.Int).Abs(ns).Cmp(limit) < 0
		if fits != inside && new(big.Int).Neg(ns).Cmp(limit) != 0 || fits && m.ns != ns.Int64() {
			// Decimals beyond the twelfth are not looked at, which can matter below zero only.
			if s[0] == '-' && fits && m.ns == ns.Int64()+1 {
				return
			}
			t.Fatalf("%q is %d (fits: %v), want %v", s, m.ns, fits, ns)
		}
	})
}
