package jsontext

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// chrome is a trace of begins and ends, of about 90 bytes each.
func chrome() []byte {
	var b bytes.Buffer
	b.WriteString(`{"traceEvents":[`)
	for i := range 200_000 {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"name":"Curl_function_%d","cat":"lib_multi_c","ph":"%c","ts":%d.%03d,"pid":4711,"tid":%d}`,
			i%97, "BE"[i%2], 3552235441+i, i%1000, 4711+i%3)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// jaeger is a file of spans with tags.
func jaeger() []byte {
	var b bytes.Buffer
	b.WriteString(`{"data":[{"traceID":"1f","spans":[`)
	for i := range 20_000 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"traceID":"%016x","spanID":"%016x","operationName":"HTTP GET /hotels","references":[{"refType":"CHILD_OF","traceID":"%016x","spanID":"%016x"}],"startTime":%d,"duration":%d,"tags":[{"key":"span.kind","type":"string","value":"client"},{"key":"http.url","type":"string","value":"http://frontend:5000/hotels?inDate=2015-04-09&lat=37.7749"},{"key":"internal.span.format","type":"string","value":"proto"}],"logs":[],"processID":"p%d","warnings":null}`,
			i/10, i, i/10, i-1, 1689000000000000+i, i%1000, i%5)
	}
	b.WriteString(`],"processes":{}}]}`)
	return b.Bytes()
}

func BenchmarkSkip(b *testing.B) {
	for name, text := range map[string][]byte{"chrome": chrome(), "jaeger": jaeger()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				expect.OK(b, New(bytes.NewReader(text), "f").Skip())
			}
		})
	}
}

// BenchmarkFields reads every name, string and number.
func BenchmarkFields(b *testing.B) {
	for name, text := range map[string][]byte{"chrome": chrome(), "jaeger": jaeger()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				f := &fields{r: New(bytes.NewReader(text), "f")}
				f.inObject, f.inArray = f.member, f.value
				if err := f.value(); err != nil || f.bytes == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// fields counts the bytes of names and values.
type fields struct {
	r        *Reader
	inObject func([]byte) error
	inArray  func() error
	bytes    int
}

func (f *fields) member(name []byte) error {
	f.bytes += len(name)
	return f.value()
}

func (f *fields) value() error {
	switch f.r.Kind() {
	case Object:
		return f.r.Object(f.inObject)
	case Array:
		return f.r.Array(f.inArray)
	case String, Number:
		s, err := f.r.String()
		f.bytes += len(s)
		return err
	}
	return f.r.Skip()
}
