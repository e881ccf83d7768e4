package crashtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/testdata/expect"
)

// gateway is the object store that make engines builds: versitygw, which keeps objects as the files of a folder.
const gateway = "../../bin/engines/versitygw"

// startGateway starts the store over a folder at an address, and waits until it answers.
func startGateway(t *testing.T, at, folder string) *exec.Cmd {
	t.Helper()
	c := exec.Command(gateway, "--port", at, "--quiet", "posix", folder)
	c.Env = append(os.Environ(), "ROOT_ACCESS_KEY=test", "ROOT_SECRET_KEY=test")
	expect.OK(t, c.Start())
	for range 200 {
		if conn, err := net.Dial("tcp", at); err == nil {
			conn.Close()
			return c
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("versitygw does not answer")
	return nil
}

// TestGateway makes a lake in an object store that is a folder, too: its files are those of a lake that was made in a folder. The store is
// killed in the middle of the analysis and comes back.
func TestGateway(t *testing.T) {
	if testing.Short() {
		t.Skip("an object store of its own takes some seconds")
	}
	if _, err := os.Stat(gateway); err != nil {
		t.Skip("versitygw is not there: make engines builds it")
	}
	objecttest.Start(t)                                            // for the environment
	folder := expect.Value(process.FolderIn("/tmp", "gateway"))(t) // where files have attributes, which those in memory may not
	defer process.RemoveFolder(folder)
	expect.OK(t, os.Mkdir(filepath.Join(folder, objecttest.Bucket), 0o777))
	at := fmt.Sprint("127.0.0.1:", freePorts(t, 1)[0])
	t.Setenv("AWS_ENDPOINT_URL", "http://"+at)
	store := startGateway(t, at, folder)
	defer func() { store.Process.Kill() }()

	want := filepath.Join(t.TempDir(), "lake")
	lake := objects("lake")
	for _, l := range []string{want, lake} {
		must(t, l, "ingest", "--run", "a", trace(t, engineEvents))
		must(t, l, "ingest", "--run", "b", trace(t, "5e4"))
	}
	must(t, want, "analyze", "run")
	run, said := program(lake, "analyze", "run")
	expect.OK(t, run.Start())
	for { // until a task is done
		if done, _ := filepath.Glob(filepath.Join(folder, objecttest.Bucket, "lake", "_work", "*", "*", "done-*")); len(done) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	store.Process.Kill()
	store.Wait()
	time.Sleep(time.Second)
	store = startGateway(t, at, folder)
	if err := run.Wait(); err != nil {
		t.Fatalf("the store was away for a second: %v\n%s", err, said)
	}
	for _, l := range []string{want, lake} {
		must(t, l, "analyze", "compare", "--base", "a", "--cand", "b")
	}
	laketest.CheckSame(t, "an object store that was killed", laketest.Hashes(t, filepath.Join(folder, objecttest.Bucket, "lake")), laketest.Hashes(t, want))
}
