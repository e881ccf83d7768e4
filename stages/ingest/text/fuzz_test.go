package text

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

var seeds = []string{
	"0.022017363 lib_url_c > Curl_resolver_cancel !m13889\n0.022017364 lib_asyn_h > Curl_resolver_cancel ?m13889\n",
	"0.022017363 lib_url_c > f !m13889\r\n0.1 lib_url_c < f\n\n9223372036854775808 A > f",
	"1700000000022017363 lib_url_c\t>  f ?ret1 \n0.000000001 A > f\x01!m1\n0.000000001 A > f !12345678901234567890\n",
	"0.000007797 E0 C0 > hf2\n0.000010312 E0 C0 > call_38 !RQ0 ?x !00\n1 C0 C0 < hf2",
	"2023-11-14T22:13:20.5+01:00 E C > f !a1\n1969-12-31T23:59Z E C < f\n2263-01-01T00:00:00-0130 E C < f\n",
	"Time,Comp.,Func.\n0.0000000x1 A > f\n-1 A > f\n1. A > f\n12345678.123456789 Comp > f !s-9\n",
}

func fuzz(f *testing.F, d dialect) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		var b schema.Block
		p := newParser(d)
		p.Parse([]byte(data), &b)
		if err := readertest.CheckText(data, &b); err != nil {
			t.Error(err)
		}
		want := plain(d, data)
		expect.Deep(t, readertest.Parse(newParser(d), data), want, "%q", data)
		// The second time every name is known.
		expect.Deep(t, readertest.Parse(p, data), want, "%q again", data)
	})
}

func FuzzThesis(f *testing.F) { fuzz(f, thesis) }

func FuzzTmsctrace(f *testing.F) { fuzz(f, tmsctrace) }

func FuzzDetect(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, head string) {
		format, ok := Detect([]byte(head))
		if !ok {
			return
		}
		if format.Header > len(head) {
			t.Fatalf("header of %d bytes", format.Header)
		}
		lines := string(sample([]byte(head[format.Header:])))
		var b schema.Block
		format.NewParser().Parse([]byte(lines), &b)
		if err := readertest.CheckText(lines, &b); err != nil {
			t.Error(err)
		}
		if 2*b.Bad.Count >= b.Lines {
			t.Errorf("%q: %s, but %d of %d lines are bad", head, format.Name, b.Bad.Count, b.Lines)
		}
	})
}
