package schema

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/testdata/expect"
)

// unknownSize is a file that does not say how long it is.
type unknownSize struct{ fs.File }

func (unknownSize) Stat() (fs.FileInfo, error) { return nil, errors.New("nobody knows") }

// TestReadAhead sees that a file on a disk is given no more room than it fills, and that everything else is given all.
func TestReadAhead(t *testing.T) {
	const most = 1 << 17
	open := func(bytes int, mode fs.FileMode) fs.File {
		fsys := fstest.MapFS{"f": {Data: make([]byte, bytes), Mode: mode}}
		return expect.Value(fsys.Open("f"))(t)
	}
	for in, want := range map[io.Reader]int{
		open(0, 0): leastAhead, open(100, 0): leastAhead, open(50_000, 0): 50_001, open(most-1, 0): most, open(most, 0): most, open(1<<20, 0): most,
		open(100, fs.ModeNamedPipe): most, unknownSize{open(100, 0)}: most, strings.NewReader("x"): leastAhead, io.MultiReader(): most,
	} {
		expect.Equal(t, ReadAhead(in, most), want, "%v", in)
	}
	expect.Equal(t, ReadAhead(open(100, 0), 500), 500, "where less is asked for than the least")
}
