package text

import (
	"bytes"

	"github.com/tracelake/tracelake/schema"
)

// Thesis describes the text of Hilbig 2023.
func Thesis() schema.Format {
	return schema.Format{
		Name:      "thesis",
		Doc:       "lines of TIME COMPONENT >|< FUNCTION [!id|?id]; seconds, or integer nanoseconds",
		Remarks:   "`0.022017363 lib_url_c > Curl_resolver_cancel !m13889`: the text of Hilbig 2023; `>` enter, `<` exit, `!` sends, `?` receives",
		Prepare:   prepare(Thesis),
		NewParser: func() schema.Parser { return newParser(thesis) },
	}
}

// Tmsctrace describes the traces of PPS.
func Tmsctrace() schema.Format {
	return schema.Format{
		Name:      "tmsctrace",
		Doc:       "lines of TIME EXECUTOR COMPONENT >|< FUNCTION [!id|?id]*; seconds, or ISO 8601",
		Remarks:   "`0.000010312 E0 C0 > call_38 !RQ0`: PPS; the executor is a lifeline of its own; several messages an event",
		Endings:   []string{".tmsctrace"},
		Prepare:   prepare(Tmsctrace),
		NewParser: func() schema.Parser { return newParser(tmsctrace) },
	}
}

// prepare returns the Prepare of a dialect. It is likely where Detect finds it; a byte order mark is left out then.
func prepare(dialect func() schema.Format) func([]byte, schema.ReadingOptions) (schema.Format, bool, error) {
	return func(head []byte, _ schema.ReadingOptions) (schema.Format, bool, error) {
		f, found := Detect(head)
		if asked := dialect(); !found || f.Name != asked.Name {
			return asked, false, nil
		}
		return f, true, nil
	}
}

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
