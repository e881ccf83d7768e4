package lake

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Lock makes this process the one that writes to the lake. It fails at once when another one is. The
// lock goes with the process, however that ends.
func (l *Lake) Lock() (release func(), err error) {
	path := filepath.Join(l.Dir, "_lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := os.ReadFile(path)
		f.Close()
		return nil, fmt.Errorf("another process (%s) is writing to the lake %s: wait until it has finished", strings.TrimSpace(string(holder)), l.Dir)
	}
	if err := f.Truncate(0); err == nil {
		fmt.Fprintf(f, "pid %d\n", os.Getpid())
	}
	return func() { f.Close() }, nil
}
