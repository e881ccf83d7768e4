package lake

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/schema"
)

// localStorage is Storage in a folder of a file system: the path of the folder. A rename within one file system is atomic,
// which makes Replace atomic. Files are synced before they are renamed: otherwise a power failure could leave a manifest of
// files that are empty.
type localStorage string

// Path implements Storage: the name in the notation of the operating system.
func (s localStorage) Path(name string) string {
	return filepath.Join(string(s), filepath.FromSlash(name))
}

// localObject is an opened file. Its size does not change: files of a lake are written once.
type localObject struct {
	*os.File
	size int64
}

// Size implements Object. It was taken when the file was opened.
func (f localObject) Size() int64 { return f.size }

// Open implements Storage.
func (s localStorage) Open(name string) (Object, error) {
	f, err := os.Open(s.Path(name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return localObject{f, info.Size()}, nil
}

// newLocalObject is a file being written.
type newLocalObject struct{ *os.File }

// Commit syncs before it closes, because only a sync reports that the disk is full on some file systems.
func (f newLocalObject) Commit() error { return errors.Join(f.Sync(), f.Close()) }

// Abandon implements NewObject. Errors do not matter: a sweep removes what is left.
func (f newLocalObject) Abandon() {
	f.Close()
	os.Remove(f.Name())
}

// Create implements Storage. It makes the folders on the way.
func (s localStorage) Create(name string) (NewObject, error) {
	path := s.Path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return newLocalObject{f}, nil
}

// Replace implements Storage: the new text gets its name when it is durable.
func (s localStorage) Replace(name string, text []byte) error {
	temporary := process.BesidePath(name)
	f, err := s.Create(temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Commit()); err == nil {
		err = os.Rename(s.Path(temporary), s.Path(name))
	}
	if err != nil {
		os.Remove(s.Path(temporary)) // a full disk has no room for it
	}
	return err
}

// Claim implements Storage. A link takes a name at one instant, and only if nothing has it, on network file systems too.
func (s localStorage) Claim(name string, text []byte) error {
	temporary := process.BesidePath(name)
	f, err := s.Create(temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	defer os.Remove(s.Path(temporary))
	if err := errors.Join(err, f.Commit()); err != nil {
		return err
	}
	return s.link(temporary, name)
}

// Publish implements Storage. Both names lie in one file system, that of the lake.
func (s localStorage) Publish(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(s.Path(to)), 0o777); err != nil {
		return err
	}
	return s.link(from, to)
}

// hardLink gives a file a second name. A test takes it away.
var hardLink = os.Link

// link gives a file a second name. Where the file system has no links, such as that of memory cards, an empty file takes
// the name, at one instant too, and then the file its place.
func (s localStorage) link(from, to string) error {
	err := hardLink(s.Path(from), s.Path(to))
	if !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EPERM) {
		return err
	}
	place, err := os.OpenFile(s.Path(to), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	return s.fill(place, from, to)
}

// fill puts a file into the place that an empty one keeps, unless that was removed meanwhile, since this process stood still
// in between: the name may be another's then. An empty file that is left behind would be in everybody's way.
func (s localStorage) fill(place *os.File, from, to string) error {
	defer place.Close() // as long as it is open, no other file has its inode
	mine, err := place.Stat()
	if err != nil {
		return err
	}
	now, err := os.Stat(s.Path(to))
	if err != nil || !os.SameFile(mine, now) {
		return &fs.PathError{Op: "claim", Path: s.Path(to), Err: fs.ErrExist}
	}
	if err := os.Rename(s.Path(from), s.Path(to)); err != nil {
		os.Remove(s.Path(to))
		return err
	}
	return nil
}

// Sync implements Storage. Where the file system cannot sync a folder, it is left to it when names are durable.
func (s localStorage) Sync(folders ...string) error {
	for _, folder := range folders {
		f, err := os.Open(s.Path(folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = f.Sync()
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Remove implements Storage.
func (s localStorage) Remove(name string) error { return os.Remove(s.Path(name)) }

// RemoveAll implements Storage.
func (s localStorage) RemoveAll(folder string) error { return os.RemoveAll(s.Path(folder)) }

// MakeFolder implements Storage. A folder that exists stays as it is.
func (s localStorage) MakeFolder(folder string) error { return os.MkdirAll(s.Path(folder), 0o777) }

// Prune implements Storage. Folders that are not empty refuse to be removed, so that nothing but emptiness goes.
func (s localStorage) Prune(folder string) error {
	entries, err := os.ReadDir(s.Path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := len(entries)
	for _, e := range entries {
		if e.IsDir() && os.Remove(filepath.Join(s.Path(folder), e.Name())) == nil {
			left--
		}
	}
	if left == 0 {
		os.Remove(s.Path(folder)) // fails where a file has come meanwhile, whose folder stays
	}
	return nil
}

// List implements Storage.
func (s localStorage) List(folder string) ([]string, error) {
	entries, err := os.ReadDir(s.Path(folder)) // sorted
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		if names[i] = e.Name(); e.IsDir() {
			names[i] += "/"
		}
	}
	return names, nil
}

// Stamp implements Storage: a file that takes the place of another one has another inode or time, whatever its size.
func (s localStorage) Stamp(name string) (string, error) {
	info, err := os.Stat(s.Path(name))
	if err != nil {
		return "", err
	}
	inode := info.Sys().(*syscall.Stat_t).Ino
	return fmt.Sprint(inode, info.Size(), info.ModTime().UnixNano()), nil
}

// Changed implements Storage.
func (s localStorage) Changed(name string) (time.Time, error) {
	info, err := os.Stat(s.Path(name))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Touch implements Storage.
func (s localStorage) Touch(name string) error {
	now := time.Now()
	return os.Chtimes(s.Path(name), now, now)
}

// Rename implements Storage.
func (s localStorage) Rename(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(s.Path(to)), 0o777); err != nil {
		return err
	}
	return os.Rename(s.Path(from), s.Path(to))
}

// Scratch removes the file's name at once, so that the file vanishes when it is closed.
func (s localStorage) Scratch(folder string) (schema.Scratch, error) {
	f, err := os.CreateTemp(s.Path(folder), "scratch-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ScratchFolder gives every caller a folder of its own, under the staging folder that it names.
func (s localStorage) ScratchFolder(folder string) (string, error) {
	return os.MkdirTemp(s.Path(folder), "folder-")
}
