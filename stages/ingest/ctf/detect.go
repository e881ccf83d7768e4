package ctf

import (
	"io"
	"io/fs"
	"path"
)

const metadataFile = "metadata"

// DetectFolder reports whether a folder of fsys is a trace: it then returns the folder, else nothing.
func DetectFolder(fsys fs.FS, dir string) (traces []string) {
	f, err := fsys.Open(path.Join(dir, metadataFile))
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, metadataHeader)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF || !isMetadata(head[:n]) {
		return nil
	}
	return []string{dir}
}
