package kieker

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// FuzzReader reads any map and any file of records, as text, as bytes and unpacked, and checks that every event is
// sound, whatever memory there is.
func FuzzReader(f *testing.F) {
	binaryReader, table := asBytes(nil)
	f.Add(table, binaryReader, ".bin", "")
	f.Add([]byte(benchMap), []byte(propertyMeta+"$3;1;5;1;0;void a.B.c();a.B\n$4;1;6;1;1;void a.B.c();a.B"), ".dat", "host")
	f.Add([]byte(benchMap), []byte(propertyMeta+"$1;1;void a.B.c();;1;5;9;h;-1;-1\n$1;1;void a\\;B.c();;1;6;10;h;-1;-1\n"), ".dat", "package")
	f.Add([]byte("$1=x.BeforeCompOperationEvent\n$2=AfterOutCompOperationFailedEvent\n$3=BeforeReceivedRemoteEvent\n$4=BeforeSentRemoteEvent"),
		[]byte("$3;1;1;2;0;1;0\n$1;1;5;1;1;f;;7\n$4;1;5;1;1;tcp\n$2;1;5;1;1;g;;why;7\n$4;1;5;1;1;tcp\n"), ".dat", "component")
	f.Add([]byte{}, []byte("\x78\x9c"), ".df", "")
	f.Add([]byte{}, []byte("PK\x03\x04"), ".zip", "")
	f.Fuzz(func(t *testing.T, table, log []byte, ending, component string) {
		if len(ending) > 8 || !fs.ValidPath("log/x"+ending) {
			return
		}
		r := reading(fstest.MapFS{"log/kieker.map": {Data: table}, "log/x" + ending: {Data: log}}, "log", component)
		out := read(r)
		r = reading(r.Traces[0].FS, "log", component)
		r.Memory = 0
		expect.Equal(t, read(r).String(), out.String(), "with less memory")
		for _, row := range out.rows {
			if row.key.Component == "" || row.key.Lifeline == "" || row.key.Function == "" || row.key.Kind > schema.Message ||
				(row.mark.Direction == schema.NoMessage) != (row.id == schema.NoValue) {
				t.Errorf("event %+v", row)
			}
		}
	})
}
