package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// figure is Fig. 3 of Jonk et al. 2019.
const figure = "#\tTime\tComp.\tFunc.\tStart/Finish\tMessage\tID\tType\n" +
	"1\t0.0\tC_1\tl\tstart\n" +
	"2\t0.2\tC_1\tf_1\tstart\tg_1^call\tid1\tsend\n" +
	"3\t0.3\tC_2\tg_1\tstart\tg_1^call\tid1\treceive\n" +
	"6\t0.7\tC_2\tg_11\tfinish\t\t\t\n" +
	"56\t19\tC_1\tl\tfinish\t\t\t\n"

// open reads the header and returns a parser, its layout and the rows.
func open(t testing.TB, data string, o Options) (*parser, string) {
	t.Helper()
	f, ok, err := Detect([]byte(data), o)
	if !ok || err != nil {
		t.Fatalf("%q: no table: %v", data, err)
	}
	return f.NewParser().(*parser), data[f.Header:]
}

func TestFigure(t *testing.T) {
	want := []event{
		{Line: 0, Ns: 0, Key: key("C_1", "l", schema.Enter), ID: schema.NoValue},
		{Line: 1, Ns: 2e8, Key: key("C_1", "f_1", schema.Enter), Mark: schema.MessageMark{Direction: schema.Send, Series: "id", Label: "g_1^call"}, ID: 1},
		{Line: 2, Ns: 3e8, Key: key("C_2", "g_1", schema.Enter), Mark: schema.MessageMark{Direction: schema.Receive, Series: "id", Label: "g_1^call"}, ID: 1},
		{Line: 3, Ns: 7e8, Key: key("C_2", "g_11", schema.Exit), ID: schema.NoValue},
		{Line: 4, Ns: 19e9, Key: key("C_1", "l", schema.Exit), ID: schema.NoValue},
	}
	for _, separator := range []string{"\t", ";", ",", " ; "} {
		for _, end := range []string{"\n", "\r\n"} {
			p, rows := open(t, "\xef\xbb\xbf"+strings.NewReplacer("\t", separator, "\n", end).Replace(figure), Options{})
			expect.Deep(t, readertest.Parse(p, rows).Events, want, "%q %q", separator, end)
		}
	}
}

// TestEmptyBeforeQuoted has a tab on either side of nothing, which is no blank before the quotation mark.
func TestEmptyBeforeQuoted(t *testing.T) {
	p, rows := open(t, "time\tcomponent\tthread\tfunction\tkind\n1\tA\t\t\"f\"\tstart\n", Options{})
	expect.Deep(t, readertest.Parse(p, rows).Events, []event{{Ns: 1, Key: key("A", "f", schema.Enter), ID: schema.NoValue}}, "events")
}

func key(component, function string, kind schema.Kind) schema.EventKey {
	return schema.EventKey{Component: component, Lifeline: component, Function: function, Kind: kind}
}

