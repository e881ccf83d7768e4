package otf1

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	masterExt  = ".otf"  // of a master file
	controlExt = ".uctl" // of the control file of a local trace
	sampled    = 1 << 12 // bytes of a file by which a folder's files are judged
)

// Detect finds the master file of a trace by its first bytes, which may end within a line: every line is a stream
// with its processes. The control file of a local trace is found too, so that the reader can say what to do with it.
func Detect(head []byte) bool {
	if bytes.HasPrefix(head, []byte("<VTUCTL")) {
		return true
	}
	streams := 0
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		line = bytes.TrimSpace(line)
		// The last line of the head may be cut, so it is judged only where it is the only one.
		if len(line) == 0 || forwarded(line) || !whole && streams > 0 {
			continue
		}
		if _, fault := parseStream(line); fault != "" {
			return false
		}
		streams++
	}
	return streams > 0
}

// DetectFolder lists the traces that lie in a folder: its master files and, where it has none, the control files of
// local traces.
func DetectFolder(fsys fs.FS, dir string) (traces []string) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil
	}
	// Control files count only where no master file does: a whole trace may still have its own beside it.
	for _, ext := range []string{masterExt, controlExt} {
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if !e.IsDir() && strings.HasSuffix(name, ext) && detectFile(fsys, name) {
				traces = append(traces, name)
			}
		}
		if len(traces) > 0 {
			break
		}
	}
	slices.Sort(traces)
	return traces
}

// detectFile reports whether a file looks like a master file, by its first bytes.
func detectFile(fsys fs.FS, name string) bool {
	f, err := fsys.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, sampled))
	return err == nil && Detect(head)
}
