package ctf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// unpacked returns a folder with the content of an archive of the recordings, or skips the test.
func unpacked(t testing.TB, archive string) string {
	t.Helper()
	return readertest.Unpack(t, filepath.Join(readertest.Recordings(t), archive))
}

// tracesIn returns the folders of traces below a folder, as a walk finds them.
func tracesIn(t testing.TB, root string) []string {
	t.Helper()
	var out []string
	fsys := os.DirFS(root)
	expect.OK(t, filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		dir, err := filepath.Rel(root, path)
		out = append(out, DetectFolder(fsys, filepath.ToSlash(dir))...)
		return err
	}))
	return out
}

func TestRecordedCounts(t *testing.T) {
	for _, c := range []struct {
		archive string
		events  map[string]int64 // by the last part of the folder
	}{
		{"ctf/curl-8.14.1-http-fast-run1.ctf.tar.zst", map[string]int64{"64-bit": 12262}},
		{"ctf/curl-8.14.1-http-slow20ms-run1.ctf.tar.zst", map[string]int64{"64-bit": 12442}},
		{"ctf/curl-8.14.1-50urls-LOSSY.ctf.tar.zst", map[string]int64{"64-bit": 25465}},
		{"../third-party/ctf/tracecompass/cyg-profile.ctf.tar.zst", map[string]int64{"glxgears-cyg-profile": 4977, "glxgears-cyg-profile-fast": 5161}},
		{"../third-party/ctf/tracecompass/hello-lost.ctf.tar.zst", map[string]int64{"hello-lost": 32300}},
		{"../third-party/ctf/tracecompass/synctraces.ctf.tar.zst", map[string]int64{"scp_src": 110771, "scp_dest": 85729}},
		{"../third-party/ctf/tracecompass/many-threads.ctf.tar.zst", map[string]int64{"many-threads": 240644}},
		{"../third-party/ctf/tracecompass/flipping-endianness.ctf.tar.zst", map[string]int64{"flipping-endianness": 14310}},
		{"../third-party/ctf/tracecompass/debuginfo-test-app3.ctf.tar.zst", map[string]int64{"debuginfo-test-app3": 291}},
		{"../third-party/ctf/tracecompass/funky_trace.ctf.tar.zst", map[string]int64{"funky_trace": 100002}},
	} {
		t.Run(strings.TrimSuffix(filepath.Base(c.archive), ".ctf.tar.zst"), func(t *testing.T) {
			root := unpacked(t, c.archive)
			dirs := tracesIn(t, root)
			for _, dir := range dirs {
				got := readAll(t, root, dir)
				var events int64
				for _, n := range got.events {
					events += n
				}
				expect.Equal(t, events, c.events[filepath.Base(dir)], "%s: events; %v; losses %v", dir, got.err, got.losses)
				t.Logf("%s: %d rows of %d events, losses %v, %v", dir, len(got.rows), events, got.losses, got.err)
			}
			expect.Equal(t, len(dirs), len(c.events), "traces")
		})
	}
}
