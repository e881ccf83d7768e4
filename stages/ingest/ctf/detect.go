package ctf

import (
	"encoding/binary"
	"io"
	"io/fs"
	"path"
)

const metadataFile = "metadata"

// preambleBytes is how much of the metadata is looked at: more than the preamble of CTF 2 has, and the header of CTF 1.8.
const preambleBytes = 1 << 14

// isPart reports whether a file is one of a trace: its metadata, or a stream of packets.
func isPart(head []byte) bool {
	if isMetadata(head) {
		return true
	}
	return len(head) >= 4 && (binary.LittleEndian.Uint32(head) == packetMagic || binary.BigEndian.Uint32(head) == packetMagic)
}

// DetectFolder reports whether a folder of fsys is a trace: it then returns the folder, else nothing.
func DetectFolder(fsys fs.FS, dir string) (traces []string) {
	f, err := fsys.Open(path.Join(dir, metadataFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, preambleBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF || !isMetadata(head[:n]) {
		return nil
	}
	return []string{dir}
}
