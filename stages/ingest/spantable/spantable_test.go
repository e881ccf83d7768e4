package spantable

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
	"github.com/tracelake/tracelake/testdata/expect"
)

// read reads files as one run.
func read(files map[string]string, reading schema.Reading) (*readertest.Summary, error) {
	return readertest.SummarizeFiles(Format(), files, reading)
}

// readOne reads a table, which must be found to be one of spans.
func readOne(t testing.TB, text string, o schema.ReadingOptions) *readertest.Summary {
	t.Helper()
	if _, likely, err := Format().Prepare([]byte(text), o); !likely || err != nil {
		t.Fatalf("%q is not taken for spans: %v", text, err)
	}
	return expect.Value(read(map[string]string{"spans.csv": text}, schema.Reading{Options: o}))(t)
}

// TestDialects reads the same two spans under the headings of several programs, in every unit and with every separator.
func TestDialects(t *testing.T) {
	const want = `1661273974730000000 web/1 > get !m1 request
1661273974735000000 shop/1 > find ?m1 request
1661273974755000000 shop/1 < find !m2 reply
1661273974770000000 web/1 < get ?m2 reply`
	for _, text := range []string{
		"TraceID,SpanID,ParentID,service,OperationName,StartTimeUnixNano,EndTimeUnixNano,Duration,kind\n" +
			"1,2,root,web,get,1661273974730000000,1661273974770000000,40000,client\n1,3,2,shop,find,1661273974735000000,1661273974755000000,20000,server\n",
		"traceID;spanID;startTimeMillis;startTime;duration;serviceName;methodName;operationName;parentSpanID;spanKind\r\n" +
			"1;3;1661273974735;1661273974735000;20000;shop;x;find;2;SPAN_KIND_SERVER\r\n1;2;1661273974730;1661273974730000;40000;web;x;get;;SPAN_KIND_CLIENT",
		"\xef\xbb\xbfTimestamp\tTraceId\tSpanId\tParentSpanId\tSpanName\tSpanKind\tServiceName\tDuration\tStatusCode\n" +
			"2022-08-23 16:59:34.730\t1\t2\t\tget\tClient\tweb\t40000000\tOk\n2022-08-23 16:59:34.735\t1\t3\t2\tfind\tServer\tshop\t20000000\tOk\n",
		"context.trace_id,context.span_id,parent_id,name,start_time,end_time,span_kind,service\n" +
			"1,2,None,get,2022-08-23T16:59:34.73+00:00,2022-08-23T16:59:34.77+00:00,3,web\n1,3,2,find,2022-08-23 17:59:34.735+01:00,2022-08-23T16:59:34.755Z,2,shop\n",
		"timestamp,cmdb_id,parent_id,span_id,trace_id,duration,operation_name,kind\n" +
			"1661273974730,web,-,2,1,40,get,client\n1661273974735,shop,2,3,1,20,find,server\n",
		"operationName,startTime,elapsedTime,success,traceId,id,pid,serviceName,kind\n" +
			"get,1661273974730,40.0,True,1,2,None,web,client\nfind,1661273974735,20.0,True,1,3,2,shop,server\n",
		"start [s],trace,span,parent,service,name,dur_ms,kind\n" +
			"1661273974.73,1,2,0,web,get,40,client\n1.661273974735e9,1,3,2,shop,find,20,server\n",
	} {
		got := readOne(t, text, schema.ReadingOptions{})
		if all := strings.Join(got.Events, "\n"); all != want || len(got.Losses) > 0 {
			t.Errorf("%s\nlosses %v\n%s", text, got.Losses, all)
		}
	}
}

