package zipkin

import (
	"fmt"
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

// TestShared reads a client and a server of one id, in every shape of file.
func TestShared(t *testing.T) {
	const client = `{"traceId": "1f", "id": "2", "parentId": "1", "kind": "CLIENT", "name": "get", "timestamp": 100, "duration": 50, "localEndpoint": {"serviceName": "web", "ipv4": "1.1.1.1", "port": 80, "ipv6": "::9"}, "remoteEndpoint": {"serviceName": "x"}}`
	const server = `{"shared": true, "traceId": "000000000000001f", "id": "2", "name": "get", "timestamp": 110, "duration": 20, "localEndpoint": {"ipv6": "::1", "serviceName": "shop"}, "tags": {"id": "7"}}`
	const root = `{"traceId": "1F", "id": "1", "kind": "SERVER", "name": "page", "timestamp": 90, "duration": 100, "localEndpoint": {"ipv6": "::2", "ipv4": "1.1.1.1", "serviceName": "web"}}`
	const want = `90000 web/1 > page
100000 web/1 > get !m1 request
110000 shop/1 > get ?m1 request
130000 shop/1 < get !m2 reply
150000 web/1 < get ?m2 reply
190000 web/1 < page`
	for _, text := range []string{
		"[" + client + "," + server + "," + root + "]", "[[" + client + "], [], [" + root + "," + server + "]]", client + "\n" + root + "\n" + server,
	} {
		got, err := read(map[string]string{"trace": text}, schema.Reading{Strict: true})
		if all := strings.Join(got.Events, "\n"); err != nil || all != want || len(got.Losses) > 0 || !Detect([]byte(text)) {
			t.Errorf("%s: detected %v, losses %v: %v\n%s", text, Detect([]byte(text)), got.Losses, err, all)
		}
	}
}

// TestVersion1 reads spans of version 1: of one id for both ends, reported at once or by each end for itself, with and without times of the span; and one
// within a service.
func TestVersion1(t *testing.T) {
	const (
		web    = `{"serviceName": "web", "ipv4": "1.1.1.1", "port": 80}`
		shop   = `{"serviceName": "shop", "ipv4": "1.1.1.2"}`
		ids    = `"traceId": "1f", "id": "2", "name": "get"`
		client = `{"timestamp": 150, "value": "cr", "endpoint": ` + web + `}, {"timestamp": 100, "value": "cs", "endpoint": ` + web + `}`
		server = `{"endpoint": ` + shop + `, "timestamp": 110, "value": "sr"}, {"timestamp": 120, "value": "a note", "endpoint": ` + shop + `}, {"timestamp": 130, "value": "ss", "endpoint": ` + shop + `}`
		peers  = `"binaryAnnotations": [{"key": "sa", "value": true, "endpoint": {"serviceName": "db"}}, {"key": "http.path", "value": "/", "endpoint": ` + web + `}]`
		local  = `{"traceId": "1f", "id": "3", "parentId": "2", "name": "price", "timestamp": 115, "duration": 5, "binaryAnnotations": [{"key": "lc", "value": "pricing", "endpoint": ` + shop + `}, {"key": "error", "value": "no price", "endpoint": ` + shop + `}]}`
		want   = `100000 web/1 > get !m1 request
110000 shop/1 > get ?m1 request
115000 shop/1 > price
120000 shop/1 < price
130000 shop/1 < get !m2 reply
150000 web/1 < get ?m2 reply`
	)
	for _, text := range []string{
		`[[{` + ids + `, "timestamp": 100, "duration": 50, "annotations": [` + server + `, ` + client + `], ` + peers + `}, ` + local + `]]`,
		`[{` + ids + `, "annotations": [` + server + `]}, ` + local + `, {` + ids + `, ` + peers + `, "annotations": [` + client + `]}]`,
		`{` + ids + `, "timestamp": 110, "duration": 20, "annotations": [` + server + `]} {` + ids + `, "timestamp": 100, "duration": 50, "annotations": [` + client + `]} ` + local,
	} {
		got, err := read(map[string]string{"trace": text}, schema.Reading{Strict: true})
		if all := strings.Join(got.Events, "\n"); err != nil || all != want || len(got.Losses) > 0 || got.Failed != 1 || !Detect([]byte(text)) {
			t.Errorf("%s: detected %v, losses %v, %d failed: %v\n%s", text, Detect([]byte(text)), got.Losses, got.Failed, err, all)
		}
	}
}

func TestDefects(t *testing.T) {
	for _, c := range []struct {
		rest   string
		event  string // the last
		losses map[string]int64
	}{
		{`"timestamp": 5, "duration": 2`, "7000 s/1 < f", map[string]int64{}},
		{`"timestamp": "5", "duration": "2"`, "7000 s/1 < f", map[string]int64{}},
		{`"timestamp": 5, "annotations": [{"timestamp": 6, "value": "a"}, {"timestamp": 9, "value": "b"}, {"timestamp": 8}, {}]`, "9000 s/1 < f", map[string]int64{}},
		{`"annotations": [{"timestamp": 7}, {"timestamp": 9}, {"timestamp": 6}]`, "9000 s/1 < f", map[string]int64{}},
		{`"timestamp": 0, "duration": 10, "annotations": [{"timestamp": 6, "value": "a"}]`, "16000 s/1 < f", map[string]int64{}},
		{`"timestamp": 5, "annotations": [{"timestamp": 5}]`, "", map[string]int64{"missing_duration": 1}},
		{`"duration": 5`, "", map[string]int64{"missing_duration": 1}},
		{`"timestamp": 5, "duration": -2`, "5000 s/1 < f", map[string]int64{"negative_duration": 1}},
		{`"timestamp": 9223372036854776, "duration": 1`, "", map[string]int64{"unsupported_time": 1}},
		{`"timestamp": 9223372036854775, "duration": 1`, "", map[string]int64{"unsupported_time": 1}},
		{`"timestamp": [5], "duration": true`, "", map[string]int64{"bad_record": 2, "missing_duration": 1}},
		{`"timestamp": null, "duration": null`, "", map[string]int64{"missing_duration": 1}},
		{`"timestamp": 5, "duration": 2, "id": ""`, "", map[string]int64{"bad_record": 1}},
		{`"timestamp": 5, "duration": 2, "parentId": "7"`, "7000 s/1 < f", map[string]int64{"missing_parent": 1}},
		{`"timestamp": 5, "duration": 2}, 7, {`, "7000 s/1 < f", map[string]int64{"bad_record": 2}},
		{`"timestamp": 5, "duration": 2}, {"traceId": "2`, "7000 s/1 < f", map[string]int64{"torn_record": 1}},
	} {
		text := `[{"traceId": "1", "id": "1", "name": "f", "localEndpoint": {"serviceName": "s"}, ` + c.rest + "}]"
		got, err := read(map[string]string{"trace": text}, schema.Reading{})
		last := ""
		if n := len(got.Events); n > 0 {
			last = got.Events[n-1]
		}
		if err != nil || last != c.event || !maps.Equal(got.Losses, c.losses) {
			t.Errorf("%s: %q, losses %v: %v", text, got.Events, got.Losses, err)
		}
	}
}

// TestStatus reads spans that say that they failed, and one that says that it did not.
func TestStatus(t *testing.T) {
	const span = `{"traceId": "1%d", "id": "1", "timestamp": 5, "duration": 2, "tags": %s}`
	text := fmt.Sprintf(span+span+span+span, 1, `{"error": "timeout"}`, 2, `{"error": ""}`, 3, `{"error": "false", "x": [1]}`, 4, `{"http.status_code": "500"}`)
	got, err := read(map[string]string{"trace": text}, schema.Reading{})
	if err != nil || got.Failed != 2 || got.Enters != 4 || len(got.Losses) > 0 {
		t.Errorf("%d failed of %d, losses %v: %v", got.Failed, got.Enters, got.Losses, err)
	}
}

func TestDetectOthers(t *testing.T) {
	for _, head := range []string{"", "[]", "{}", "[[]]", `[{"name": "a", "ph": "X", "id": "1"}]`, `{"resourceSpans": [{"traceId": "1"}]}`, `{"data": [{"traceID": "1"}]}`, `[{"traceId": "1", "spanId": "1"}, {"id": "2", "traceId": "2"}]`} {
		if Detect([]byte(head)) {
			t.Errorf("%q is taken for Zipkin's", head)
		}
	}
}
