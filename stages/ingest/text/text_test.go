package text

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

func formatOf(d dialect) schema.Format {
	if d == thesis {
		return Thesis()
	}
	return Tmsctrace()
}

// one reads a single good line.
func one(t *testing.T, d dialect, line string) []event {
	t.Helper()
	var b schema.Block
	p := formatOf(d).NewParser()
	p.Parse([]byte(line), &b)
	expect.Equal(expect.Must(t), b.Bad.Count+b.Overflow.Count, 0, "%q: bad %v, overflow %v", line, b.Bad, b.Overflow)
	return readertest.Parse(formatOf(d).NewParser(), line).Events
}

func TestThesisFigure(t *testing.T) {
	key := func(component string, kind schema.Kind) schema.EventKey {
		return schema.EventKey{Component: component, Lifeline: component, Function: "Curl_resolver_cancel", Kind: kind}
	}
	mark := func(d schema.Direction, series string) schema.MessageMark {
		return schema.MessageMark{Direction: d, Series: series, Label: series}
	}
	const trace = "0.022017363 lib_url_c > Curl_resolver_cancel !m13889\n" +
		"0.022017364 lib_asyn_h > Curl_resolver_cancel ?m13889\r\n" +
		"0.022019 lib_asyn_h  <\tCurl_resolver_cancel  !r13891 \n" +
		"1700000000022017365 lib_url_c < Curl_resolver_cancel"
	want := []event{
		{Line: 0, Ns: 22017363, Key: key("lib_url_c", schema.Enter), Mark: mark(schema.Send, "m"), ID: 13889},
		{Line: 1, Ns: 22017364, Key: key("lib_asyn_h", schema.Enter), Mark: mark(schema.Receive, "m"), ID: 13889},
		{Line: 2, Ns: 22019000, Key: key("lib_asyn_h", schema.Exit), Mark: mark(schema.Send, "r"), ID: 13891},
		{Line: 3, Ns: 1700000000022017365, Key: key("lib_url_c", schema.Exit), Mark: schema.MessageMark{}, ID: schema.NoValue},
	}
	expect.Deep(t, one(t, thesis, trace), want, "events")
}

func TestTmsctraceRows(t *testing.T) {
	got := one(t, tmsctrace, "2023-11-14T22:13:20.5Z E C > f !a1 ?b !c3\n0.5 C C < f\n")
	key := schema.EventKey{Component: "C", Lifeline: "C/E", Function: "f", Kind: schema.Enter}
	more := key
	more.Kind = schema.Message
	const ns = 1700000000500000000
	want := []event{
		{Line: 0, Ns: ns, Key: key, Mark: schema.MessageMark{Direction: schema.Send, Series: "a", Label: "a"}, ID: 1},
		{Line: 0, Ns: ns, Key: more, Mark: schema.MessageMark{Direction: schema.Receive, Series: "b", Label: "b"}, ID: schema.NoValue},
		{Line: 0, Ns: ns, Key: more, Mark: schema.MessageMark{Direction: schema.Send, Series: "c", Label: "c"}, ID: 3},
		{Line: 1, Ns: 500000000, Key: schema.EventKey{Component: "C", Lifeline: "C", Function: "f", Kind: schema.Exit}, Mark: schema.MessageMark{}, ID: schema.NoValue},
	}
	expect.Deep(t, got, want, "events")
}

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct {
		id, series string
		number     int64
	}{
		{"m13889", "m", 13889}, {"m0", "m", 0}, {"m00", "m0", 0}, {"m007", "m00", 7}, {"7", "", 7}, {"ret", "ret", schema.NoValue},
		{"m12345678", "m", 12345678}, {"1-2-34", "1-2-", 34}, {"a-very-long-series-7", "a-very-long-series-", 7},
		{"m999999999999999999", "m", 999999999999999999}, {"m1000000000000000007", "m100000000000000000", 7},
		{"9223372036854775807", "9", 223372036854775807}, {"!!5", "!!", 5},
	} {
		for _, line := range []string{"0.000000001 A > f !" + c.id, "1 A > f !" + c.id + "\n"} {
			line = strings.TrimSuffix(line, "\n") + "\n" + line // the second time the names are known
			for _, got := range one(t, thesis, line) {
				if got.Mark.Series != c.series || got.ID != c.number {
					t.Errorf("%s: got %q, %d", line, got.Mark.Series, got.ID)
				}
			}
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		dialect dialect
		text    string
		ns      int64
	}{
		{thesis, "0", 0}, {thesis, "17", 17}, {thesis, "0.5", 5e8}, {thesis, "1.0000000019", 1e9 + 1}, {thesis, "007.25", 725e7},
		{thesis, "1234567.123456789", 1234567123456789}, {thesis, "12345678.123456789", 12345678123456789},
		{thesis, "9223372036.854775807", math.MaxInt64}, {thesis, "9223372036854775807", math.MaxInt64},
		{tmsctrace, "17", 17e9}, {tmsctrace, "0.000007797", 7797},
		{tmsctrace, "1970-01-01T01:00:01.000000001+01:00", 1e9 + 1}, {tmsctrace, "1969-12-31T23:59:59.25Z", -75e7},
	} {
		name := " A A > f"
		if c.dialect == thesis {
			name = " A > f"
		}
		expect.Equal(t, one(t, c.dialect, c.text+name)[0].Ns, c.ns, "%s", c.text)
	}
}