// TestExports reads a request as other tools export it: a span of web that calls shop, which fails, in the columns and units of each.
func TestExports(t *testing.T) {
	const want = "1700000000100000000 web/1 > get !m1 request,1700000000103000000 shop/1 > find ?m1 request,1700000000128000000 shop/1 < find !m2 reply,1700000000142000000 web/1 < get ?m2 reply"
	for tool, text := range map[string]string{
		"Honeycomb": "Timestamp,trace.trace_id,trace.span_id,trace.parent_id,name,service.name,duration_ms,span.kind,error\n" +
			"2023-11-14T22:13:20.1Z,ab,1,,get,web,42,client,\n2023-11-14T22:13:20.103Z,ab,2,1,find,shop,25,server,true\n",
		"ClickHouse": "Timestamp,TraceId,SpanId,ParentSpanId,TraceState,SpanName,SpanKind,ServiceName,ResourceAttributes,Duration,StatusCode,StatusMessage\n" +
			"2023-11-14 22:13:20.100000000,ab,1,,,get,Client,web,\"{'host.name':'h','x':'y'}\",42000000,Unset,\n2023-11-14 22:13:20.103000000,ab,2,1,,find,Server,shop,{},25000000,Error,\n",
		"Grafana": "traceID,spanID,parentSpanID,operationName,serviceName,kind,statusCode,statusMessage,startTime,duration,tags\n" +
			"ab,1,,get,web,client,0,,1700000000100,42,[]\nab,2,1,find,shop,server,2,,1700000000103.0,25,[]\n",
		"SigNoz": "timestamp,trace_id,span_id,parent_span_id,name,kind_string,resource_string_service$$name,duration_nano,has_error\n" +
			"1700000000100000000,ab,1,,get,Client,web,42000000,false\n1700000000103000000,ab,2,1,find,Server,shop,25000000,true\n",
		"Azure": "timestamp,id,operation_Id,operation_ParentId,name,duration,cloud_RoleName,success,kind\n" +
			"2023-11-14T22:13:20.1000000Z,1,ab,,get,42,web,True,client\n2023-11-14T22:13:20.1030000Z,2,ab,1,find,25,shop,False,server\n",
		"New Relic": "timestamp,trace.id,id,parent.id,name,duration.ms,service.name,span.kind,otel.status_code\n" +
			"1700000000100,ab,1,,get,42,web,client,OK\n1700000000103,ab,2,1,find,25,shop,server,ERROR\n",
		"SkyWalking, as DeepTraLog has it": "StartTime,EndTime,URL,SpanType,Service,SpanId,TraceId,Peer,ParentSpan,Component,IsError\n" +
			"1700000000100,1700000000142,get,Exit,web,ab.46.17.0,ab.46.18,shop,-1,SpringRestTemplate,False\n1700000000103,1700000000128,find,Entry,shop,cd.42.19.0,ab.46.18,shop,ab.46.17.0,SpringMVC,True\n",
		"Elastic": "@timestamp,trace.id,span.id,parent.id,service.name,span.name,span.duration.us,span.kind,event.outcome\n" +
			"2023-11-14T22:13:20.100Z,ab,1,,web,get,42000,client,success\n2023-11-14T22:13:20.103Z,ab,2,1,shop,find,25000,server,failure\n",
		"Jaeger's index": "traceID,spanID,operationName,startTime,startTimeMillis,duration,process.serviceName,references.spanID,kind,error\n" +
			"ab,1,get,1700000000100000,1700000000100,42000,web,,client,\nab,2,find,1700000000103000,1700000000103,25000,shop,1,server,true\n",
		"ClickHouse, in JSON": `{"Timestamp":"2023-11-14 22:13:20.100000000","TraceId":"ab","SpanId":"1","ParentSpanId":"","SpanName":"get","SpanKind":"Client","ServiceName":"web","SpanAttributes":{"a":"b"},"Duration":"42000000","StatusCode":"Unset","Links":[]}
			{"Timestamp":"2023-11-14 22:13:20.103000000","TraceId":"ab","SpanId":"2","ParentSpanId":"1","SpanName":"find","SpanKind":"Server","ServiceName":"shop","SpanAttributes":{},"Duration":"25000000","StatusCode":"Error"}`,
		"Datadog's agent": `[[{"trace_id":171,"span_id":1,"parent_id":0,"name":"get","resource":"GET /","service":"web","start":1700000000100000000,"duration":42000000,"error":0,"meta":{"span.kind":"client"}},
			{"trace_id":171,"span_id":2,"parent_id":1,"name":"find","resource":"x","service":"shop","start":1700000000103000000,"duration":25000000,"error":1,"meta":{"span.kind":"server"},"metrics":{"m":1}}]]`,
		"Datadog's interface": `{"meta":{"page":{"id":"7"}},"data":[{"id":"A","type":"spans","attributes":{"trace_id":"ab","span_id":"1","parent_id":"0","service":"web","operation_name":"web.request","resource_name":"get","start_timestamp":"2023-11-14T22:13:20.100Z","end_timestamp":"2023-11-14T22:13:20.142Z","span_kind":"client","tags":["a:b"]}},
			{"id":"B","type":"spans","attributes":{"trace_id":"ab","span_id":"2","parent_id":"1","service":"shop","operation_name":"web.request","resource_name":"find","start_timestamp":"2023-11-14T22:13:20.103Z","end_timestamp":"2023-11-14T22:13:20.128Z","span_kind":"server","error":true}}]}`,
		"Elastic, in JSON": `{"hits":{"hits":[{"_id":"x","_source":{"timestamp":{"us":1700000000100000},"trace":{"id":"ab"},"span":{"id":"1","name":"get","kind":"client","duration":{"us":42000}},"service":{"name":"web"},"event":{"outcome":"success"}}},
			{"_id":"y","_source":{"timestamp":{"us":1700000000103000},"trace":{"id":"ab"},"parent":{"id":"1"},"span":{"id":"2","name":"find","kind":"server","duration":{"us":25000}},"service":{"name":"shop"},"event":{"outcome":"failure"}}}]}}`,
	} {
		got := readOne(t, text, schema.ReadingOptions{})
		expect.Equal(t, strings.Join(got.Events, ","), want, "%s", tool)
		expect.Equal(t, fmt.Sprint(got.Losses), "map[]", "%s", tool)
		expect.Equal(t, got.Failed, 1, "%s", tool)
	}
}

