package jaeger

import (
	"maps"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// read reads files as one run.
func read(files map[string]string, reading schema.Reading) (*readertest.Summary, error) {
	return readertest.SummarizeFiles(Format(), files, reading)
}

// forms are the forms of one small trace: a client asks a server, which the client's clock has in 2017.
var forms = []struct{ name, text string }{
	{"API", `{"data": [{"traceID": "1f", "spans": [` + apiSpans + `], "processes": {` + apiProcesses + `}}], "total": 0, "errors": null}`},
	{"processes first", `{"data": [{"processes": {` + apiProcesses + `}, "spans": [` + apiSpans + `]}]}`},
	{"UI", `{"data": {"traceID": "1f", "spans": [` + apiSpans + `], "processes": {` + apiProcesses + `}}, "id": "1f", "state": "FETCH_DONE"}`},
	{"single", `{"traceID": "1f", "spans": [` + apiSpans + `], "processes": {` + apiProcesses + `}}`},
	{"without ids", `{"traceID": "1f", "spans": [` + strings.ReplaceAll(apiSpans, `"traceID": "1f", "spanID"`, `"spanID"`) + `], "processes": {` + apiProcesses + `}}`},
	{"storage", `{"spans": [
		{"traceId": "AAAAAAAAAAAAAAAAAAAAHw==", "spanId": "AAAAAAAAAAE=", "operationName": "ask", "startTime": "2017-01-26T16:46:31.000002-05:00", "duration": "10us",
			"tags": [{"key": "span.kind", "vType": "STRING", "vStr": "client"}], "process": {"serviceName": "web", "tags": [{"key": "ip", "vStr": "1.1.1.1"}]}},
		{"traceId": "AAAAAAAAAAAAAAAAAAAAHw==", "spanId": "AAAAAAAAAAI=", "operationName": "answer", "startTime": "2017-01-26T21:46:31.000005Z", "duration": "0.000004s",
			"references": [{"refType": 0, "traceId": "AAAAAAAAAAAAAAAAAAAAHw==", "spanId": "AAAAAAAAAAE="}],
			"tags": [{"vStr": "server", "key": "span.kind"}], "process": {"serviceName": "shop"}}]}`},
	{"documents", `{"traceID": "1f", "spanID": "1", "operationName": "ask", "references": [], "startTime": 1485467191000002, "duration": 10, "tag": {"span@kind": "client"}, "process": {"serviceName": "web"}}
		{"traceID": "1f", "spanID": "2", "parentSpanID": "1", "operationName": "answer", "startTime": 1485467191000005, "duration": 4, "tag": {"span.kind": "server"}, "process": {"serviceName": "shop"}}`},
	{"hits", `{"took": 1, "hits": {"total": 2, "hits": [
		{"_id": "a", "_source": {"traceID": "1f", "spanID": "2", "parentSpanID": "1", "operationName": "answer", "startTime": 1485467191000005, "duration": 4, "tag": {"span@kind": "server"}, "process": {"serviceName": "shop"}}},
		{"_id": "b", "_source": {"traceID": "1f", "spanID": "1", "operationName": "ask", "startTime": 1485467191000002, "duration": 10, "tag": {"span@kind": "client"}, "process": {"serviceName": "web"}}}]}}`},
}

const (
	apiSpans = `{"traceID": "1f", "spanID": "2", "operationName": "answer", "references": [
			{"refType": "FOLLOWS_FROM", "traceID": "1f", "spanID": "9"}, {"refType": "CHILD_OF", "traceID": "77", "spanID": "8"}, {"refType": "CHILD_OF", "traceID": "01F", "spanID": "1"}],
			"startTime": 1485467191000005, "duration": 4, "tags": [{"key": "ip", "value": "3"}, {"value": "server", "type": "string", "key": "span.kind"}], "processID": "p2"},
		{"traceID": "1f", "spanID": "1", "operationName": "ask", "startTime": 1485467191000002, "duration": 10,
			"tags": [{"key": "span.kind", "type": "string", "value": "client"}, {"key": "http.url", "type": "string", "value": "client"}], "logs": [], "processID": "p1", "warnings": null}`
	apiProcesses = `"p1": {"serviceName": "web", "tags": [{"key": "hostname", "type": "string", "value": "h1"}]}, "p2": {"serviceName": "shop", "tags": []}`
)

const wanted = `1485467191000002000 web/1 > ask !m1 request
1485467191000005000 shop/1 > answer ?m1 request
1485467191000009000 shop/1 < answer !m2 reply
1485467191000012000 web/1 < ask ?m2 reply`

func TestForms(t *testing.T) {
	for _, c := range forms {
		if !Detect([]byte(c.text)) {
			t.Errorf("%s: not detected", c.name)
		}
		got, err := read(map[string]string{"trace": c.text}, schema.Reading{Strict: true})
		want := wanted
		if strings.Contains(c.text, "FOLLOWS_FROM") { // references that are not the parent
			want = strings.Replace(wanted, "?m1 request", `?m1 request
1485467191000005000 shop/1 = answer vlink1 link
1485467191000005000 shop/1 = answer vlink2 link`, 1)
		}
		if text := strings.Join(got.Events, "\n"); err != nil || text != want || len(got.Losses) > 0 {
			t.Errorf("%s: losses %v: %v\n%s", c.name, got.Losses, err, text)
		}
	}
}

// TestSeveral reads the spans of one trace from two files.
func TestSeveral(t *testing.T) {
	first, second, _ := strings.Cut(forms[6].text, "\n")
	got, err := read(map[string]string{"a": first, "b": second}, schema.Reading{})
	if text := strings.Join(got.Events, "\n"); err != nil || text != wanted {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestDefects(t *testing.T) {
	span := func(rest string) string {
		return `{"data": [{"spans": [{"traceID": "1", "spanID": "1", "operationName": "f", "processID": "p1"` + rest + `}], "processes": {"p1": {"serviceName": "s"}}}]}`
	}
	for _, c := range []struct {
		text   string
		enters int
		losses map[string]int64
	}{
		{span(`, "startTime": 0, "duration": 0`), 1, map[string]int64{}},
		{span(`, "startTime": 1`), 0, map[string]int64{"missing_duration": 1}},
		{span(`, "duration": 1`), 0, map[string]int64{"missing_duration": 1}},
		{span(`, "startTime": 5, "duration": -3`), 1, map[string]int64{"negative_duration": 1}},
		{span(`, "startTime": 9223372036854776, "duration": 3`), 0, map[string]int64{"unsupported_time": 1}},
		{span(`, "startTime": 9223372036854774, "duration": 9`), 0, map[string]int64{"unsupported_time": 1}},
		{span(`, "startTime": "1500-01-01T00:00:00Z", "duration": 9`), 0, map[string]int64{"unsupported_time": 1}},
		{span(`, "startTime": "then", "duration": "long"`), 0, map[string]int64{"bad_record": 2, "missing_duration": 1}},
		{span(`, "startTime": 1.5, "duration": 1e3`), 0, map[string]int64{"bad_record": 1, "missing_duration": 1}},
		{span(`, "startTime": 1, "duration": 1, "processID": "p7"`), 1, map[string]int64{"undefined_token": 1}},
		{span(`, "startTime": 1, "duration": 1, "traceID": ""`), 0, map[string]int64{"bad_record": 1}},
		{span(`, "startTime": 1, "duration": 1, "references": [{"refType": "CHILD_OF", "spanID": "b"}]`), 1, map[string]int64{"missing_parent": 1}},
		{span(`, "startTime": 1, "duration": 1, "tags": null, "references": null, "logs": {}`), 1, map[string]int64{}},
		{`{"services": ["a"]}`, 0, map[string]int64{"bad_record": 1}},
		{`[1, 2]`, 0, map[string]int64{"bad_record": 1}},
		{span(`, "startTime": 1, "duration": 1`) + `{"data": [{"spans": [{"traceID": "2", "spanID": "1", "startTime": 1, "duration": 1}, {"tr`, 2, map[string]int64{"torn_record": 1}},
		{span(`, "startTime": 1, "duration": 1`) + `}`, 1, map[string]int64{"bad_record": 1}},
	} {
		got, err := read(map[string]string{"trace": c.text}, schema.Reading{})
		if err != nil || got.Enters != c.enters || !maps.Equal(got.Losses, c.losses) {
			t.Errorf("%s: %d enters, losses %v: %v", c.text, got.Enters, got.Losses, err)
		}
	}
}

// TestStatus reads spans whose tags say how they ended, in every way to write tags.
func TestStatus(t *testing.T) {
	for tags, failed := range map[string]int{
		`"tags": [{"key": "error", "type": "bool", "value": true}]`: 1, `"tags": [{"value": true, "key": "error"}]`: 1,
		`"tags": [{"key": "error", "type": "string", "value": "true"}, {"key": "span.kind", "value": "client"}]`: 1,
		`"tags": [{"key": "otel.status_code", "value": "ERROR"}, {"key": "error", "value": false}]`:              1,
		`"tags": [{"key": "error", "vType": "BOOL", "vBool": true}]`:                                             1,
		`"tag": {"error": true}`: 1, `"tag": {"otel@status_code": "ERROR", "error": false}`: 1, `"tag": {"error": false, "x": true}`: 0,
		`"tags": [{"key": "error", "value": false}, {"key": "x", "value": true}]`: 0, `"tags": [{"key": "otel.status_code", "value": "OK"}]`: 0,
	} {
		got, err := read(map[string]string{"trace": `{"traceID": "1", "spanID": "2", "operationName": "f", "startTime": 5, "duration": 1, ` + tags + `, "process": {"serviceName": "s"}}`}, schema.Reading{})
		if err != nil || got.Failed != failed || got.Enters != 1 || len(got.Losses) > 0 {
			t.Errorf("%s: %d failed of %d, losses %v: %v", tags, got.Failed, got.Enters, got.Losses, err)
		}
	}
}

func TestDetectOthers(t *testing.T) {
	for _, head := range []string{"", "{}", "[]", `{"resourceSpans": []}`, `{"traceEvents": [{"name": "a"}]}`, "12 a > b\n", `[{"traceId": "1", "id": "2"}]`, `{"data": {"services": []}}`} {
		if Detect([]byte(head)) {
			t.Errorf("%q is taken for Jaeger's", head)
		}
	}
}
