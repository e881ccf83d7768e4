package ctf

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A layoutOf says what a random field is in both languages, and writes random values of it bit by bit. It knows nothing of the reader.
type layoutOf struct {
	tsdl  func(name string) string // a declaration
	class map[string]any           // the field class
	align int                      // bits
	write func(w *bitWriter) string
	shown bool // the value is an attribute
}

// maker makes random fields of one trace.
type maker struct {
	*rand.Rand
	big   bool
	count *uint64 // the last value that may be a length or a choice
}

// namedLayout is a field.
type namedLayout struct {
	name string
	layoutOf
}

// orders are the words of both languages for a byte order.
func orders(big bool) (tsdl, class string) {
	if big {
		return "be", "big-endian"
	}
	return "le", "little-endian"
}

// integer is one of some bits. Fields of the other byte order are whole bytes.
func (m *maker) integer(bits, align int, signed, big bool) layoutOf {
	short, long := orders(big)
	kind := "fixed-length-unsigned-integer"
	if signed {
		kind = "fixed-length-signed-integer"
	}
	return layoutOf{
		tsdl: func(name string) string {
			return fmt.Sprintf("integer { size = %d; align = %d; signed = %v; byte_order = %s; } %s;", bits, align, signed, short, name)
		},
		class: map[string]any{"type": kind, "length": bits, "alignment": align, "byte-order": long},
		align: align, shown: true,
		write: func(w *bitWriter) string {
			v := m.Uint64() >> (64 - bits)
			w.align(align)
			w.putAs(big, v, bits)
			if signed {
				return strconv.FormatInt(int64(v<<(64-bits))>>(64-bits), 10)
			}
			return strconv.FormatUint(v, 10)
		},
	}
}

// putAs writes bits in a byte order, which for another one than that of the trace must be whole bytes at a byte.
func (w *bitWriter) putAs(big bool, v uint64, bits int) {
	was := w.layout.big
	w.layout.big = big
	w.put(v, bits)
	w.layout.big = was
}

// anyInteger is an integer of any size and alignment.
func (m *maker) anyInteger() layoutOf {
	if m.IntN(3) == 0 {
		return m.integer(8*(1+m.IntN(8)), 8<<m.IntN(4), m.IntN(2) == 0, !m.big)
	}
	return m.integer(1+m.IntN(64), 1<<m.IntN(7), m.IntN(2) == 0, m.big)
}

// enumeration is an integer that has names for some of its values.
func (m *maker) enumeration() layoutOf {
	bits := 3 + m.IntN(6)
	short, _ := orders(m.big)
	of := m.integer(bits, 1, false, m.big)
	of.tsdl = func(name string) string {
		return fmt.Sprintf("enum : integer { size = %d; align = 1; byte_order = %s; } { ZERO, ONE, FEW = 2 ... 4, \"next one\", } %s;", bits, short, name)
	}
	of.class = nil // names are not read of CTF 2
	write := of.write
	of.write = func(w *bitWriter) string {
		value := write(w)
		names := map[string]string{"0": "ZERO", "1": "ONE", "2": "FEW", "3": "FEW", "4": "FEW", "5": "next one"}
		if name := names[value]; name != "" {
			return name
		}
		return value
	}
	return of
}

// text is a string up to its zero byte, or an array of bytes that holds one.
func (m *maker) text() layoutOf {
	word := func() string { return strings.Repeat("xyz", 3)[:m.IntN(8)] }
	if m.IntN(2) == 0 {
		return layoutOf{
			tsdl: func(name string) string { return "string " + name + ";" }, class: map[string]any{"type": "null-terminated-string"}, align: 8, shown: true,
			write: func(w *bitWriter) string {
				s := word()
				w.text(s, 0)
				return s
			},
		}
	}
	return layoutOf{
		tsdl:  func(name string) string { return "integer { size = 8; align = 8; encoding = UTF8; } " + name + "[9];" },
		class: map[string]any{"type": "static-length-string", "length": 9}, align: 8, shown: true,
		write: func(w *bitWriter) string {
			s := word()
			w.text(s, 9)
			return s
		},
	}
}

// floating is a number of IEEE 754.
func (m *maker) floating() layoutOf {
	short, long := orders(m.big)
	return layoutOf{
		tsdl: func(name string) string {
			return "floating_point { exp_dig = 11; mant_dig = 53; align = 8; byte_order = " + short + "; } " + name + ";"
		},
		class: map[string]any{"type": "fixed-length-floating-point-number", "length": 64, "alignment": 8, "byte-order": long}, align: 8, shown: true,
		write: func(w *bitWriter) string {
			v := m.NormFloat64()
			w.align(8)
			w.put(math.Float64bits(v), 64)
			return strconv.FormatFloat(v, 'g', -1, 64)
		},
	}
}

