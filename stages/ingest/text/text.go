package text

import (
	"bytes"

	"github.com/tracelake/tracelake/schema"
)

const (
	sampleLines = 100 // lines by which the dialect is judged
	byteOrder   = "\xef\xbb\xbf"
)

// Detect finds the dialect of a trace by its first bytes, which may end within a line. It is the one of
// which most of the first hundred lines are.
func Detect(head []byte) (schema.Format, bool) {
	header := 0
	if bytes.HasPrefix(head, []byte(byteOrder)) {
		header = len(byteOrder)
	}
	lines := sample(head[header:])
	// The kind is the third field in the thesis dialect and the fourth in the other one, so hardly any line is of both.
	for _, f := range []schema.Format{Thesis(), Tmsctrace()} {
		var b schema.Block
		f.NewParser().Parse(lines, &b)
		if 2*b.Bad.Count < b.Lines {
			f.Header = header
			return f, true
		}
	}
	return schema.Format{}, false
}

// sample cuts data after its first complete lines. A line that is all there is counts as complete.
func sample(data []byte) []byte {
	end := 0
	for range sampleLines {
		n := bytes.IndexByte(data[end:], '\n')
		if n < 0 {
			break
		}
		end += n + 1
	}
	if end == 0 {
		return data
	}
	return data[:end]
}
