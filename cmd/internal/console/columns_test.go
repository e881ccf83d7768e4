package console

import (
	"fmt"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/tracelake/tracelake/testdata/expect"
)

// newTerminal returns a terminal of so many columns that nobody looks at. It skips the test where the system has none.
func newTerminal(t *testing.T, columns uint16) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	expect.OK(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n := expect.Value(unix.IoctlGetInt(fd, unix.TIOCGPTN))(t)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { slave.Close() })
	expect.OK(t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	return slave
}

// TestColumns takes the width of a terminal from COLUMNS or from the terminal, and 80 at least. A file has no width.
func TestColumns(t *testing.T) {
	for _, test := range []struct {
		variable string
		terminal uint16
		want     int
	}{{"", 100, 100}, {"", 40, 80}, {"132", 100, 132}, {"20", 100, 80}, {"wide", 100, 100}, {"-3", 100, 100}, {"", 0, 0}} {
		t.Setenv("COLUMNS", test.variable)
		expect.Equal(t, Columns(NewPlain(newTerminal(t, test.terminal))), test.want, "COLUMNS %q, a terminal of %d", test.variable, test.terminal)
		expect.Equal(t, Columns(NewPlain(io.Discard)), 0, "no terminal")
	}
}
