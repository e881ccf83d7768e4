package lake_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// holdLock names the lake that this process is to lock, when a test started it for that.
const holdLock = "TRACELAKE_TEST_HOLD_LOCK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdLock); dir != "" {
		os.Exit(hold(dir))
	}
	os.Exit(m.Run())
}

// hold locks a lake, says so, and keeps the lock until the standard input ends.
func hold(dir string) int {
	l, err := lake.Open(dir, false)
	if err == nil {
		_, err = l.Lock()
	}
	fmt.Println(err)
	bufio.NewReader(os.Stdin).ReadByte()
	return 0
}

// TestLock checks that a lake has one writer: a second process is told at once who the first is, and the
// lock goes with the first, even when that is killed.
func TestLock(t *testing.T) {
	l := open(t, t.TempDir())
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), holdLock+"="+l.Dir)
	stdin := expect.Value(c.StdinPipe())(t)
	defer stdin.Close()
	stdout := expect.Value(c.StdoutPipe())(t)
	expect.OK(t, c.Start())
	if said, _ := bufio.NewReader(stdout).ReadString('\n'); said != "<nil>\n" {
		t.Fatalf("the other process could not lock: %s", said)
	}
	_, err := l.Lock()
	fails(t, err, fmt.Sprintf("another process (pid %d) is writing to the lake %s", c.Process.Pid, l.Dir), "wait until it has finished")
	c.Process.Kill()
	c.Wait()
	release := expect.Value(l.Lock())(t)
	_, err = l.Lock()
	fails(t, err, fmt.Sprintf("pid %d", os.Getpid()))
	release()
	release = expect.Value(l.Lock())(t)
	release()
}