// TestSkyWalking reads what no client and server of another tool would be: a queue, whose producer waits for nobody, though spans of queues
// are exits and entries, too; a client that gives up before its server ends; and a name like that of a queue whose kind is known.
func TestSkyWalking(t *testing.T) {
	const header = "StartTime,EndTime,URL,SpanType,Service,SpanId,TraceId,ParentSpan,IsError\n"
	for what, c := range map[string]struct{ text, want string }{
		"queue": {header + "1700000000100,1700000000102,Q/a/Producer,Exit,web,a.0,a,-1,False\n1700000000103,1700000000128,Q/a/Consumer,Entry,shop,b.0,a,a.0,False\n",
			"100 web/1 > Q/a/Producer !m1 trigger,102 web/1 < Q/a/Producer,103 shop/1 > Q/a/Consumer ?m1 trigger,128 shop/1 < Q/a/Consumer"},
		"timeout": {header + "1700000000100,1700000000120,get,Exit,web,a.0,a,-1,True\n1700000000103,1700000000190,get,Entry,shop,b.0,a,a.0,False\n",
			"100 web/1 > get !m1 trigger,103 shop/1 > get ?m1 trigger,120 web/1 < get,190 shop/1 < get"},
		"local": {header + "1700000000100,1700000000120,get,Entry,web,a.0,a,-1,False\n1700000000103,1700000000109,sum,Local,web,a.1,a,a.0,False\n",
			"100 web/1 > get,103 web/1 > sum,109 web/1 < sum,120 web/1 < get"},
		"no queue": {header + "1700000000100,1700000000142,get/Producer,Client,web,a.0,a,-1,False\n1700000000103,1700000000128,get/Consumer,Server,shop,b.0,a,a.0,False\n",
			"100 web/1 > get/Producer !m1 request,103 shop/1 > get/Consumer ?m1 request,128 shop/1 < get/Consumer !m2 reply,142 web/1 < get/Producer ?m2 reply"},
	} {
		got := readOne(t, c.text, schema.ReadingOptions{})
		short := strings.ReplaceAll(strings.ReplaceAll(strings.Join(got.Events, ","), "1700000000", ""), "000000 ", " ")
		expect.Equal(t, short, c.want, "%s", what)
		expect.Equal(t, fmt.Sprint(got.Losses), "map[]", "%s", what)
	}
}