func TestQuotesThreadsTypes(t *testing.T) {
	p, rows := open(t, `kind,"function",COMPONENT,"Exec. Type",thread,"time (us)",id,type`+"\n"+
		`enter,"f(int, ""x"")",C , fcncb,"1,2" ,1.2345678,7,SEND`+"\n", Options{})
	want := []event{{Ns: 1234, Key: schema.EventKey{Component: "C", Lifeline: "C/1,2", Function: `f(int, "x")`, Kind: schema.Enter, ExecutionType: "fcncb"},
		Mark: schema.MessageMark{Direction: schema.Send}, ID: 7}}
	expect.Deep(t, readertest.Parse(p, rows).Events, want, "events")
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		heading, unit, first, time string
		ns                         int64
	}{
		{"time", "", "0", "17", 17}, {"time", "", "0.5", "17", 17e9}, {"time", "", "0", "1.5", 15e8},
		{"time", "ms", "0", "1.5", 15e5}, {"time", "us", "0.0", "17", 17e3}, {"time", "ns", "0.0", "1.9", 1},
		{"time_ms", "", "0.0", "2", 2e6}, {"Timestamp [us]", "", "0", "2", 2e3}, {"time_ms", "s", "0", "2", 2e9}, {"times", "", "0", "2", 2e9},
		{"time", "", "1970-01-01T00:00:00.5Z", "17", 17}, {"time", "", "0.5", "1970-01-01T00:00:01Z", 1e9},
	} {
		header := c.heading + ",component,function,kind\n"
		p, rows := open(t, header+c.first+",A,f,start\n"+c.time+",A,f,finish\n", Options{TimeUnit: c.unit})
		if got := readertest.Parse(p, rows).Events; len(got) != 2 || got[1].Ns != c.ns {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestFaults(t *testing.T) {
	const header = "time,component,function,kind,message,id,type,thread"
	for _, c := range []struct {
		overflow   bool
		line, want string
	}{
		{false, "✗", "empty line"},
		{false, "✗,A,f,start", "expected a time, found nothing"},
		{false, "1✗x,A,f,start", `expected a digit or '.' in the time, found "x"`},
		{false, "1.✗,A,f,start", `expected a digit in the decimals of the time, found nothing`},
		{false, "2023-✗13-01T00:00:00Z,A,f,start", `expected a month from 01 to 12, found "13-01T00:00:00Z"`},
		{false, "1,✗,f,start", "expected a component, found nothing"},
		{false, "1,A,✗,start", "expected a function, found nothing"},
		{false, "1,A✗", "expected 'start' or 'finish', found the end of the line"},
		{false, "1,A,f,✗go", `expected 'start' or 'finish', found "go"`},
		{false, "1,A,f, ✗starting up", `expected 'start' or 'finish', found "starting up"`},
		{false, "1,A,f✗\x00,start", `expected a name in UTF-8 without control characters, found "\x00"`},
		{false, "1,A,f,start,g,✗,send", "expected an identifier of the message, found nothing"},
		{false, "1,A,f,start,g,id1✗", "expected 'send' or 'receive', found the end of the line"},
		{false, "1,A,f,start,g,id1,✗sned", `expected 'send' or 'receive', found "sned"`},
		{false, "1,A,f,start,g✗\x01,id1,send", `expected a name in UTF-8 without control characters, found "\x01"`},
		{false, "1,A,f,start,g,i✗\xffd1,send", `expected a name in UTF-8 without control characters, found "\xffd1"`},
		{false, "1,✗" + strings.Repeat("x", 4097) + ",f,start", `expected a name of at most 4096 bytes, found "` + strings.Repeat("x", 40) + `"...`},
		{false, "1,A,f,start,,,,T,✗extra", `expected the end of the line, as the header has fewer fields, found "extra"`},
		{false, `1,"A✗`, "expected a quotation mark (a quoted field may not hold a line break), found the end of the line"},
		{false, `1,"A" ✗b,f,start`, `expected a separator after the quoted field, found "b"`},
		{false, `1,A✗"b",f,start`, `expected no quotation mark within a field that is not quoted, found "\"b\""`},
		{true, "✗9223372036854775808,A,f,start", `expected a time within 64 bits of nanoseconds, found "9223372036854775808"`},
	} {
		at := strings.Index(c.line, "✗")
		line := strings.Replace(c.line, "✗", "", 1)
		p, _ := open(t, header, Options{})
		var b schema.Block
		p.Parse([]byte(line+"\r\n"+line+"\n"), &b)
		got := b.Bad
		if c.overflow {
			got = b.Overflow
		}
		if got.Count != 2 || got.First.Col != int64(at)+1 || got.First.Err.Error() != c.want {
			t.Errorf("%q: got %d at column %d: %v\nwant column %d: %s", line, got.Count, got.First.Col, got.First.Err, at+1, c.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		header  string
		options Options
		ok      bool
		want    string // in the error
	}{
		{"Time,Comp.,Func.,Start/Finish", Options{}, true, ""},
		{"#,t,c,f,s,unknown", Options{}, true, ""},
		{"time,component,function,kind,event", Options{}, true, ""},
		{"0.1 A > f", Options{}, false, ""},
		{"", Options{}, false, ""},
		{"a,b,c,d", Options{}, false, ""},
		{"time,component,function", Options{}, false, `header "time,component,function": no column for "kind": name one kind, start/finish,`},
		{"time,comp,c,function,kind", Options{}, false, `columns "comp" and "c" could both be "component": rename one or name it with --columns component=NAME`},
		{"time,component,component,function,kind", Options{}, false, `columns "component" and "component" could both`},
		{"time,component,function,kind,id", Options{}, false, `messages need a column "type" too`},
		{"time,component,function,kind,message", Options{}, false, `messages need a column "id" too`},
		{"time,component,function,kind,message", Options{Columns: map[string]string{"message": ""}}, true, ""},
		{"time,component,function,Phase", Options{Columns: map[string]string{"kind": "Phase"}}, true, ""},
		{"time,component,function,kind", Options{Columns: map[string]string{"kind": "Phase"}}, false, `no column is named "Phase"`},
		{"time,component,function,kind", Options{Columns: map[string]string{"kinds": "x"}}, false, `"kinds" is no column of a trace`},
		{"time,component,function,kind", Options{TimeUnit: "h"}, false, `option time unit "h"`},
	} {
		f, ok, err := Detect([]byte(c.header+"\n"), c.options)
		if ok != c.ok || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %+v: got %v, %v", c.header, c.options, ok, err)
		}
		if ok && f.Header != len(c.header)+1 {
			t.Errorf("%q: header of %d bytes", c.header, f.Header)
		}
	}
}

// TestRoundTrip writes random events with quotes where needed and cuts the table at line ends.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	names := []string{"C", "f(a, b)", `say "x"`, "é;\u00a0", "a b"}
	var want []event
	var pieces []string
	for line := range 2000 {
		name := names[rng.IntN(len(names))]
		e := event{Line: line, Ns: rng.Int64(), ID: schema.NoValue, Key: key(name, names[rng.IntN(len(names))], uint8(rng.IntN(2)))}
		if rng.IntN(2) == 0 {
			e.Key.Lifeline += "/7"
		}
		e.Key.ExecutionType = []string{"", "blk"}[rng.IntN(2)]
		if rng.IntN(2) == 0 {
			e.Mark = schema.MessageMark{Direction: uint8(1 + rng.IntN(2)), Series: "s", Label: names[rng.IntN(len(names))]}
			e.ID = rng.Int64N(1e9)
		}
		want = append(want, e)
		pieces = append(pieces, write(e))
	}
	p, _ := open(t, "time,component,thread,function,kind,message,id,type,execution_type\n", Options{})
	expect.Deep(t, readertest.Parse(p, pieces...).Events, want, "line by line")
	expect.Deep(t, readertest.Parse(p, strings.Join(pieces, "")).Events, want, "at once")
}

func write(e event) string {
	q := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	thread := strings.TrimPrefix(strings.TrimPrefix(e.Key.Lifeline, e.Key.Component), "/")
	id := ""
	if e.ID != schema.NoValue {
		id = fmt.Sprint(e.Mark.Series, e.ID)
	}
	return fmt.Sprintf("%d,%s,%s,%s,%s,%s,%s,%s,%s\n", e.Ns, q(e.Key.Component), thread, q(e.Key.Function),
		[]string{"start", "finish"}[e.Key.Kind], q(e.Mark.Label), id, schema.DirectionWords[e.Mark.Direction], e.Key.ExecutionType)
}
