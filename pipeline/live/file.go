package live

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is a file that grows. Where it is moved away and a new one takes its name, as logs are rotated, the new one follows the old one, and where
// it is cut to nothing it is read from its beginning.
type File struct {
	path   string
	file   *os.File
	at     int64        // bytes of it that were read
	begins string       // the file of the recording that says where in the trace the file began; less than 0: in a recording before
	began  int64        // that
	length func() int64 // of the recording, with what was read but is not recorded yet
	read   int64        // bytes that were read of all files
	say    func(string) // takes a sentence about what happened to the file
}

const beginsName = "_begins"

// OpenFile opens a file to be recorded. A recording that has bytes already goes on behind them, if they are the file's; else the file is another
// one by now and read from its beginning, behind what is recorded.
func OpenFile(path string, r *Recording, say func(string)) (*File, error) {
	f := &File{path: path, begins: filepath.Join(r.dir, beginsName), read: r.Length(), say: say}
	f.length = func() int64 { return f.read }
	var err error
	if f.file, err = os.Open(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.begins); r.Length() == 0 && errors.Is(err, fs.ErrNotExist) {
		return f, f.note()
	}
	same, err := f.goOn(r)
	if err == nil && !same {
		f.say("it is another file than the one recorded so far, and is read from its beginning; what the other had got meanwhile is lost")
		err = f.note()
	}
	if err != nil {
		f.file.Close()
		return nil, err
	}
	return f, nil
}

// compared is how many bytes before the end of a recording are compared with the file.
const compared = 64 << 10

// goOn places the file behind what is recorded of it; false if that is not its own.
func (f *File) goOn(r *Recording) (bool, error) {
	text, err := os.ReadFile(f.begins)
	if err != nil {
		return false, err
	}
	began, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || began > r.Length() {
		return false, err
	}
	at := r.Length() - began
	last, err := r.Last(min(at, r.Length()-r.Preamble, compared))
	if err != nil {
		return false, err
	}
	own := make([]byte, len(last))
	if _, err := f.file.ReadAt(own, at-int64(len(own))); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	} else if err != nil || !bytes.Equal(own, last) {
		return false, nil
	}
	f.at, f.began = at, began
	_, err = f.file.Seek(at, io.SeekStart)
	return true, err
}

// note writes down where in the trace the file at hand begins.
func (f *File) note() error {
	f.began = f.length()
	return f.write()
}

// write writes it to the folder of the recording.
func (f *File) write() error {
	beside := f.begins + ".new"
	if err := os.WriteFile(beside, []byte(strconv.FormatInt(f.began, 10)+"\n"), 0o666); err != nil {
		return err
	}
	return os.Rename(beside, f.begins)
}

// GoesOn says that what comes belongs to another recording, which has a preamble.
func (f *File) GoesOn(old, next *Recording) error {
	by := next.Preamble - old.Length()
	f.begins, f.began, f.read = filepath.Join(next.dir, beginsName), f.began+by, f.read+by
	return f.write()
}

// Read implements Source. A file never ends.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	f.at, f.read = f.at+int64(n), f.read+int64(n)
	if n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	return 0, f.look()
}

// look looks at the end of the file whether it is still the one of that name.
func (f *File) look() error {
	own, err := f.file.Stat()
	if err != nil {
		return err
	}
	if own.Size() < f.at {
		f.say("it was cut, and is read from its beginning again")
		f.at = 0
		if _, err := f.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return f.note()
	}
	now, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another one may follow
	}
	if err != nil || os.SameFile(own, now) {
		return err
	}
	if own.Size() > f.at {
		return nil // what came last is read first
	}
	next, err := os.Open(f.path)
	if err != nil {
		return err
	}
	f.say("another file took its name, and follows it")
	f.file.Close()
	f.file, f.at = next, 0
	return f.note()
}

// Close implements Source.
func (f *File) Close() error { return f.file.Close() }
