package otf1

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestDetect(t *testing.T) {
	for _, head := range []string{"1:1\n2:2\n", "1:1,2,a0001", "1:1\n100001:10", "\n1:1\n\ni 1:2:3\n", "1:1\ntwo: ", "<VTUCTL 5.14.4openmpi 3e8>\n"} {
		if !Detect([]byte(head)) {
			t.Errorf("%q is not found", head)
		}
	}
	for _, head := range []string{"", "\n", "i1\n", "one:1\n", "1:1\nhello\n", "1:\n", "0.1 a > f\n", "DTR1\n", "0\n*1\nE1\n", "1:A\n", "2023-11-14T22:13:20Z\n"} {
		if Detect([]byte(head)) {
			t.Errorf("%q is taken for a master file", head)
		}
	}
}

func TestDetectFolder(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{"d/b.otf": "1:1\n", "d/a.otf": "1:1\n", "d/c.otf": "text\n", "d/a.uctl": "<VTUCTL 1>\n", "a.otf": "1:1\n"}, []string{"d/a.otf", "d/b.otf"}},
		{map[string]string{"d/a.uctl": "<VTUCTL 1>\n", "d/a.1.events": "1\n"}, []string{"d/a.uctl"}},
		{map[string]string{"d/a.1.events": "1\n", "d/e.otf/x": "1:1\n"}, nil},
		{map[string]string{"e": ""}, nil},
	} {
		expect.Slice(t, DetectFolder(folder(c.files), "d"), c.want, "%v", c.files)
	}
}

// TestDetectRecorded finds the recorded traces in their folders.
func TestDetectRecorded(t *testing.T) {
	for _, parts := range [][]string{fast, slow, netpipe, merged, long, mergeZ, comprZ} {
		dir, master := recording(t, parts...)
		expect.Slice(t, DetectFolder(os.DirFS(dir), "."), []string{master}, "%v", parts)
	}
	local := filepath.Join(os.Getenv("TRACELAKE_RECORDINGS"), "otf1", "variants", "local-z-unfinished-zlib")
	got := DetectFolder(os.DirFS(local), ".")
	expect.Slice(t, got, []string{"curl_fast.uctl"}, "detected")
	if out := read(os.DirFS(local), got[0]); out.Err == nil || out.Err.Error() != "curl_fast.uctl: "+unify {
		t.Errorf("error %v", out.Err)
	}
}
