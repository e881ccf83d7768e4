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

// Names of events pair by a word between any separators, and what is left names the execution.
func TestOtherEnd(t *testing.T) {
	for name, want := range map[string]string{
		"x_begin": "x_end x", "syscall_begin_read": "syscall_end_read syscall_read", "lib.eal.service.run.begin": "lib.eal.service.run.end lib.eal.service.run",
		"a:task-begin": "a:task-end a:task", "begin_begin_x": "begin_end_x begin_x", "io/begin": "io/end io",
		"begin": "", "begin_x": "", "_begin": "", "p:begin": "", "beginning_x": "", "x_begins": "", "": "",
	} {
		got := ""
		if exit, function, ok := otherEnd(name, [2]string{"begin", "end"}); ok {
			got = exit + " " + function
		}
		expect.Equal(t, got, want, "%q", name)
	}
}

// The services of a DPDK program run 33,001 times, which its events say by names with points.
func TestPoints(t *testing.T) {
	root := unpacked(t, "../third-party/ctf/tracecompass/dpdk_service_cores.ctf.tar.zst")
	got := readAll(t, root, tracesIn(t, root)...)
	runs, ns := 0, int64(0)
	for _, r := range got.rows {
		if r.Key.Function == "lib.eal.service.run" {
			runs++
			ns += r.Ns * (2*int64(r.Key.Kind) - 1)
		}
	}
	// The durations add up to what they do in the text of babeltrace2, which turns 2.1 GHz into ns by floating point.
	if runs != 2*33_001 || ns != 66_017_510_414 {
		t.Errorf("%d ends, %d ns", runs, ns)
	}
}
