package spans

import (
	"io"
	"io/fs"
	"path"
)

// headBytes is how much of a file is looked at to find its format.
const headBytes = 64 << 10

// FilesOf returns the FindIn of a format whose files stand side by side in a folder: it lists those that the format
// takes for its own by their beginnings, in the order of their names. A file that cannot be read is none of them.
func FilesOf(isFile func(head []byte) bool) func(fsys fs.FS, dir string) (files []string) {
	return func(fsys fs.FS, dir string) (files []string) {
		entries, err := fs.ReadDir(fsys, dir)
		if err != nil {
			return nil
		}
		head := make([]byte, headBytes)
		for _, e := range entries {
			if name := path.Join(dir, e.Name()); e.Type().IsRegular() && isFile(begin(fsys, name, head)) {
				files = append(files, name)
			}
		}
		return files
	}
}

// begin reads the beginning of a file into head, as far as it goes.
func begin(fsys fs.FS, name string, head []byte) []byte {
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil
	}
	return head[:n]
}
