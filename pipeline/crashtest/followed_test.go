package crashtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// followed is a recorder of what is sent to it, of run x in a lake of its own.
type followed struct {
	t      *testing.T
	c      *exec.Cmd
	lake   string
	stderr string // a file
}

// follow starts to record what is sent to a source.
func follow(t *testing.T, source string, flags ...string) *followed {
	t.Helper()
	f := &followed{t: t, lake: filepath.Join(t.TempDir(), "lake"), stderr: filepath.Join(t.TempDir(), "stderr")}
	f.start(source, flags...)
	return f
}

// start starts it, or starts it again.
func (f *followed) start(source string, flags ...string) {
	f.t.Helper()
	f.c, _ = program(f.lake, append([]string{"ingest", "--follow", "--run", "x", "--label", "night=1", source}, flags...)...)
	stderr := expect.Value(os.OpenFile(f.stderr, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666))(f.t)
	f.c.Stderr = stderr
	expect.OK(f.t, f.c.Start())
	expect.OK(f.t, stderr.Close())
	limit := time.AfterFunc(2*time.Minute, func() { f.c.Process.Kill() })
	f.t.Cleanup(func() { limit.Stop(); f.c.Process.Kill() })
}

// said is what it has said so far.
func (f *followed) said() string { return string(expect.Value(os.ReadFile(f.stderr))(f.t)) }

// told waits for what it says between two texts.
func (f *followed) told(before, behind string) string {
	f.t.Helper()
	for range 1000 {
		if _, text, is := strings.Cut(f.said(), before); is {
			if text, _, is := strings.Cut(text, behind); is {
				return text
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.t.Fatalf("it does not say %q: %s", before, f.said())
	return ""
}

// recorded waits until so many bytes are recorded, and returns them.
func (f *followed) recorded(length int) []byte {
	f.t.Helper()
	recorded(f.t, f.lake, "trace", length, nil)
	time.Sleep(100 * time.Millisecond) // the list of blocks is written behind the bytes
	return expect.Value(os.ReadFile(filepath.Join(f.lake, "_live/run=x/trace")))(f.t)
}

// end ends it as a person does, by an interrupt, or kills it, and has a run made of what is there.
func (f *followed) end(killed bool) {
	f.t.Helper()
	if killed {
		expect.OK(f.t, f.c.Process.Kill())
		f.c.Wait()
		must(f.t, f.lake, "ingest", "seal", "--quiet")
		return
	}
	expect.OK(f.t, f.c.Process.Signal(syscall.SIGINT))
	if err := f.c.Wait(); err != nil {
		f.t.Fatalf("%v\n%s", err, f.said())
	}
}

// says sees that it has said some words.
func (f *followed) says(words ...string) {
	f.t.Helper()
	for _, w := range words {
		if !strings.Contains(f.said(), w) {
			f.t.Errorf("it does not say %q: %s", w, f.said())
		}
	}
}

// sameAsIngested compares the run with that of an ingest of the whole trace, byte by byte.
func (f *followed) sameAsIngested(what string, whole []byte) {
	f.t.Helper()
	trace, batch := filepath.Join(f.t.TempDir(), "trace"), filepath.Join(f.t.TempDir(), "lake")
	expect.OK(f.t, os.WriteFile(trace, whole, 0o666))
	must(f.t, batch, "ingest", "--quiet", "--run", "x", "--label", "night=1", trace)
	laketest.CheckSame(f.t, what, tables(f.t, f.lake), tables(f.t, batch))
}