// array is a number of fields, fixed or told by the integer of a name before it. It is passed over.
func (m *maker) array(of layoutOf, told string) layoutOf {
	n := m.IntN(4)
	out := layoutOf{
		tsdl:  func(name string) string { return of.tsdl(fmt.Sprintf("%s[%d]", name, n)) },
		class: map[string]any{"type": "static-length-array", "length": n, "element-field-class": of.class}, align: of.align,
	}
	if told != "" {
		out.tsdl = func(name string) string { return of.tsdl(name + "[" + told + "]") }
		out.class = map[string]any{"type": "dynamic-length-array", "length-field-location": map[string]any{"path": []string{told}}, "element-field-class": of.class}
	}
	if of.class == nil {
		out.class = nil
	}
	out.write = func(w *bitWriter) string {
		w.align(of.align)
		if told != "" {
			n = int(*m.count)
		}
		for range n {
			of.write(w)
		}
		return ""
	}
	return out
}

// structure is two fields in one, which is aligned as its members are.
func (m *maker) structure(a, b layoutOf) layoutOf {
	align := max(a.align, b.align)
	out := layoutOf{
		tsdl:  func(name string) string { return "struct { " + a.tsdl("a") + b.tsdl("b") + " } " + name + ";" },
		class: map[string]any{"type": "structure", "member-classes": []any{map[string]any{"name": "a", "field-class": a.class}, map[string]any{"name": "b", "field-class": b.class}}},
		align: align,
		write: func(w *bitWriter) string {
			w.align(align)
			a.write(w)
			b.write(w)
			return ""
		},
	}
	if a.class == nil || b.class == nil {
		out.class = nil
	}
	return out
}

// choice is one of two fields, by the field of a name: up to one, or more.
func (m *maker) choice(a, b layoutOf, told string) layoutOf {
	option := func(name string, of layoutOf, from, to int) any {
		return map[string]any{"name": name, "field-class": of.class, "selector-field-ranges": [][2]int{{from, to}}}
	}
	out := layoutOf{
		tsdl: func(name string) string {
			return "variant <" + told + "> { " + a.tsdl("FEW") + b.tsdl("MANY") + " } " + name + ";"
		},
		class: map[string]any{"type": "variant", "selector-field-location": map[string]any{"path": []string{told}}, "options": []any{option("FEW", a, 0, 1), option("MANY", b, 2, 3)}},
		align: 1,
		write: func(w *bitWriter) string {
			if *m.count <= 1 {
				a.write(w)
			} else {
				b.write(w)
			}
			return ""
		},
	}
	if a.class == nil || b.class == nil {
		out.class = nil
	}
	return out
}

// leaf is a field without fields in it.
func (m *maker) leaf() layoutOf {
	switch m.IntN(18) {
	case 0:
		return m.enumeration()
	case 1, 2, 3:
		return m.text()
	case 4, 5, 6:
		return m.floating()
	}
	return m.anyInteger()
}

// element is a leaf of which an array is no text.
func (m *maker) element() layoutOf {
	for {
		of := m.leaf()
		if text := of.tsdl(""); !strings.Contains(text, "size = 8;") || strings.Contains(text, "encoding") {
			return of
		}
	}
}

// count2 is a field of two bits that lengths and choices refer to.
func (m *maker) count2(enum bool) layoutOf {
	of := m.integer(2, 1, false, m.big)
	short, _ := orders(m.big)
	if enum {
		of.tsdl = func(name string) string {
			return "enum : integer { size = 2; align = 1; byte_order = " + short + "; } { FEW = 0 ... 1, MANY = 2 ... 3 } " + name + ";"
		}
		of.shown = false
	}
	write := of.write
	of.write = func(w *bitWriter) string {
		s := write(w)
		*m.count = expect.Value(strconv.ParseUint(s, 10, 64))(nil)
		return s
	}
	return of
}

// event makes the fields of an event.
func (m *maker) event() []namedLayout {
	var out []namedLayout
	add := func(name string, of layoutOf) { out = append(out, namedLayout{name, of}) }
	for i := range 1 + m.IntN(5) {
		name := fmt.Sprintf("f%d", i)
		switch m.IntN(7) {
		case 0:
			add(name, m.array(m.element(), ""))
		case 1:
			add("count"+name, m.count2(false))
			add(name, m.array(m.element(), "count"+name))
		case 2:
			add(name, m.structure(m.leaf(), m.leaf()))
		case 3:
			add("kind"+name, m.count2(true))
			add(name, m.choice(m.structure(m.leaf(), m.leaf()), m.anyInteger(), "kind"+name))
		default:
			add(name, m.leaf())
		}
	}
	return out
}