// TestColumnsUnknown says which columns are not known, unless the user says that there is none.
func TestColumnsUnknown(t *testing.T) {
	const text = "trace,span,start_ns,end_ns\n1,2,5,7\n"
	for _, c := range []struct {
		columns map[string]string
		said    int
	}{{nil, 3}, {map[string]string{"service": ""}, 2}, {map[string]string{"service": "", "name": "", "parent": ""}, 0}} {
		got := readOne(t, text, schema.ReadingOptions{Columns: c.columns})
		expect.Equal(t, len(got.Said), c.said, "%v: %q", c.columns, got.Said)
	}
}

// TestColumns gives columns and units by name, also of a table that no heading shows to be one of spans.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		header, row string
		columns     map[string]string
		unit, last  string
	}{
		{"t,s,a,b,c", "1,2,5,3,x", map[string]string{"trace": "t", "span": "s", "start": "a:ms", "duration": "b:us", "name": "c"}, "", "5003000 unknown_service/1 < x"},
		{"trace,span,start,end,x", "1,2,5,7,y", map[string]string{"service": "x", "name": ""}, "us", "7000 y/1 < unnamed"},
		{"trace,span,start_ms,dur", "1,2,5,7", map[string]string{"start": "Start MS"}, "", "12000000 unknown_service/1 < unnamed"},
		{"trace,span,a:us,end", "1,2,5,7", map[string]string{"start": "a:us"}, "", "7 unknown_service/1 < unnamed"},
		{"trace,span,start,duration", "1,2,1.5,0.25", nil, "", "1750000000 unknown_service/1 < unnamed"},
		{"trace,span,start,duration", "1,2,15,25", nil, "", "40 unknown_service/1 < unnamed"},
	} {
		got := readOne(t, c.header+"\n"+c.row+"\n", schema.ReadingOptions{Columns: c.columns, TimeUnit: c.unit})
		if len(got.Events) != 2 || got.Events[1] != c.last || len(got.Losses) > 0 {
			t.Errorf("%+v: %q, losses %v", c, got.Events, got.Losses)
		}
	}
}

// TestRefused has headers that lack something, and what is said of them; and texts that are no tables of spans.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		head    string
		columns map[string]string
		want    string
	}{
		{"trace_id,span_id,end", nil, `:1:1: header "trace_id,span_id,end": no column for "start": name one start, starttime, starttimestamp, begin, begintime, timestamp, time, ts, or name it with --columns start=NAME`},
		{"trace_id,span_id,start", nil, `:1:1: header "trace_id,span_id,start": no column for "end" nor for "duration": name one end, endtime, endtimestamp, finish, finishtime, or name it with --columns end=NAME, or the same of duration`},
		{"trace,span,start,end", map[string]string{"start": "began"}, `:1:1: header "trace,span,start,end": no column is named "began", which --columns gives for "start": correct its name there`},
		{"trace,span,start,end", map[string]string{"time": "start"}, `:1:1: header "trace,span,start,end": --columns: "time" is no column of spans; they are trace, span, start, end, duration, parent, service, instance, host, name, kind, status`},
		{"time,component,function,kind,id,type,trace", nil, ""},
		{"trace", nil, ""}, {"", nil, ""}, {`{"traceId": "1", "id": "2"}`, nil, ""}, {"0.1 a > f", nil, ""},
	} {
		_, likely, err := Format().Prepare([]byte(c.head+"\n"), schema.ReadingOptions{Columns: c.columns})
		said := ""
		if err != nil {
			said = err.Error()
		}
		if likely || said != c.want {
			t.Errorf("%s: %v, %s", c.head, likely, said)
		}
	}
}

