package crashtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracelake/tracelake/testdata/expect"
)

// otlpSpan is a span of a service as JSON and as protobuf, a request each.
func otlpSpan(service string, id, parent byte, start, end uint64) (text string, message []byte) {
	text = fmt.Sprintf(`{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": %q}}]},
  "scopeSpans": [{"spans": [{"traceId": "000000000000000000000000000000%02x", "spanId": "00000000000000%02x", "parentSpanId": %q, "name": "call", "kind": 2,
  "startTimeUnixNano": "%d", "endTimeUnixNano": "%d"}]}]}]}`, service, 1, id, parentOf(parent), start, end)
	field := func(b []byte, n protowire.Number, v []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), v)
	}
	attribute := field(field(nil, 1, []byte("service.name")), 2, field(nil, 1, []byte(service)))
	span := field(nil, 1, append(make([]byte, 15), 1))
	span = field(span, 2, append(make([]byte, 7), id))
	if parent != 0 {
		span = field(span, 4, append(make([]byte, 7), parent))
	}
	span = protowire.AppendVarint(protowire.AppendTag(field(span, 5, []byte("call")), 6, protowire.VarintType), 2)
	span = protowire.AppendFixed64(protowire.AppendTag(span, 7, protowire.Fixed64Type), start)
	span = protowire.AppendFixed64(protowire.AppendTag(span, 8, protowire.Fixed64Type), end)
	return text, field(nil, 1, field(field(nil, 1, field(nil, 1, attribute)), 2, field(nil, 2, span)))
}

func parentOf(id byte) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf("00000000000000%02x", id)
}

// post posts a request, and returns the code and the text of the answer.
func post(t *testing.T, address, encoding, compression string, body []byte) (int, string) {
	t.Helper()
	r := expect.Value(http.NewRequest(http.MethodPost, address, bytes.NewReader(body)))(t)
	r.Header.Set("Content-Type", encoding)
	if compression != "" {
		r.Header.Set("Content-Encoding", compression)
	}
	a := expect.Value(http.DefaultClient.Do(r))(t)
	defer a.Body.Close()
	return a.StatusCode, strings.TrimSpace(string(expect.Value(io.ReadAll(a.Body))(t)))
}

// postAnyway posts JSON to a receiver that may be gone.
func postAnyway(address string, body []byte) (code int, err error) {
	a, err := http.Post(address, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	return a.StatusCode, a.Body.Close()
}

func zipped(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	expect.Value(z.Write(b))(t)
	expect.OK(t, z.Close())
	return out.Bytes()
}

// TestFollowOTLP posts traces as an SDK of OpenTelemetry does, in both encodings, plain and by gzip. What is no trace is refused with a reason, which
// the recorder counts. A recorder that is killed leaves what was taken. The run is that of a file of what was taken, byte by byte.
func TestFollowOTLP(t *testing.T) {
	t.Parallel()
	const jsonType, protobufType = "application/json", "application/x-protobuf"
	for _, encoding := range []string{jsonType, protobufType} {
		f := follow(t, "otlp:127.0.0.1:0")
		address := f.told("what is posted to ", ";")
		var whole []byte
		for i := range byte(20) {
			text, message := otlpSpan(fmt.Sprintf("service-%d", i%3), i+1, i, 1_700_000_000_000_000_000+uint64(i)*10, 1_700_000_000_000_001_000-uint64(i)*10)
			b, behind, answer := []byte(text), "\n", "{}"
			if encoding == protobufType {
				b, behind, answer = message, "", ""
			}
			whole = append(append(whole, b...), behind...)
			compression := ""
			if i%2 == 1 {
				b, compression = zipped(t, b), "gzip"
			}
			code, got := post(t, address, encoding, compression, b)
			expect.Equal(t, fmt.Sprint(code, got), "200"+answer, "the answer of request %d", i)
		}
		text, message := otlpSpan("other", 99, 0, 1, 2)
		other, otherType := message, protobufType
		if encoding == protobufType {
			other, otherType = []byte(text), jsonType
		}
		for _, refused := range []struct {
			encoding, compression string
			body                  []byte
			code                  int
			reason                string
		}{
			{otherType, "", other, 415, "in another encoding than the first request, which was " + encoding},
			{"text/plain", "", []byte(text), 415, "neither application/json nor application/x-protobuf"},
			{jsonType, "zstd", []byte(text), 415, "compressed by something else than gzip"},
			{jsonType, "gzip", []byte(text), 400, "not by gzip, as it says"},
			{jsonType, "", []byte(text[1:]), 400, "not an object of JSON"},
			{jsonType, "", []byte(`{"resourceMetrics": []}`), 400, "not traces"},
			{protobufType, "", message[:len(message)-1], 400, "not a message of protobuf"},
			{protobufType, "gzip", zipped(t, make([]byte, 16<<20+1)), 413, "longer than 16777216 bytes"},
		} {
			code, got := post(t, address, refused.encoding, refused.compression, refused.body)
			expect.Equal(t, fmt.Sprint(code, " ", got), fmt.Sprint(refused.code, " ", refused.reason), "an answer")
		}
		code, _ := post(t, strings.Replace(address, "/v1/traces", "/v1/metrics", 1), jsonType, "", []byte("{}"))
		expect.Equal(t, code, 404, "metrics")
		code, _ = post(t, address, jsonType, "", []byte(" {} "))
		expect.Equal(t, code, 200, "no traces")

		f.recorded(len(whole))
		f.end(encoding == protobufType)
		if encoding == jsonType {
			f.says("requests were refused: ", "1 not traces", "1 longer than 16777216 bytes", "1 not posted to /v1/traces")
		}
		f.sameAsIngested("OTLP that was followed", whole)
	}
}