// mark stands before the byte at which the error must be.
const mark = "✗"

func TestFaults(t *testing.T) {
	long := strings.Repeat("x", 4097)
	for _, c := range []struct {
		dialect  dialect
		overflow bool
		line     string
		want     string
	}{
		{thesis, false, "✗", "empty line"},
		{thesis, false, "  ✗", "empty line"},
		{thesis, false, "✗-1 A > f", `expected a time, found "-1"`},
		{thesis, false, "1✗x A > f", `expected a digit, '.' or a blank in the time, found "x"`},
		{thesis, false, "1.✗ A > f", `expected a digit in the decimals of the time, found "A"`},
		{thesis, false, "0.00000✗O001 Comp > function !m1", `expected a digit in the decimals of the time, found "O001"`},
		{thesis, false, "0.123456789✗x Comp > function !m1", `expected a digit in the decimals of the time, found "x"`},
		{thesis, false, "1✗", "expected a component after the time, found the end of the line"},
		{thesis, false, "1 A ✗= f", `expected '>' or '<' after the component, found "="`},
		{thesis, false, "1 A✗", "expected '>' or '<' after the component, found the end of the line"},
		{thesis, false, "1 A >  ✗", "expected a function after '>' or '<', found the end of the line"},
		{thesis, false, "0.000000001 Comp > ✗!m1", `expected a function after '>' or '<', found "!m1"`},
		{thesis, false, "0.000000001 Comp > f ✗m1", `expected '!' or '?' before a message, found "m1"`},
		{thesis, false, "0.000000001 Comp > f !✗", `expected an identifier after '!' or '?', found the end of the line`},
		{thesis, false, "0.000000001 Comp > f !m1 ✗!m2", `expected the end of the line after the message, found "!m2"`},
		{thesis, false, "0.000000001 Co✗\x7fmp > f", `expected a name in UTF-8 without control characters, found "\x7fmp"`},
		{thesis, false, "0.000000001 Comp > f✗\x01!m1", `expected a name in UTF-8 without control characters, found "\x01!m1"`},
		{thesis, false, "0.000000001 Comp > f !m✗\xff1", `expected a name in UTF-8 without control characters, found "\xff1"`},
		{thesis, false, "1 A > ✗" + long, `expected a name of at most 4096 bytes, found "` + long[:40] + `"...`},
		{thesis, false, "1 A > f !✗" + long, `expected a name of at most 4096 bytes, found "` + long[:40] + `"...`},
		{thesis, false, "1 A ✗" + strings.Repeat("x", 38) + "é!", `expected '>' or '<' after the component, found "` + long[:38] + `é"...`},
		{thesis, false, "1 A ✗" + strings.Repeat("x", 39) + "é!", `expected '>' or '<' after the component, found "` + long[:39] + `"...`},
		{thesis, true, "✗9223372036854775808 A > f", `expected a time within 64 bits of nanoseconds, found "9223372036854775808"`},
		{thesis, true, "✗9223372036.854775808 Comp > f !m1", `expected a time within 64 bits of nanoseconds, found "9223372036.854775808"`},
		{tmsctrace, false, "1✗", "expected an executor after the time, found the end of the line"},
		{tmsctrace, false, "1 E✗", "expected a component after the executor, found the end of the line"},
		{tmsctrace, false, "1 E A ✗f", `expected '>' or '<' after the component, found "f"`},
		{tmsctrace, false, "1 E A > f !a ✗b", `expected '!' or '?' before a message, found "b"`},
		{tmsctrace, false, "2023-11-14✗ E A > f", `expected a time such as 2023-11-14T22:13:20.5Z, found "E"`},
		{tmsctrace, false, "2023-11-14T22:13:20✗ E A > f", `expected 'Z' or an offset such as +01:00, found "E"`},
		{tmsctrace, false, "2023-✗13-14T22:13:20Z E A > f", `expected a month from 01 to 12, found "13-14T22:13:20Z"`},
		{tmsctrace, true, "✗2263-01-01T00:00:00Z E A > f", `expected a time within 64 bits of nanoseconds, found "2263-01-01T00:00:00Z"`},
	} {
		at := strings.Index(c.line, mark)
		line := strings.Replace(c.line, mark, "", 1)
		var b schema.Block
		p := formatOf(c.dialect).NewParser()
		p.Parse([]byte("1 A > f !m1\n1 E A > f !a\n0.000000001 Comp > f !m1\n"), &b) // names that are known do not help
		b = schema.Block{}
		p.Parse([]byte(line+"\r\n"+line+"\n"), &b)
		got := b.Bad
		if c.overflow {
			got = b.Overflow
		}
		first := got.First
		if got.Count != 2 || first.Col != int64(at)+1 || first.Err.Error() != c.want {
			t.Errorf("%q: got %d at column %d: %v\nwant column %d: %s", line, got.Count, first.Col, first.Err, at+1, c.want)
		}
	}
}