func TestDefects(t *testing.T) {
	const good = "1,9,,s,f,1,2\n"
	for _, c := range []struct {
		rows   string
		spans  int
		losses map[string]int64
	}{
		{good + "1,2,,s,f,5,7", 2, map[string]int64{}},
		{good + "\n  \n" + "trace,span,parent,service,name,start,end\n" + good, 1, map[string]int64{"duplicate_execution": 1}},
		{good + "1,2,,s,f,x,7\n", 1, map[string]int64{"bad_record": 1}},
		{good + "1,2,,s,f,5,7,8\n", 1, map[string]int64{"bad_record": 1}},
		{good + ",2,,s,f,5,7\n1,,,s,f,5,7\n", 1, map[string]int64{"bad_record": 2}},
		{good + "1,2,,s,f,5\n1,3,,s,f,,5\n", 1, map[string]int64{"missing_duration": 2}},
		{good + "1,2,,s,f,5,-", 1, map[string]int64{"torn_record": 1}},
		{good + "1,2,,s,f,5,4\n", 2, map[string]int64{"negative_duration": 1}},
		{good + "1,2,,s,f,5,99999999999999999999\n", 1, map[string]int64{"unsupported_time": 1}},
		{good + "1,2,,s,f,5e19,7\n", 1, map[string]int64{"bad_record": 1}},
		{good + "1,2,7,s,f,5,7\n", 2, map[string]int64{"missing_parent": 1}},
		{good + "1,2,,\"s\n\",\"a\"\"\r\n\nb\",5,7\n1,3,,s,f,8,9\n", 3, map[string]int64{}},
		{good + "1,2,,\"s,f,5,7\n1,3,,s,f,8,9\n", 2, map[string]int64{"bad_record": 1}},
		{good + "1,2,,\"s,f,5,7\n1,3,,s,\"f\",8,9\n", 2, map[string]int64{"bad_record": 1}},
		{good + "1,2,,\"s,f,5,7\r\n1,3,,s,\"f\",8,9\n1,4,,\"s,f\n", 2, map[string]int64{"bad_record": 2}},
		{good + "1,2,,\"s", 1, map[string]int64{"torn_record": 1}},
		{good + "1,2,,s," + strings.Repeat("x", 3*maxRecord) + ",5,7\n1,3,,s,f,8,9\n", 2, map[string]int64{"bad_record": 1}},
		{good + "1,2,,s,\"" + strings.Repeat(strings.Repeat("x", 99)+"\n", 12_000) + "\",5,7\n1,3,,s,f,8,9\n", 2, map[string]int64{"bad_record": 12_001}},
	} {
		got := readOne(t, "trace,span,parent,service,name,start,end\n"+c.rows, schema.ReadingOptions{})
		if got.Enters != c.spans || got.Exits != c.spans || !maps.Equal(got.Losses, c.losses) {
			t.Errorf("%.300q: %d spans, losses %v", c.rows, got.Enters, got.Losses)
		}
	}
}

// TestFields writes random fields by another program and cuts them again, read in pieces of any size.
func TestFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	letters := []string{"a", "\"", ",", "\n", "\r\n", " ", "é", "\t", ";"}
	for range 300 {
		var rows [][]string
		var out strings.Builder
		w := csv.NewWriter(&out)
		for range 1 + rng.IntN(8) {
			row := []string{"x", "", "", ""}
			for i := range row {
				for range rng.IntN(6) {
					row[i] += letters[rng.IntN(len(letters))]
				}
				row[i] = strings.Trim(row[i], " \t\r") // blanks around a field are no part of one without quotation marks
			}
			rows = append(rows, row)
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		r := reader{lines: newRecords(iotest.OneByteReader(strings.NewReader(out.String())), nil)}
		r.row, r.names = textfield.Row{Separator: ','}, make([]string, 4)
		var got [][]string
		for line := r.lines.next(); line != nil; line = r.lines.next() {
			if f := r.split(line); f.want != "" {
				t.Fatalf("%q: %+v", out.String(), f)
			}
			var row []string
			for i := range r.row.Fields() {
				row = append(row, strings.ReplaceAll(string(r.row.Text(i)), "\r\n", "\n"))
			}
			got = append(got, row)
		}
		for _, row := range rows {
			for i := range row {
				row[i] = strings.ReplaceAll(row[i], "\r\n", "\n")
			}
		}
		expect.Deep(t, got, rows, "%q", out.String())
	}
}

