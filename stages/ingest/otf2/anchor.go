package otf2

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/tracelake/tracelake/schema"
)

// What the substrate and the compression of an anchor file say.
const (
	substratePlain = 1 // files of a file system, as they are
	substrateSION  = 2 // in containers of SIONlib
	uncompressed   = 1 // the other way is zlib
)

// mostAnchor bounds the bytes that are read of an anchor file, which holds a few properties of the archive.
const mostAnchor = 1 << 20 // 1 MiB

// Chunks have 256 KiB to 16 MiB. What is far from that is no size but damage.
const (
	leastChunk = 64
	mostChunk  = 1 << 30
)

// anchor holds the properties of the archive that the anchor file states.
type anchor struct {
	eventChunk, definitionChunk int64 // bytes
}

// Detect reports whether a file that begins with head is an OTF2 anchor file.
func Detect(head []byte) bool {
	// Mark of a chunk, order of bytes, name of the format.
	return len(head) >= 7 && head[0] == 3 && (head[1] == littleEndian || head[1] == bigEndian) && string(head[2:7]) == "OTF2\x00"
}

// readAnchor reads an anchor file up to what this package needs; the properties behind it are not looked at.
// An error is a SyntaxError with its place, or one of the file.
func readAnchor(fsys fs.FS, path string) (anchor, error) {
	var a anchor
	file, err := fsys.Open(path)
	if err != nil {
		return a, err
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, mostAnchor))
	if err != nil {
		return a, fmt.Errorf("%s: %w", path, err)
	}
	if !Detect(head) {
		return a, &schema.SyntaxError{File: path, Err: errors.New("expected the anchor file of an OTF2 archive")}
	}
	f := fields{data: head, at: 7, big: head[1] == bigEndian}
	if a, err = parseAnchor(&f); err != nil {
		return a, &schema.SyntaxError{File: path, Offset: int64(f.at), Err: err}
	}
	return a, nil
}

// parseAnchor reads the fields of the anchor file.
func parseAnchor(f *fields) (a anchor, err error) {
	// The versions are not judged: records that a later version added have lengths and are skipped.
	f.take(5) // formats of anchor and trace, version
	a.eventChunk, a.definitionChunk = int64(f.u64()), int64(f.u64())
	substrate, compression := f.u8(), f.u8()
	switch {
	case f.bad:
		return a, errors.New("the anchor file ends too soon")
	case substrate == substrateSION:
		return a, errors.New("the files of this archive are packed by SIONlib, which is not read; unpack them with OTF2's own tools")
	case substrate != substratePlain:
		return a, fmt.Errorf("the archive says that its files are kept in way %d; only plain files are read", substrate)
	case compression != uncompressed:
		return a, fmt.Errorf("the files of this archive are compressed in way %d; only those without compression are read", compression)
	}
	for _, size := range []int64{a.eventChunk, a.definitionChunk} {
		if size < leastChunk || size > mostChunk {
			return a, fmt.Errorf("chunks of %d bytes: the anchor file is damaged", size)
		}
	}
	return a, nil
}
