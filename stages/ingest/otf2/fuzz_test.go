package otf2

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
)

// FuzzRead reads archives of any bytes: no panic, no more events than bytes, and either an error or keys and marks
// that the events name.
func FuzzRead(f *testing.F) {
	for _, big := range []bool{false, true} {
		files := exchange(big)
		f.Add(global(big).raw(endOfFile).bytes, files["0.evt"], files["1.evt"], files["1.def"], int64(5))
	}
	f.Add(global(false).raw(endOfFile).bytes, chunked(), []byte{}, []byte{}, int64(1))
	f.Fuzz(func(t *testing.T, global, first, second, local []byte, memory int64) {
		fsys := fstest.MapFS{
			"a.otf2": {Data: anchorBytes(false, 1, 1)}, "a.def": {Data: global}, "a/0.evt": {Data: first}, "a/1.evt": {Data: second},
			"a/1.def": {Data: local}, "a/2.evt": {Data: first},
		}
		got := listen(fsys, "a.otf2", schema.ReadingOptions{}, memory%2 == 0)
		if n := len(got.Events); n > 4*(2*len(first)+len(second)) {
			t.Fatal(n, "events")
		}
		got.lines()
		got.losses()
	})
}

// FuzzAnchor reads anchor files of any bytes.
func FuzzAnchor(f *testing.F) {
	f.Add(anchorBytes(false, 1, 1))
	f.Add(anchorBytes(true, 2, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := listen(fstest.MapFS{"a.otf2": {Data: data}}, "a.otf2", schema.ReadingOptions{}, false)
		if got.Err == nil {
			t.Fatal("an archive without definitions was read")
		}
		if Detect(data) != (len(data) > 6 && data[0] == 3 && string(data[2:7]) == "OTF2\x00" && (data[1] == 0x42 || data[1] == 0x23)) {
			t.Fatal("not detected by its first bytes")
		}
	})
}
