package ingest

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestForgetText sees that the memory of the text of a piece that waits is that of the next piece, and that the waiting one does not go back to
// the list, where it would be taken for a text.
func TestForgetText(t *testing.T) {
	in := &intake{Job: new(Job), pieces: newPieces(1), line: make(map[string]int64)}
	p := freshPiece(in.pieces, "trace")
	p.data = append(p.data, "1.0 a > f\n"...)
	text := &p.data[0]
	in.forgetText(p)
	expect.Equal(t, p.data == nil, true, "the text is forgotten")
	next := freshPiece(in.pieces, "trace")
	expect.Equal(t, next != p && len(next.data) == 0 && &next.data[:1][0] == text, true, "its memory is that of the next piece")

	whole := &piece{data: []byte("[]"), whole: true}
	in.forgetText(whole)
	expect.Equal(t, whole.data == nil && len(in.pieces.kept) == 0, true, "a whole file is not kept for others")
}
