package otlp

import (
	"maps"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// damaged is a span of which the attribute is no message: it claims 5 bytes and has one.
func damaged() string {
	within := func(field protowire.Number, body []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), body)
	}
	span := slices.Concat(within(1, []byte("0123456789abcdef")), within(2, []byte("01234567")), within(5, []byte("f")), within(9, []byte{1<<3 | 2, 5, 'x'}))
	for field, ns := range []uint64{1, 2} {
		span = protowire.AppendFixed64(protowire.AppendTag(span, protowire.Number(7+field), protowire.Fixed64Type), ns)
	}
	return string(within(1, within(2, within(2, span))))
}

// TestDamagedAttribute keeps the span of an attribute that is damaged, whether attributes are asked for or not, and counts the damage.
func TestDamagedAttribute(t *testing.T) {
	for _, names := range [][]string{nil, {"all"}} {
		got, err := readertest.SummarizeFiles(Format(), map[string]string{"t": damaged()}, schema.Reading{Options: schema.ReadingOptions{Attributes: names}})
		expect.OK(t, err)
		expect.Equal(t, len(got.Events), 2, "events with attributes %v", names)
		expect.Equal(t, len(got.Losses), len(names), "losses with attributes %v", names)
	}
}

// FuzzRead reads any bytes, in JSON or protobuf.
func FuzzRead(f *testing.F) {
	readertest.FuzzSpans(f, Format(), append(slices.Collect(maps.Values(random(1, 2, 3).encodings())),
		`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "AAAAAAAAAAAAAAAAAAAAAQ==", "spanId": "1", "startTimeUnixNano": -5}]}]}]}`)...)
}
