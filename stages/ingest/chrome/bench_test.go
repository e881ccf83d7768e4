package chrome

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

const benchEvents = 400_000

// pairs is a trace of begins and ends, of about 90 bytes each.
func pairs() []byte {
	var b bytes.Buffer
	b.WriteString(`{"traceEvents":[`)
	depth := 0
	for i := range benchEvents {
		if i > 0 {
			b.WriteString(",\n")
		}
		name, phase := depth, 'B'
		if i%10 >= 5 {
			phase = 'E'
			depth--
			name = depth
		} else {
			depth++
		}
		fmt.Fprintf(&b, `{"name":"Curl_function_%d","cat":"lib_multi_c","ph":"%c","ts":%d.%03d,"pid":4711,"tid":4711}`,
			name, phase, 3552235441+i, i%1000)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// completes is a trace of complete events in no order.
func completes() []byte {
	var b bytes.Buffer
	b.WriteString(`{"traceEvents":[`)
	for i := range benchEvents / 2 {
		if i > 0 {
			b.WriteString(",\n")
		}
		at := i*7919%(benchEvents/2)*10 + 1000
		fmt.Fprintf(&b, `{"name":"RunTask%d","cat":"toplevel","ph":"X","ts":%d,"dur":%d,"pid":4711,"tid":%d,"args":{"src_file":"base/a.cc","src_func":"Run"}}`,
			i%50, at, i%10, 4711+i%5)
	}
	b.WriteString("]}")
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	inputs := map[string][]byte{"pairs": pairs(), "completes": completes()}
	for name, text := range inputs {
		b.Run(name, func(b *testing.B) { readertest.BenchmarkText(b, Format(), text) })
	}
	b.Run("uftrace", func(b *testing.B) {
		text := unpacked(b, filepath.Join(readertest.Recordings(b), "uftrace", "curl", "curl-8.14.1-http-fast-run1.chrome.json.zst"))
		readertest.BenchmarkText(b, Format(), []byte(strings.ToValidUTF8(text, "")))
	})
}
