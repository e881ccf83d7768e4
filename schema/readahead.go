package schema

import (
	"io"
	"io/fs"
)

// leastAhead is the number of bytes that are read ahead of any file: a file may grow while it is read, and a line of it with it.
const leastAhead = 1 << 13

// ReadAhead returns how many bytes a reader shall ask a file for at a time: at most so many, and fewer where the whole file is known to be
// shorter, since thousands of small files are read as often as one that is large. What is in memory says how long it is. What is no file on a disk, and what
// is decompressed, does not, or says less than 0.
func ReadAhead(in io.Reader, most int) int {
	size := int64(-1)
	switch of := in.(type) {
	case interface{ Len() int }:
		size = int64(of.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := of.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	if size < 0 || size >= int64(most) {
		return most
	}
	return min(most, max(leastAhead, int(size)+1)) // one byte more shows the end
}