// randomSpans makes spans that lie in their parents, as rows of a table and as OTLP.
func randomSpans(rng *rand.Rand, n int) (rows []string, text string) {
	type span struct{ trace, from, to int }
	kinds := []string{"", "internal", "server", "client", "producer", "consumer"}
	all := []span{}
	var groups []string
	for id := range n {
		s := span{trace: id + 1, from: 1_000_000 + rng.IntN(300)}
		s.to = s.from + rng.IntN(400)
		parent, otlpParent := []string{"root", "", "null", "0"}[rng.IntN(4)], ""
		if id > 0 && rng.IntN(5) > 0 {
			p := rng.IntN(id)
			s.trace = all[p].trace
			s.from = all[p].from + rng.IntN(all[p].to-all[p].from+1)
			s.to = s.from + rng.IntN(all[p].to-s.from+1)
			parent = fmt.Sprintf("%016x", p+1)
			otlpParent = fmt.Sprintf(`"parentSpanId": "%s", `, parent)
		}
		all = append(all, s)
		service, kind := rng.IntN(4), rng.IntN(6)
		rows = append(rows, fmt.Sprintf("%x,%016x,%s,s%d,f%d,%d,%d,%s", s.trace, id+1, parent, service, id%5, s.from, s.to-s.from, kinds[kind]))
		groups = append(groups, fmt.Sprintf(`{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "s%d"}}]}, "scopeSpans": [{"spans": [`+
			`{"traceId": "%032x", "spanId": "%016x", %s"name": "f%d", "kind": %d, "startTimeUnixNano": "%d000", "endTimeUnixNano": "%d000"}]}]}`,
			service, s.trace, id+1, otlpParent, id%5, kind, s.from, s.to))
	}
	return rows, `{"resourceSpans": [` + strings.Join(groups, ",") + "]}"
}

const randomHeader = "trace,span,parent,service,name,start_us,duration,kind\n"

// TestSameAsOTLP reads spans as a table, in any order of its lines and in files of any number, and sees what OTLP shows of them.
func TestSameAsOTLP(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		rows, text := randomSpans(rng, 1+rng.IntN(40))
		want := expect.Value(readertest.SummarizeFiles(otlp.Format(), map[string]string{"t": text}, schema.Reading{}))(t)
		o := schema.ReadingOptions{Columns: map[string]string{"duration": "duration:us"}}
		for range 3 {
			files := map[string]string{}
			for i, part := range slices.Collect(slices.Chunk(rows, 1+rng.IntN(len(rows)))) {
				files[fmt.Sprint(i)] = randomHeader + strings.Join(part, "\n")
			}
			got := expect.Value(read(files, schema.Reading{Options: o}))(t)
			expect.Deep(t, got.Events, want.Events, "%d: events of %v", seed, files)
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		heading, values string
		failed          int
	}{
		{"status", "ERROR Ok Unset STATUS_CODE_ERROR", 2}, {"StatusCode", "2 0 1 13.0", 2}, {"http_status_code", "200 404 500 503", 2},
		{"error", "true false True 0", 2}, {"error", "x y z w", 0},
	} {
		rows := "trace,span,start,end," + c.heading + "\n"
		for i, value := range strings.Fields(c.values) {
			rows += fmt.Sprintf("1,%d,5,7,%s\n", i+1, value)
		}
		got := readOne(t, rows, schema.ReadingOptions{})
		expect.Equal(t, got.Failed, c.failed, "%s: %s", c.heading, c.values)
	}
}

// TestRule takes services out of the names of pods. A call from one pod to another of its service stays a message.
func TestRule(t *testing.T) {
	const text = "trace,span,parent,pod,name,start,end,kind\n1,1,,web-5f-a1,get,10,90,client\n1,2,1,shop-6c-b1,find,20,80,server\n1,3,2,shop-6c-b2,look,30,70,\n1,4,3,db,read,40,60,\n"
	got := readOne(t, text, schema.ReadingOptions{Component: "service=^(.*)-[0-9a-f]+-[a-z0-9]+$"})
	expect.Equal(t, strings.Join(got.Events, "\n"), `10 web/1 > get !m1 request
20 shop/1 > find ?m1 request
30 shop/1 = find !m2 inferred
30 shop/2 > look ?m2 inferred
40 shop/2 = look !m3 inferred
40 db/1 > read ?m3 inferred
60 db/1 < read !m4 inferred
60 shop/2 = look ?m4 inferred
70 shop/2 < look !m5 inferred
70 shop/1 = find ?m5 inferred
80 shop/1 < find !m6 reply
90 web/1 < get ?m6 reply`, "events")
	for _, word := range []string{"service=(", "service=^.*$", "pod=(.*)"} {
		if Format().CheckComponent(word) == nil {
			t.Errorf("%s is taken", word)
		}
	}
}

