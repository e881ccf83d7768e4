package crashtest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
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

// recorder starts to record a trace into a lake.
func recorder(t *testing.T, lake string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	c, said := program(lake, append([]string{"ingest", "--follow", "--run", "x", "--label", "night=1"}, args...)...)
	expect.OK(t, c.Start())
	return c, said
}

// recorded waits for the recording in a lake to have so many bytes.
func recorded(t *testing.T, lake, name string, length int, said *bytes.Buffer) {
	t.Helper()
	for range 1000 {
		if info, err := os.Stat(filepath.Join(lake, "_live/run=x", name)); err == nil && info.Size() >= int64(length) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("after ten seconds not %d bytes are recorded\n%s", length, said)
}

// tables are the files of the tables of a lake. The manifests beside them name the folders of the traces, which differ.
func tables(t *testing.T, lake string) map[string]string {
	t.Helper()
	all := laketest.Hashes(t, lake)
	maps.DeleteFunc(all, func(path, _ string) bool { return strings.HasPrefix(path, "_manifests/") })
	return all
}

// sealed ends a recorder as a person does, by an interrupt, and compares the lake with that of an ingest of the whole trace.
func sealed(t *testing.T, c *exec.Cmd, said *bytes.Buffer, lake, trace string) {
	t.Helper()
	expect.OK(t, c.Process.Signal(syscall.SIGINT))
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	batch := filepath.Join(t.TempDir(), "lake")
	must(t, batch, "ingest", "--quiet", "--run", "x", "--label", "night=1", trace)
	laketest.CheckSame(t, "a trace that was followed", tables(t, lake), tables(t, batch))
}

// TestFollow grows a trace piece by piece, also within lines, while it is recorded by a program that is killed and started again, and moves it away
// once. What becomes of it is the run of the whole trace, byte by byte. Meanwhile another run is ingested, and a second recorder is refused.
func TestFollow(t *testing.T) {
	t.Parallel()
	whole := expect.Value(os.ReadFile(trace(t, "2e4")))(t)
	dir := t.TempDir()
	lake, grows := filepath.Join(dir, "lake"), filepath.Join(dir, "grows.txt")
	expect.OK(t, os.WriteFile(grows, nil, 0o666))
	rng := rand.New(rand.NewPCG(1, 1))
	c, said := recorder(t, lake, grows)
	for at := 0; at < len(whole); {
		end := min(at+1+rng.IntN(len(whole)/8), len(whole))
		file := expect.Value(os.OpenFile(grows, os.O_APPEND|os.O_WRONLY, 0o666))(t)
		expect.Value(file.Write(whole[at:end]))(t)
		expect.OK(t, file.Close())
		if at = end; rng.IntN(2) == 0 { // sometimes before all of it is there
			recorded(t, lake, "grows.txt", at, said)
		}
		expect.OK(t, c.Process.Kill())
		c.Wait()
		c, said = recorder(t, lake, grows)
	}
	recorded(t, lake, "grows.txt", len(whole), said)
	other := smallTrace(dir, 0)
	expect.OK(t, os.WriteFile(other, []byte(small(0)), 0o666))
	must(t, lake, "ingest", "--quiet", "--run", "beside", other)
	second, refused := program(lake, "ingest", "--follow", "--run", "x", grows)
	if err := second.Run(); exitCode(t, err) != 1 || !strings.Contains(refused.String(), "another process") {
		t.Errorf("a second recorder: %v\n%s", err, refused)
	}
	must(t, lake, "analyze", "--quiet", "drop", "beside")
	expect.OK(t, os.WriteFile(filepath.Join(dir, "whole.txt"), whole, 0o666))
	expect.OK(t, os.Rename(grows, grows+".1")) // after the last line: nothing follows
	expect.OK(t, os.Mkdir(filepath.Join(dir, "batch"), 0o777))
	expect.OK(t, os.WriteFile(filepath.Join(dir, "batch/grows.txt"), whole, 0o666))
	sealed(t, c, said, lake, filepath.Join(dir, "batch/grows.txt"))
	if left, _ := filepath.Glob(filepath.Join(lake, "_live*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestSeal kills a recorder of a connection; what it has becomes a run by ingest seal, and a pipe cannot go on where it stopped.
func TestSeal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lake, socket := filepath.Join(dir, "lake"), filepath.Join(dir, "socket")
	whole := []byte(small(3))
	c, said := recorder(t, lake, "unix:"+socket)
	var sender net.Conn
	var err error
	for range 500 {
		if sender, err = net.Dial("unix", socket); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	expect.OK(t, err)
	expect.Value(sender.Write(whole))(t)
	recorded(t, lake, "trace", len(whole), said)
	expect.OK(t, c.Process.Kill())
	c.Wait()
	sender.Close()
	again, refused := program(lake, "ingest", "--follow", "--run", "x", "-")
	again.Stdin = strings.NewReader("more")
	if err := again.Run(); exitCode(t, err) != 1 || !strings.Contains(refused.String(), "ingest seal x") {
		t.Errorf("a pipe goes on: %v\n%s", err, refused)
	}
	must(t, lake, "ingest", "seal")
	batch := filepath.Join(dir, "batch")
	expect.OK(t, os.WriteFile(filepath.Join(dir, "trace"), whole, 0o666))
	must(t, batch, "ingest", "--run", "x", "--label", "night=1", filepath.Join(dir, "trace"))
	laketest.CheckSame(t, "a recording that was sealed", tables(t, lake), tables(t, batch))

	// A pipe ends where its writer ends.
	piped, said := program(lake, "ingest", "--follow", "--run", "y", "-")
	in := expect.Value(piped.StdinPipe())(t)
	expect.OK(t, piped.Start())
	expect.Value(io.Copy(in, bytes.NewReader(whole)))(t)
	expect.OK(t, in.Close())
	if err := piped.Wait(); err != nil || !strings.Contains(said.String(), fmt.Sprintf("run y: %d events", strings.Count(small(3), "\n"))) {
		t.Errorf("a pipe: %v\n%s", err, said)
	}
}