func TestFaultLine(t *testing.T) {
	var b schema.Block
	p := Thesis().NewParser()
	p.Parse([]byte("1 A > f\n2 A < f\n"), &b)
	p.Parse([]byte("3 A > f\nx\n4 A < f"), &b)
	if b.Lines != 5 || b.Bad.Count != 1 || b.Bad.First.Line != 3 || !reflect.DeepEqual(b.Line, []uint32{0, 1, 2, 4}) {
		t.Errorf("got %+v", b)
	}
}

// TestBlanksShareKeys also bounds the memory: other blanks are no new keys.
func TestBlanksShareKeys(t *testing.T) {
	p := Thesis().NewParser()
	var b schema.Block
	for i := range 50 {
		blanks := strings.Repeat(" ", i+1)
		p.Parse(fmt.Appendf(nil, "0.00000000%d%sComp%s>\t%sf%s!m%d\n", i%10, blanks, blanks, blanks, blanks, i), &b)
	}
	if p.Keys().Len() != 1 || len(p.Marks()) != 2 || len(b.TimeNs) != 50 || p.(*parser).keyOf.keys != 1 {
		t.Errorf("%d keys, %d marks, %d events", p.Keys().Len(), len(p.Marks()), len(b.TimeNs))
	}
}

func TestNoAllocationPerLine(t *testing.T) {
	for _, d := range []dialect{thesis, tmsctrace} {
		form := "%d.%09d %s %c %s %c%c%d\nbad\n"
		if d == tmsctrace {
			form = "2023-11-14T22:13:%02d.%09dZ E %s %c %s %c%c%d !x1\nbad\n"
		}
		data := corpus(1000, form)
		var b schema.Block
		p := formatOf(d).NewParser()
		p.Parse(data, &b)
		got := testing.AllocsPerRun(10, func() {
			b.Reset()
			p.Parse(data, &b)
		})
		if got > 10 { // the first error of the block
			t.Errorf("dialect %d: %v allocations", d, got)
		}
	}
}

func TestManyNames(t *testing.T) {
	p := newParser(thesis)
	var data bytes.Buffer
	for range 2 {
		for i := range 5000 {
			fmt.Fprintf(&data, "0.%09d C%d > f%d !s%d-1\n", i, i, i, i)
		}
	}
	var b schema.Block
	p.Parse(data.Bytes(), &b)
	if p.Keys().Len() != 5000 || len(p.Marks()) != 5001 || !reflect.DeepEqual(b.Key[:5000], b.Key[5000:]) {
		t.Fatalf("%d keys, %d marks", p.Keys().Len(), len(p.Marks()))
	}
	if k := p.Keys().At(b.Key[4711]); k.Component != "C4711" || k.Function != "f4711" {
		t.Errorf("got %+v", k)
	}
}

func TestDetect(t *testing.T) {
	thesisLine, tmscLine := "0.000000001 A > f !m1\n", "2023-11-14T22:13:20Z E A > f\n"
	for _, c := range []struct{ head, want string }{
		{thesisLine, "thesis"}, {tmscLine, "tmsctrace"}, {"\xef\xbb\xbf" + thesisLine, "thesis"},
		{"1 A > f", "thesis"}, {thesisLine + "0.00", "thesis"}, {thesisLine + thesisLine + "bad\n", "thesis"},
		{thesisLine + "bad\n", ""}, {"0.0000000", ""}, {"", ""}, {"\n", ""}, {"\n\n" + thesisLine, ""},
		{strings.Repeat(tmscLine, 100) + strings.Repeat("bad\n", 1000), "tmsctrace"},
		{"Time,Comp.,Func.\n1,A,f\n", ""}, {"5 7 E 0x401 0x402\n", ""},
		{"9223372036854775808 A > f\n", "thesis"},
	} {
		f, ok := Detect([]byte(c.head))
		if f.Name != c.want || ok != (c.want != "") {
			t.Errorf("%.40q: got %q, %v", c.head, f.Name, ok)
		}
		if ok && f.Header != strings.Count(c.head, "\xef\xbb\xbf")*3 {
			t.Errorf("%.40q: header of %d bytes", c.head, f.Header)
		}
	}
}
