package table

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

var seeds = []string{
	figure,
	"time,component,function,kind,id,type,thread\n1,A,f,start,i1,!,T\n\n2,\"A,\"\"\",f , finish,i00,RECEIVE,\"\" \nx\n1,A,f,start,,,,,\n",
	"time ms;c;f;s;execution_type\n1.5;A;f;>;blk\r\n9223372036854775807;A;f;<\n2023-11-14T22:13:20+01:00;A\x01;f;<\n",
	"time,component,function\n", "t\tc\n", "1 A > f\n",
}

func FuzzTable(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		format, ok, _ := Detect([]byte(data), Options{})
		rows := "time,component,function,kind,message,id,type,thread,execution_type\n"
		if ok {
			rows = data[format.Header:]
		} else {
			format, _, _ = Detect([]byte(rows), Options{})
			rows = data
		}
		p := format.NewParser().(*parser)
		var b schema.Block
		p.Parse([]byte(rows), &b)
		if err := readertest.CheckText(rows, &b); err != nil {
			t.Error(err)
		}
		expect.Deep(t, readertest.Parse(p, rows), readPlain(&p.layout, rows), "%q", rows)
	})
}

func FuzzDetect(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "kind", "Phase", "ms")
	}
	f.Fuzz(func(t *testing.T, head, column, name, unit string) {
		format, ok, err := Detect([]byte(head), Options{Columns: map[string]string{column: name}, TimeUnit: unit})
		if ok && (err != nil || format.Header > len(head) || format.NewParser == nil) {
			t.Errorf("%q: got %+v, %v", head, format, err)
		}
	})
}
