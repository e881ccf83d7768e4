package lake

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestScratchThatKeepsItsName sees that a scratch file whose name cannot be removed is an error, and that the file is closed: in a folder that only
// takes more files. It is skipped where the file system, or the user, has no such folders.
func TestScratchThatKeepsItsName(t *testing.T) {
	dir := t.TempDir()
	folder := expect.Value(os.Open(dir))(t)
	defer folder.Close()
	const appendOnly = 0x20 // FS_APPEND_FL of <linux/fs.h>
	set := func(flags int) error { return unix.IoctlSetPointerInt(int(folder.Fd()), unix.FS_IOC_SETFLAGS, flags) }
	if err := set(appendOnly); err != nil {
		t.Skip(err)
	}
	defer set(0)
	open := func() int { return len(expect.Value(os.ReadDir("/proc/self/fd"))(t)) }
	before := open()
	if _, err := localStorage(dir).Scratch("."); err == nil {
		t.Fatal("a name that stays is no error")
	}
	expect.Equal(t, open(), before, "open files")
}
