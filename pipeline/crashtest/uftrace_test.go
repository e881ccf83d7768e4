package crashtest

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

const traced = `#include <stdlib.h>
int __attribute__((noinline)) leaf(int i) { return i * 7 + 1; }
int __attribute__((noinline)) work(int n) { int s = 0; for (int i = 0; i < n; i++) s += leaf(i); return s; }
int main(int c, char **v) { int s = 0; for (int i = 0; i < 3000; i++) s += work(5); return s == 42; }
`

// tee takes one connection, and sends what comes both to a and to b. It returns where it listens, and a function that waits for the end of
// what came.
func tee(t *testing.T, a, b string) (port string, wait func() []byte) {
	l := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	one := expect.Value(net.Dial("tcp", a))(t)
	var two net.Conn
	for range 500 { // b may not listen yet
		var err error
		if two, err = net.Dial("tcp", b); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if two == nil {
		t.Fatalf("nobody listens at %s", b)
	}
	var all []byte
	var group sync.WaitGroup
	group.Go(func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		var kept strings.Builder
		io.Copy(io.MultiWriter(one, two, &kept), c)
		one.Close()
		two.Close()
		all = []byte(kept.String())
	})
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, func() []byte { group.Wait(); return all }
}

// TestFollowUftrace has a real uftrace record a program and send its data, to the recorder and to uftrace recv: the run has the events of the folder that
// recv writes, byte by byte, and is made when the program ends. A recorder that is killed, and a connection that breaks off, leave a run of what came.
func TestFollowUftrace(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("uftrace")
	compiler, fault := exec.LookPath("gcc")
	if err != nil || fault != nil {
		t.Skip("uftrace or gcc is not installed")
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	expect.OK(t, os.WriteFile(source, []byte(traced), 0o666))
	if out, err := exec.Command(compiler, "-pg", "-O1", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	free := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	receives := free.Addr().(*net.TCPAddr).Port
	expect.OK(t, free.Close())
	recv := exec.Command(tool, "recv", "--port", strconv.Itoa(receives), "-d", filepath.Join(dir, "recv"))
	expect.OK(t, recv.Start())
	defer func() {
		recv.Process.Kill()
		recv.Wait()
	}()

	f := follow(t, "uftrace:127.0.0.1:0")
	port, wait := tee(t, f.told("--host sends to ", ","), "127.0.0.1:"+strconv.Itoa(receives))
	record := exec.Command(tool, "record", "--no-event", "--no-libcall", "--host", "127.0.0.1", "--port", port, "-d", "p.data", binary)
	record.Dir = dir
	if out, err := record.CombinedOutput(); err != nil {
		t.Skipf("uftrace cannot record here: %v\n%s", err, out)
	}
	all := wait()
	if err := f.c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, f.said())
	}
	f.sameAsIngested("what uftrace sent", all)
	logged := filepath.Join(dir, "logged")
	folder := filepath.Join(dir, "recv/p.data")
	for range 500 { // recv may still be writing
		if _, err := os.Stat(filepath.Join(folder, "info")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	must(t, logged, "ingest", "--quiet", "--run", "x", "--label", "night=1", folder)
	laketest.CheckSame(t, "what uftrace sent, and what uftrace recv made of it", ofRecords(tables(t, f.lake)), ofRecords(tables(t, logged)))

	for _, killed := range []bool{false, true} {
		half := all[:len(all)/2+bytes.Index(all[len(all)/2:], []byte{0xfa, 0xce})+20] // within a message
		f := follow(t, "uftrace:127.0.0.1:0")
		sender := expect.Value(net.Dial("tcp", f.told("--host sends to ", ",")))(t)
		expect.Value(sender.Write(half))(t)
		f.recorded(len(half))
		if killed {
			f.end(true)
		}
		expect.OK(t, sender.Close())
		if !killed {
			if err := f.c.Wait(); err != nil || !strings.Contains(f.said(), "1 ended ") {
				t.Errorf("a connection that breaks off: %v\n%s", err, f.said())
			}
		}
		f.sameAsIngested("half of what uftrace sent", half)
	}
}
