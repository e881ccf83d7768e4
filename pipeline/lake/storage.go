package lake

import (
	"errors"
	"io"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// Storage is where the files of a lake lie. Names of files and folders are relative to the lake and have slashes, on
// every system. The empty name is the lake itself.
//
// The interface asks for no more than an object store can give. No file is changed once it is written, and Replace, Claim,
// Publish and Rename take effect at one instant. An inventory is replaced when all files that it names are in their place. All methods may be called by several goroutines at a time.
type Storage interface {
	// Open opens a file for reading. The error of a missing file is fs.ErrNotExist.
	Open(name string) (Object, error)
	// Create starts a file, which replaces one of that name.
	Create(name string) (NewObject, error)
	// Replace writes a small file so that readers find the old text or the new one, whole, even after a crash.
	Replace(name string, text []byte) error
	// Claim writes a small file unless there is one of that name: of several processes that try, one succeeds, and the
	// others get fs.ErrExist. It is a conditional PUT of an object store. Where a storage has no such thing, others may find
	// the file empty before it has its text, also for ever when the process is killed in between.
	Claim(name string, text []byte) error
	// Publish gives a file that is durable another name, unless a file has that name: fs.ErrExist. Whether it keeps the old
	// name too, nobody may rely on.
	Publish(from, to string) error
	// Rename gives a file another name, in the place of the file that has that name, at one instant. The error of a missing
	// file is fs.ErrNotExist.
	Rename(from, to string) error
	// Sync makes durable which names are in some folders: those that Publish, Rename and Remove gave and took. A
	// folder that is missing is passed over. Stores without folders do nothing.
	Sync(folders ...string) error
	// Touch changes the stamp of a file. The error of a missing file is fs.ErrNotExist.
	Touch(name string) error
	// Remove removes a file. The error of a missing file is fs.ErrNotExist.
	Remove(name string) error
	// RemoveAll removes a folder with all that lies in it, if it exists.
	RemoveAll(folder string) error
	// MakeFolder makes a folder. Stores without folders do nothing.
	MakeFolder(folder string) error
	// Prune removes a folder and the folders directly in it as far as they are empty. Stores without folders do nothing.
	Prune(folder string) error
	// List returns the names directly in a folder, sorted; a missing folder is empty. Folders end with a slash.
	List(folder string) ([]string, error)
	// Stamp returns a text that changes whenever the file of a name becomes another one, as the ETag of an object does. It
	// reads nothing of the file. The error of a missing file is fs.ErrNotExist.
	Stamp(name string) (string, error)
	// Changed returns when the file of a name became what it is, as the storage tells. The error of a missing file is
	// fs.ErrNotExist.
	Changed(name string) (time.Time, error)
	// Path returns where a file lies for people and for programs outside, such as DuckDB.
	Path(name string) string
	// Scratch opens a nameless file for what does not fit into memory. It vanishes with the process.
	Scratch(folder string) (schema.Scratch, error)
	// ScratchFolder makes an empty folder on this machine's disk and returns its path. RemoveAll(folder) removes it too.
	ScratchFolder(folder string) (string, error)
}

// Objects is a Storage of objects that other machines see at one instant, each whole, and where a condition guards a write. What
// lies there need not be moved: a table's file gets its name at once, since no inventory names it yet, and a commit is one
// conditional write of an inventory.
type Objects interface {
	Storage
	// CreateOnce starts a file that takes its name when it is committed, unless a file has the name: where that one has other
	// bytes the error of Commit is fs.ErrExist, and Commit may be called again.
	CreateOnce(name string) (NewObject, error)
	// ReplaceIf is Replace for a file that still has a stamp, or for one that is not there where the stamp is empty. Otherwise the
	// error is ErrChanged.
	ReplaceIf(name, stamp string, text []byte) error
	// ReadStamped returns the bytes of a small file, and the stamp of the file that has them.
	ReadStamped(name string) (text []byte, stamp string, err error)
	// Stamps returns the stamps of the files directly in a folder by their names.
	Stamps(folder string) (map[string]string, error)
}

// ErrChanged is the error of a file that has become another one since it was read.
var ErrChanged = errors.New("it was changed meanwhile")

// Object is an opened file: bytes at any offset, and how many there are.
type Object interface {
	parquet.Source
	io.Closer
}

// NewObject is a file that is being written, from its first byte to its last.
type NewObject interface {
	io.Writer
	// Commit closes the file. All its bytes are durable afterwards.
	Commit() error
	// Close closes the file. Its bytes outlive the process, and perhaps not the power.
	Close() error
	// Abandon closes and removes the file.
	Abandon()
}

// readFile returns the bytes of a small file.
// It is for manifests and plans, of kilobytes.
func readFile(s Storage, name string) ([]byte, error) {
	if objects, are := s.(Objects); are {
		text, _, err := objects.ReadStamped(name)
		return text, err
	}
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, f.Size())
	_, err = io.ReadFull(io.NewSectionReader(f, 0, f.Size()), text)
	return text, err
}
