package table

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
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
		consistent(t, rows, &b)
		if got, want := read(p, rows), readPlain(&p.layout, rows); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v\nwant %+v", rows, got, want)
		}
	})
}

// consistent checks a block of its own against the number of lines.
func consistent(t *testing.T, data string, b *schema.Block) {
	t.Helper()
	lines := int64(strings.Count(data, "\n"))
	if data != "" && !strings.HasSuffix(data, "\n") {
		lines++
	}
	n := len(b.TimeNs)
	if len(b.Key) != n || len(b.Mark) != n || len(b.MessageID) != n || len(b.Line) != n {
		t.Errorf("%q: %d times, %d keys, %d marks, %d ids, %d lines", data, n, len(b.Key), len(b.Mark), len(b.MessageID), len(b.Line))
	}
	if b.Lines != lines || int64(n)+b.Bad.Count+b.Overflow.Count != lines {
		t.Errorf("%q: %d lines: %d good, %d bad, %d overflow of %d", data, b.Lines, n, b.Bad.Count, b.Overflow.Count, lines)
	}
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
