package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// errEnough ends the reading of lines early.
var errEnough = errors.New("enough")

// eachPiece passes the lines that begin in a range of a file on, in pieces, until use wants no more. The bytes of the range
// go into a leaf on the way, unless that is nil.
func (s *slicing) eachPiece(ctx context.Context, r textRange, hash *leaf, use func(*piece) (more bool, err error)) error {
	f, err := os.Open(s.files[r.file].path)
	if err != nil {
		return err
	}
	defer f.Close()
	header, size := s.files[r.file].header, s.files[r.file].size
	from, err := lineStart(f, r.from, header, size)
	if err != nil {
		return err
	}
	to, err := lineStart(f, r.to, header, size)
	if err != nil {
		return err
	}
	if err := hash.begin(f, min(from, r.to)); err != nil || from >= to {
		return err
	}
	text := &source{name: f.Name(), raw: &countingReader{r: io.NewSectionReader(f, from, to-from)}}
	text.Reader = hash.reader(text.raw.r)
	begin := func(*piece) (whole bool, err error) { return false, nil }
	err = cut(ctx, text, s.pieces, begin, func(p *piece) error {
		more, err := use(p)
		if err == nil && !more {
			err = errEnough
		}
		return err
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// lineStart is where the first line begins at a place of a file or behind it. The lines begin behind the header.
func lineStart(f io.ReaderAt, at, header, size int64) (int64, error) {
	if at <= header || at >= size {
		return min(max(at, header), size), nil
	}
	// A line begins here if the one before ends right before.
	buffer := make([]byte, 1<<12)
	for at--; at < size; {
		n, err := f.ReadAt(buffer[:min(int64(len(buffer)), size-at)], at)
		if end := bytes.IndexByte(buffer[:n], '\n'); end >= 0 {
			return at + int64(end) + 1, nil
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		at += int64(n)
		if n == 0 {
			break // the file is shorter than it was
		}
	}
	return size, nil
}
