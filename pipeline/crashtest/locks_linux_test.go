package crashtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// withoutLocks is the name under which this program starts another one for which no file system has locks.
const withoutLocks = "without-locks"

func init() {
	if filepath.Base(os.Args[0]) == withoutLocks {
		fmt.Fprintln(os.Stderr, becomeWithoutLocks(os.Args[1:]))
		os.Exit(99)
	}
}

// becomeWithoutLocks becomes another program whose requests for locks the kernel answers as a file system does that has none. The filter
// of system calls (seccomp) looks at their numbers and, of fcntl, at the command; it is that of this thread, and outlives exec.
func becomeWithoutLocks(args []string) error {
	const number, command = 0, 16 + 8                      // offsets in struct seccomp_data: the system call, and its second argument
	is := func(value uint32, skip uint8) unix.SockFilter { // goes on behind the next instructions where the value is another one
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: skip}
	}
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	answer := func(what uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what} }
	refuse := answer(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTSUP))
	filter := []unix.SockFilter{load(number), is(unix.SYS_FLOCK, 1), refuse, is(unix.SYS_FCNTL, 7), load(command)}
	for _, locks := range []uint32{unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_SETLK} {
		filter = append(filter, is(locks, 1), refuse)
	}
	filter = append(filter, answer(unix.SECCOMP_RET_ALLOW))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return err
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// unlocked prepares a command like program, for which no file system has locks.
func unlocked(t *testing.T, lake string, args ...string) (*exec.Cmd, fmt.Stringer) {
	t.Helper()
	c, stderr := program(lake, args...)
	c.Args = append([]string{withoutLocks}, append([]string{c.Path}, c.Args[1:]...)...)
	c.Path = expect.Value(os.Executable())(t)
	return c, stderr
}

// TestWithoutLocks has processes ingest and analyze runs into one lake at once where no file system has locks. The lake needs none:
// its tables are those that a single process makes. DuckDB, which writes the database of views, does, and the commands that cannot
// make it end with the sentence that names the reason and the remedy.
func TestWithoutLocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	const runs = 4
	for n := range runs {
		expect.OK(t, os.WriteFile(smallTrace(dir, n), []byte(small(n)), 0o666))
		must(t, one, "ingest", "--quiet", smallTrace(dir, n))
		must(t, one, "analyze", "--quiet", "run", fmt.Sprint("r", n))
	}
	var all sync.WaitGroup
	for w := range 2 * runs { // every run has two writers
		all.Go(func() {
			c, stderr := unlocked(t, many, "ingest", "--quiet", smallTrace(dir, w%runs))
			if err := c.Run(); err != nil {
				t.Errorf("ingest: %v\n%s", err, stderr)
			}
			c, stderr = unlocked(t, many, "analyze", "--quiet", "run", fmt.Sprint("r", w%runs))
			if code := exitCode(t, c.Run()); code != 1 || !strings.Contains(stderr.String(), "without locks") || !strings.Contains(stderr.String(), "TMPDIR") {
				t.Errorf("analyze run ends with %d and does not name the file system without locks:\n%s", code, stderr)
			}
		})
	}
	all.Wait()
	laketest.CheckSame(t, "without locks", laketest.Hashes(t, many), laketest.Hashes(t, one))
	must(t, many, "analyze", "--quiet", "run") // where there are locks, all that is left to do is the database
	if analyzed, answered := wholeRuns(t, many); !answered || analyzed != runs {
		t.Errorf("a DuckDB client sees %d analyzed runs", analyzed)
	}
}