// TestRandomTraces reads traces of random layouts, and finds in the fields what was written, in both languages.
func TestRandomTraces(t *testing.T) {
	second := 0
	for seed := range uint64(300) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 3)), count: new(uint64)}
		m.big = m.IntN(2) == 0
		first, fragments, stream, want := m.trace(t)
		for _, metadata := range [][]byte{first, fragments} {
			if metadata == nil {
				continue
			}
			reading := readertest.Reading(fstest.MapFS{"metadata": {Data: metadata}, "s": {Data: stream}}, ".")
			reading.Options.Attributes = strings.Fields("f0 f1 f2 f3 f4 countf0 countf1 countf2 countf3 countf4") // and not kinds, which have names in one language only
			got := readertest.Attributes(t, Format(), reading)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: got\n%s\nwant\n%s\nof\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"), metadata)
			}
		}
		if fragments != nil {
			second++
		}
	}
	if second < 50 {
		t.Errorf("%d traces of CTF 2", second)
	}
}

// trace makes a trace of three kinds of events: its metadata in both languages, its stream and what the fields of its events say. The metadata of
// CTF 2 are nil where the two languages would show a value differently.
func (m *maker) trace(t *testing.T) (first, fragments, stream []byte, want []string) {
	short, long := orders(m.big)
	idBits, timeBits, align := 2+m.IntN(8), 20+m.IntN(45), 1<<m.IntN(4)
	var text strings.Builder
	fmt.Fprintf(&text, "trace { major = 1; minor = 8; byte_order = %s; };\nenv { domain = \"app\"; };\n", short)
	fmt.Fprintf(&text, "stream { event.header := struct { integer { size = %d; align = %d; } id; integer { size = %d; align = 1; } timestamp; }; };\n", idBits, align, timeBits)
	both := true
	var out []byte
	put := func(o map[string]any) { out = append(append(out, sequenceMark), expect.Value(json.Marshal(o))(t)...) }
	header := func(name, role string, bits, align int) any {
		return map[string]any{"name": name, "field-class": map[string]any{
			"type": "fixed-length-unsigned-integer", "length": bits, "alignment": align, "byte-order": long, "roles": []string{role}}}
	}
	put(map[string]any{"type": "preamble", "version": 2})
	put(map[string]any{"type": "trace-class", "environment": map[string]any{"domain": "app"}})
	put(map[string]any{"type": "data-stream-class", "event-record-header-field-class": map[string]any{"type": "structure", "member-classes": []any{
		header("x", "event-record-class-id", idBits, align), header("y", "default-clock-timestamp", timeBits, 1)}}})
	var kinds [][]namedLayout
	for id := range 3 {
		fields := m.event()
		kinds = append(kinds, fields)
		fmt.Fprintf(&text, "event { id = %d; name = \"e%d\"; fields := struct {", id, id)
		members := []any{}
		for _, f := range fields {
			text.WriteString(" " + f.tsdl(f.name))
			members = append(members, map[string]any{"name": f.name, "field-class": f.class})
			both = both && f.class != nil
		}
		text.WriteString(" }; };\n")
		put(map[string]any{"type": "event-record-class", "id": id, "name": fmt.Sprintf("e%d", id), "payload-field-class": map[string]any{"type": "structure", "member-classes": members}})
	}
	w := &bitWriter{layout: layout{big: m.big}}
	now := uint64(0)
	for range 12 {
		id := m.IntN(3)
		now += 1 + m.Uint64N(1<<min(20, timeBits))
		w.align(align)
		w.put(uint64(id), idBits)
		w.put(now&(1<<timeBits-1), timeBits)
		line, widest := fmt.Sprintf("%d execution app.e%d", now, id), 1
		for _, f := range kinds[id] {
			widest = max(widest, f.align)
		}
		w.align(widest)
		for _, f := range kinds[id] {
			if value := f.write(w); f.shown {
				line += fmt.Sprintf(" %s=%s", f.name, value)
			}
		}
		if strings.Contains(line, "=") {
			want = append(want, line)
		}
	}
	if !both {
		out = nil
	}
	return []byte(text.String()), out, w.out, want
}
