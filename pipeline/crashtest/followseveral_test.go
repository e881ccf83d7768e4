package crashtest

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// grow appends to a file.
func grow(t *testing.T, path string, piece []byte) {
	t.Helper()
	file := expect.Value(os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666))(t)
	expect.Value(file.Write(piece))(t)
	expect.OK(t, file.Close())
}

// dialed connects with a recorder as soon as it listens.
func dialed(t *testing.T, socket string) net.Conn {
	t.Helper()
	for range 500 {
		if c, err := net.Dial("unix", socket); err == nil {
			return c
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nobody listens at %s", socket)
	return nil
}

// TestFollowSeveral records two files that grow, piece by piece and also within lines, into one run, by a program that is killed and started again. What
// becomes of it is the run that an ingest makes of both. The files in the other order, or one of them, are no continuation.
func TestFollowSeveral(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lake := filepath.Join(dir, "lake")
	paths := []string{filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt")}
	whole := [][]byte{[]byte(strings.Repeat(small(1), 30)), []byte(strings.ReplaceAll(strings.Repeat(small(2), 40), "client", "other"))}
	for _, path := range paths {
		grow(t, path, nil)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	c, said := recorder(t, lake, paths...)
	at := [2]int{}
	for at[0] < len(whole[0]) || at[1] < len(whole[1]) {
		i := rng.IntN(2)
		end := min(at[i]+1+rng.IntN(len(whole[i])/3), len(whole[i]))
		grow(t, paths[i], whole[i][at[i]:end])
		if at[i] = end; rng.IntN(2) == 0 { // sometimes before all of it is there
			recorded(t, lake, partOf(i, paths[i]), end, said)
		}
		expect.OK(t, c.Process.Kill())
		c.Wait()
		c, said = recorder(t, lake, paths...)
	}
	for i, path := range paths {
		recorded(t, lake, partOf(i, path), len(whole[i]), said)
	}
	expect.OK(t, c.Process.Kill())
	c.Wait()
	for _, others := range [][]string{{paths[1], paths[0]}, {paths[0], paths[1], filepath.Join(dir, "three.txt")}} {
		grow(t, filepath.Join(dir, "three.txt"), nil)
		second, refused := program(lake, append([]string{"ingest", "--follow", "--run", "x"}, others...)...)
		if err := second.Run(); exitCode(t, err) != 1 || !strings.Contains(refused.String(), "ingest seal x") {
			t.Errorf("%v go on: %v\n%s", others, err, refused)
		}
	}
	must(t, lake, "analyze", "--quiet", "verify")
	c, said = recorder(t, lake, append(paths, "--idle", "300ms")...)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	batch := filepath.Join(dir, "batch")
	must(t, batch, "ingest", "--quiet", "--run", "x", "--label", "night=1", paths[0], paths[1])
	laketest.CheckSame(t, "two files that were followed into one run", tables(t, lake), tables(t, batch))
	if left, _ := filepath.Glob(filepath.Join(lake, "_live*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// partOf is where in a recording the i-th of several traces lies.
func partOf(i int, path string) string {
	return filepath.Join([]string{"part-1", "part-2"}[i], filepath.Base(path))
}

// TestFollowKinds records a file and a connection into one run, and is killed: the connection cannot go on, and ingest seal makes the run of both.
// Of a third one nothing came.
func TestFollowKinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lake, file, socket, idle := filepath.Join(dir, "lake"), filepath.Join(dir, "one.txt"), filepath.Join(dir, "socket"), filepath.Join(dir, "idle")
	grow(t, file, nil)
	c, said := recorder(t, lake, file, "unix:"+socket, "unix:"+idle)
	sender := dialed(t, socket)
	sent := strings.ReplaceAll(small(2), "client", "other")
	expect.Value(io.WriteString(sender, sent))(t)
	grow(t, file, []byte(small(1)))
	recorded(t, lake, "part-1/one.txt", len(small(1)), said)
	recorded(t, lake, "part-2/trace-2", len(sent), said)
	expect.OK(t, c.Process.Kill())
	c.Wait()
	sender.Close()
	again, refused := program(lake, "ingest", "--follow", "--run", "x", file, "unix:"+socket, "unix:"+idle)
	if err := again.Run(); exitCode(t, err) != 1 || !strings.Contains(refused.String(), "cannot go on") {
		t.Errorf("a connection goes on: %v\n%s", err, refused)
	}
	must(t, lake, "ingest", "seal")
	trace := filepath.Join(dir, "trace-2")
	expect.OK(t, os.WriteFile(trace, []byte(sent), 0o666))
	batch := filepath.Join(dir, "batch")
	must(t, batch, "ingest", "--quiet", "--run", "x", "--label", "night=1", file, trace)
	laketest.CheckSame(t, "a file and a connection", tables(t, lake), tables(t, batch))
}

// TestFollowEach records two files into a run each, by one command. One of them cannot be read at all, which leaves the other as it is.
func TestFollowEach(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lake := filepath.Join(dir, "lake")
	paths := []string{filepath.Join(dir, "x.txt"), filepath.Join(dir, "y.txt"), filepath.Join(dir, "none.txt")}
	for i, path := range paths[:2] {
		expect.OK(t, os.WriteFile(path, []byte(small(i)), 0o666))
	}
	expect.OK(t, os.WriteFile(paths[2], []byte("nothing that is known\n"), 0o666))
	c, said := program(lake, append([]string{"ingest", "--follow", "--idle", "300ms"}, paths...)...)
	if err := c.Run(); exitCode(t, err) != 1 || !strings.Contains(said.String(), "none") {
		t.Errorf("one that is not known: %v\n%s", err, said)
	}
	batch := filepath.Join(dir, "batch")
	must(t, batch, "ingest", "--quiet", paths[0], paths[1])
	each := tables(t, lake)
	maps.DeleteFunc(each, func(path, _ string) bool { return strings.HasPrefix(path, "_live/run=none/") }) // it stays
	laketest.CheckSame(t, "a run each", each, tables(t, batch))
}

// rawLog is the log of a program of two functions.
func rawLog(i int) string {
	var b strings.Builder
	b.WriteString("# module 0x1000 0x900000 0x0 /bin/prog\n")
	for n := range 50 {
		at := 1_000_000 + 1000*n + 100*i
		fmt.Fprintf(&b, "%d 7 E 0x2000 0x2010\n%d 7 E 0x3000 0x2020\n%d 7 X 0x3000 0x2020\n%d 7 X 0x2000 0x2010\n", at, at+10, at+20+i, at+40)
	}
	return b.String()
}

// TestFollowUnits records two raw logs into one run, in which each is a unit of its own: the table of components has the names that the
// recording shows.
func TestFollowUnits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lake := filepath.Join(dir, "lake")
	paths := []string{filepath.Join(dir, "one.log"), filepath.Join(dir, "two.log")}
	for i, path := range paths {
		expect.OK(t, os.WriteFile(path, []byte(rawLog(i)), 0o666))
	}
	c, said := recorder(t, lake, paths...)
	for i, path := range paths {
		recorded(t, lake, partOf(i, path), len(rawLog(i)), said)
	}
	names := filepath.Join(lake, "_live/run=x/_view/names")
	shown := func() string { text, _ := os.ReadFile(names); return string(text) }
	for range 500 {
		if strings.Contains(shown(), "one/") && strings.Contains(shown(), "two/") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, unit := range []string{"one/", "two/"} {
		if !strings.Contains(shown(), unit) {
			t.Errorf("the view shows no component of %s: %q", unit, shown())
		}
	}
	expect.OK(t, c.Process.Signal(syscall.SIGINT))
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	batch := filepath.Join(dir, "batch")
	must(t, batch, "ingest", "--quiet", "--run", "x", "--label", "night=1", paths[0], paths[1])
	laketest.CheckSame(t, "two raw logs", tables(t, lake), tables(t, batch))
}
