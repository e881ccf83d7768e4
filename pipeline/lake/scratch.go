package lake

import (
	"os"
	"path/filepath"
)

// Scratch opens a nameless file on the lake's disk, for what does not fit into memory. It is gone when it is closed,
// and when the process is killed.
func (s *Staging) Scratch() (*os.File, error) {
	f, err := os.CreateTemp(s.dir, "scratch-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Folder makes an empty folder that goes with the rest of what is staged.
func (s *Staging) Folder() (string, error) { return os.MkdirTemp(filepath.Clean(s.dir), "folder-") }
