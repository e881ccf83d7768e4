package ctf

import (
	"io"
	"io/fs"
	"path"

	"github.com/tracelake/tracelake/schema"
)

const metadataFile = "metadata"

// Format is the format. A trace is a folder, see DetectFolder.
func Format() schema.Format {
	return schema.Format{
		Name: "ctf", Several: true,
		NewReader: func(r *schema.Reading) schema.Reader { return newReader(r) },
	}
}

// Detect says whether a file is the metadata of a trace, by its first bytes.
func Detect(head []byte) bool { return isMetadata(head) }

// DetectFolder says whether a folder of fsys is a trace: it then returns the folder, else nothing.
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
