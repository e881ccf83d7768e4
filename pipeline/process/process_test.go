package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// ofTest names what this process is to do when a test started it.
const ofTest = "TRACELAKE_TEST_PROCESS"

// TestMain makes a folder, says which, and waits for the end of its input.
func TestMain(m *testing.M) {
	if os.Getenv(ofTest) == "" {
		os.Exit(m.Run())
	}
	dir, err := Folder("child")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "spilled"), nil, 0o600); err != nil {
		panic(err)
	}
	os.Stdout.WriteString(dir)
	io.Copy(io.Discard, os.Stdin)
}

// child starts a process that makes a folder and lives until end is called, which kills it.
func child(t *testing.T) (dir string, pid int, end func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), ofTest+"=child")
	expect.Value(c.StdinPipe())(t)
	stdout := expect.Value(c.StdoutPipe())(t)
	expect.OK(t, c.Start())
	says := make([]byte, 4096)
	n := expect.Value(stdout.Read(says))(t)
	end = func() {
		c.Process.Kill()
		c.Wait()
	}
	t.Cleanup(end)
	return string(says[:n]), c.Process.Pid, end
}

// forgotten has this process look again for what others left, and make folders although it ended.
func forgotten() {
	temporary.ended = false
	clear(temporary.swept)
}

// TestFoldersOfKilledProcesses checks that a process which makes a folder removes those of a killed one, and nothing of one that lives or of
// which nothing is known.
func TestFoldersOfKilledProcesses(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	elsewhere := filepath.Join(parent, "tracelake-sql-"+AttemptPrefix+"00000000-7-7-7")
	for _, dir := range []string{elsewhere, filepath.Join(parent, "tracelake-cache-0"), filepath.Join(parent, "tracelake-x-"+AttemptPrefix+"7")} {
		expect.OK(t, os.Mkdir(dir, 0o700))
	}
	dir, _, end := child(t)
	look := func(want int, when string) {
		t.Helper()
		forgotten()
		own := expect.Value(Folder("own"))(t)
		expect.Equal(t, len(expect.Value(os.ReadDir(parent))(t)), want, "%s", when)
		expect.OK(t, RemoveFolder(own))
	}
	look(5, "folders while a process lives")
	if _, err := os.Stat(filepath.Join(dir, "spilled")); err != nil {
		t.Errorf("a file of a living process: %v", err)
	}
	end()
	look(4, "folders once it was killed")
}

// TestEnd checks that a process which ends leaves no folder and no file behind that it did not keep, also where work that was left in the
// middle goes on to write, and makes no folder any more.
func TestEnd(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	t.Cleanup(forgotten)
	left, removed := expect.Value(Folder("left"))(t), expect.Value(Folder("removed"))(t)
	expect.OK(t, RemoveFolder(removed))
	half, kept := filepath.Join(parent, "half.new"), filepath.Join(parent, "kept.new")
	for _, path := range []string{half, kept, filepath.Join(left, "0")} {
		Temporary(path)
		expect.OK(t, os.WriteFile(path, nil, 0o600))
	}
	Keep(kept)
	stopped := make(chan int)
	go func() {
		n := 1
		for os.WriteFile(filepath.Join(left, fmt.Sprint(n)), nil, 0o600) == nil {
			n++
		}
		stopped <- n
	}()
	for {
		if entries, _ := os.ReadDir(left); len(entries) > 10 {
			break
		}
	}
	End()
	<-stopped
	entries := expect.Value(os.ReadDir(parent))(t)
	if len(entries) != 1 || entries[0].Name() != "kept.new" {
		t.Errorf("a process leaves %v", entries)
	}
	if dir, err := Folder("late"); err == nil {
		t.Errorf("%s is made after the end", dir)
	}
}

// TestHiddenProcess checks that a process which the system hides, as it may those of other users, counts as running until it has ended.
func TestHiddenProcess(t *testing.T) {
	_, pid, end := child(t)
	it := Process{Machine: Self.Machine, Pid: pid, Started: expect.Value(startOf(pid))(t)}
	before := readStat
	defer func() { readStat = before }()
	readStat = func(int) ([]byte, error) { return nil, os.ErrPermission }
	if it.Ended() {
		t.Error("a hidden process has ended")
	}
	end()
	if !it.Ended() {
		t.Error("a hidden process lives after its end")
	}
}
