package schema

import (
	"io"
	"io/fs"
)

// leastAhead is the number of bytes that are read ahead of any file: a file may grow while it is read, and a line of it with it.
const leastAhead = 1 << 13

// ReadAhead returns how many bytes a reader shall ask a file for at a time: at most so many, and fewer where the whole file is known to be
// shorter, since thousands of small files are read as often as one that is large. What is no file on a disk, and what is
// decompressed, does not say how long it is, or says less than 0.
func ReadAhead(in io.Reader, most int) int {
	file, is := in.(interface{ Stat() (fs.FileInfo, error) })
	if !is {
		return most
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < 0 || info.Size() >= int64(most) {
		return most
	}
	return min(most, max(leastAhead, int(info.Size())+1)) // one byte more shows the end
}
