package kieker

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// bufferBytes is how much of a file is read at a time.
const bufferBytes = 1 << 18

// folder is a log while it is read: first its maps, which say what the numbers in records stand for, then its records.
// Archives within it count as folders, so a log may be one zip file beside its map or with it.
type folder struct {
	r       *reader
	trace   schema.Trace
	classes map[int64]layout // values of the map as classes of records, by their numbers
	texts   map[int64][]byte // values of the map by their numbers
	maps    bool             // maps are being read, not yet records
	files   int              // files of records seen

	place func(error) *schema.SyntaxError // where the record under way stands
}

// readFolder reads the maps of a folder and then its records, in the order of the names of the files.
// Two passes over the names are cheap: a file that is not wanted in a pass is not opened, unless it is an archive.
func (r *reader) readFolder(t schema.Trace) error {
	f := newFolder(r, t)
	entries, err := fs.ReadDir(t.FS, t.Path)
	if err != nil {
		return err
	}
	for _, f.maps = range []bool{true, false} {
		for _, e := range entries {
			if e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 {
				if err := f.member(path.Join(t.Path, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	if f.files == 0 {
		return fmt.Errorf("%s: no file of records (.dat, .bin) beside the map", t.Path)
	}
	return nil
}

func newFolder(r *reader, t schema.Trace) *folder {
	return &folder{r: r, trace: t, classes: make(map[int64]layout), texts: make(map[int64][]byte)}
}

// isWanted reports whether a file is to be read now, by the name that it had before it was compressed.
func (f *folder) isWanted(name string) bool {
	return f.maps == slices.Contains(mapNames, path.Base(name)) && (f.maps || path.Ext(name) != ".map")
}

// read reads a file of records by its name or else, for one that was compressed and tells nothing more, by its
// first byte; or it reads a map.
// A "$" as the first byte shows text; a binary record begins with a class number, whose first byte is 0.
func (f *folder) read(name string, in *bufio.Reader) error {
	switch path.Ext(name) {
	case ".map":
		return f.each(name, in, f.define)
	case ".dat":
		f.files++
		return f.readText(name, in)
	case ".bin":
		f.files++
		return f.readBinary(name, in)
	case "":
		first, err := in.Peek(1)
		if err != nil {
			return f.torn(name, err)
		}
		f.files++
		if first[0] == '$' {
			return f.readText(name, in)
		}
		return f.readBinary(name, in)
	}
	return nil
}

// member reads a file of the folder. What is neither a map nor compressed nor of records is not opened.
func (f *folder) member(name string) error {
	ext := path.Ext(name)
	bare := strings.TrimSuffix(name, ext)
	switch ext {
	case ".zip":
		return f.archive(name)
	case ".df", ".deflate", ".zlib":
		return f.open(name, plainName(bare), inflate)
	case ".gz", ".xz", ".zst":
		return f.open(name, plainName(bare), f.trace.Decompress)
	case ".map", ".dat", ".bin":
		return f.open(name, name, f.trace.Decompress)
	}
	return nil
}

// plainName returns the name of a file as it was before compression, with a known ending or with none.
// Other points are replaced, so that path.Ext finds no ending that means nothing, as that of a version.
func plainName(name string) string {
	switch path.Ext(name) {
	case ".map", ".dat", ".bin":
		return name
	}
	return strings.ReplaceAll(name, ".", "-")
}

// open reads a file of the folder, decompressed, if its plain name is wanted now.
func (f *folder) open(file, name string, undo func(io.Reader) (io.Reader, error)) error {
	if !f.isWanted(name) {
		return nil
	}
	in, err := f.trace.FS.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	plain, err := undo(in)
	if err != nil {
		return f.torn(file, err)
	}
	return f.read(name, bufio.NewReaderSize(plain, schema.ReadAhead(plain, bufferBytes)))
}

// inflate undoes deflate, with the header of zlib or without.
// The header of zlib has method 8 in its low bits and is a multiple of 31 as a number (RFC 1950).
func inflate(in io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(in, schema.ReadAhead(in, bufferBytes))
	head, err := buffered.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(buffered)
	}
	return flate.NewReader(buffered), nil
}

// maxArchive is the size up to which a zip file is read whole where the file system cannot read it in pieces.
const maxArchive = 1 << 28

var errArchive = errors.New("a zip file this large must be unpacked first")

// archive reads the members of a zip file. Kieker writes whole logs into one.
// A zip file has its table at the end, so it needs random access, which a tar stream does not give.
func (f *folder) archive(name string) error {
	in, err := f.trace.FS.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	at, size, err := randomAccess(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	z, err := zip.NewReader(at, size)
	switch {
	case err != nil && f.maps:
		return nil // it is told of when records are read
	case err != nil:
		return f.torn(name, err)
	}
	for _, m := range z.File {
		if err := f.unpack(path.Join(name, plainName(m.Name)), m); err != nil {
			return err
		}
	}
	return nil
}

// unpack reads a member of a zip file.
func (f *folder) unpack(name string, m *zip.File) error {
	if m.FileInfo().IsDir() || !f.isWanted(name) {
		return nil
	}
	plain, err := m.Open()
	if err != nil {
		return f.torn(name, err)
	}
	defer plain.Close()
	return f.read(name, bufio.NewReaderSize(plain, bufferBytes))
}

// randomAccess reads a file anywhere: it holds the file in memory where it must.
func randomAccess(in fs.File) (io.ReaderAt, int64, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, 0, err
	}
	if at, can := in.(io.ReaderAt); can {
		return at, info.Size(), nil
	}
	if info.Size() > maxArchive {
		return nil, 0, errArchive
	}
	data, err := io.ReadAll(io.LimitReader(in, maxArchive))
	return bytes.NewReader(data), int64(len(data)), err
}

// skip counts a record that is not about calls.
func (f *folder) skip() {
	f.r.reading.Ledger.Add(schema.SkippedRecord, func() string { return f.place(errNotCall).Error() })
}

var errNotCall = errors.New("a record that is not about calls")

// torn counts a file that ends before its time, or whose compression does not hold.
// It has no offset, as what is counted is the compressed file as a whole.
func (f *folder) torn(name string, err error) error {
	return f.r.reading.Bad(schema.TornRecord, &schema.SyntaxError{File: name, Err: err})
}
