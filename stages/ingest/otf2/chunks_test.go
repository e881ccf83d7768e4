package otf2

import (
	"bytes"
	"io"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// A record may end with the last byte of its chunk, and the window may end before; one byte more is of another chunk. Where the file ends before, it is cut.
func TestNeedToTheEndOfAChunk(t *testing.T) {
	for _, c := range []struct{ file, need int }{{8, 8}, {12, 8}, {12, 9}, {7, 8}, {7, 7}} {
		chunks := newChunks(io.NopCloser(bytes.NewReader(make([]byte, c.file))), "events", 8, 4)
		chunks.stop = 8
		want := error(nil)
		switch {
		case c.need > 8:
			want = errCross
		case c.need > c.file:
			want = errEnds
		}
		expect.Equal(t, chunks.need(c.need), want, "%d bytes of a file of %d in chunks of 8", c.need, c.file)
	}
}