func FuzzRead(f *testing.F) {
	rows, _ := randomSpans(rand.New(rand.NewPCG(1, 1)), 5)
	file, _ := written(f, encodings()[1], 9)
	readertest.FuzzSpans(f, Format(), file, randomHeader+strings.Join(rows, "\n"),
		`{"data": [{"trace": {"id": 1}, "span_id": 2, "start": 1.5, "duration": "x"}, {"trace_id": "a", "span_id": 3, "ts": 5, "end": 7, "error": 1}]}`,
		"trace;span;start;end\r\n1;\"2\";1.5e3;2022-08-23 16:59:34.730 UTC\n1;\"\n\"\"3;1\n", "trace\tspan\tstart\tend\n1\t1\t99999999999999999999\t1\n\n1\t2\t5\t7\t\t")
}

// TestDurationsBesideDates finds the unit of durations by how spans lie within their parents.
func TestDurationsBesideDates(t *testing.T) {
	for end, text := range map[string]string{
		"1709632800004202000": "a,1,,2024-03-05T10:00:00.000000Z,4202000\na,2,1,2024-03-05T10:00:00.000300Z,3602000\n",
		"1709632800004202001": "a,1,,2024-03-05T10:00:00.000000001Z,4202\na,2,1,2024-03-05T10:00:00.000300Z,3602\nb,1,,2024-03-05T10:00:01Z,5000\nb,2,1,2024-03-05T10:00:01.001Z,2000\n",
		"1709632800042000000": "a,1,,2024-03-05 10:00:00.000,42\na,2,1,2024-03-05 10:00:00.003,36\n",
		"1709632800000000042": "a,1,,2024-03-05T10:00:00Z,42\n",
	} {
		got := readOne(t, "trace,span,parent,start,duration\n"+text, schema.ReadingOptions{})
		if !slices.Contains(got.Events, end+" unknown_service/1 < unnamed") || len(got.Losses) > 0 {
			t.Errorf("no end at %s: %q, losses %v", end, got.Events, got.Losses)
		}
	}
}

// TestDurationsBesideNumbers finds durations in us beside starts in ms, as in the tables of the AIOps challenges, where spans lie within their parents by that
// alone; where they do so in the unit of the starts, or where too few of them begin late enough to show it, that is taken.
func TestDurationsBesideNumbers(t *testing.T) {
	var fine, coarse, early strings.Builder
	for i := range 20 {
		at := 1647705600000 + 1000*i
		fmt.Fprintf(&fine, "%[2]d,shop-0,,%[1]d,a,90000\n%[3]d,cart-0,%[1]d,%[4]d,a,30000\n", 2*i+1, at, at+12, 2*i+2)
		fmt.Fprintf(&coarse, "%[2]d,shop-0,,%[1]d,a,90\n%[3]d,cart-0,%[1]d,%[4]d,a,30\n", 2*i+1, at, at+12, 2*i+2)
		fmt.Fprintf(&early, "%[2]d,shop-0,,%[1]d,a,9\n%[3]d,cart-0,%[1]d,%[4]d,a,3\n", 2*i+1, at, at+1, 2*i+2)
	}
	for text, end := range map[string]string{fine.String(): "1647705600090000000", coarse.String(): "1647705600090000000", early.String(): "1647705600009000000"} {
		got := readOne(t, "timestamp,cmdb_id,parent_id,span_id,trace_id,duration\n"+text, schema.ReadingOptions{})
		if !slices.ContainsFunc(got.Events, func(e string) bool { return strings.HasPrefix(e, end) }) || len(got.Losses) > 0 {
			t.Errorf("no end at %s: %q, losses %v", end, got.Events[:4], got.Losses)
		}
	}
}

// TestForeignHeader says of a table that the user calls one of spans which columns it lacks.
func TestForeignHeader(t *testing.T) {
	err := lacking([]byte("correlation;unit;begun;took\n1;2;3;4\n"), schema.ReadingOptions{})
	for _, want := range []string{`no column for "trace"`, `--columns span=NAME`, `no column for "start"`, `no column for "end" nor for "duration"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
