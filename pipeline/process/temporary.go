package process

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// What this process removes at its end, and the folders for temporary files in which it has looked for what others left.
var temporary = struct {
	mu    sync.Mutex
	paths map[string]bool // whether each is a folder
	swept map[string]bool
	ended bool // nothing is made any more
}{paths: make(map[string]bool), swept: make(map[string]bool)}

// folderPrefix begins the names of all folders for temporary files.
const folderPrefix = "tracelake-"

// errEnding is the error of work that was left in the middle and goes on while the process ends.
var errEnding = errors.New("the process is ending")

// Folder makes a folder for temporary files, where the system has them. Its name says what it is for, a word, and whose it is. RemoveFolder
// removes it; End does so where the work is left in the middle; and where the process is killed, the next process that makes a folder does.
func Folder(what string) (string, error) { return FolderIn(os.TempDir(), what) }

// FolderIn does the same in a folder other than that of the system.
func FolderIn(parent, what string) (string, error) {
	dir := filepath.Join(parent, folderPrefix+what+"-"+NewAttempt())
	temporary.mu.Lock()
	defer temporary.mu.Unlock()
	if temporary.ended {
		return "", errEnding
	}
	if !temporary.swept[parent] {
		temporary.swept[parent] = true
		sweep(parent)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	temporary.paths[dir] = true
	return dir, nil
}

// RemoveFolder removes a folder that Folder made. A program in the folder may go on using what it has open.
func RemoveFolder(dir string) error {
	defer Keep(dir)
	return os.RemoveAll(dir)
}

// Temporary has End remove a file unless Keep is called before. It is for files beside those whose places they will take.
func Temporary(path string) {
	temporary.mu.Lock()
	defer temporary.mu.Unlock()
	temporary.paths[path] = false
}

// Keep says that a file or folder is none of the temporary ones any more: it has another name, or is gone.
func Keep(path string) {
	temporary.mu.Lock()
	defer temporary.mu.Unlock()
	delete(temporary.paths, path)
}

// removals is how often the removal of a folder is tried: a file may be on its way into it while it goes.
const removals = 3

// End removes all that is temporary, as the last thing that a process does. Work that was left in the middle may go on until the process is
// gone: it makes no folders any more, and finds none in which it could put a file. What cannot be removed is left to the next process.
func End() {
	temporary.mu.Lock()
	defer temporary.mu.Unlock()
	temporary.ended = true
	for path, folder := range temporary.paths {
		if folder {
			away := filepath.Join(filepath.Dir(path), folderPrefix+"ended-"+NewAttempt())
			if os.Rename(path, away) == nil {
				path = away
			}
		}
		for try := 0; try < removals && os.RemoveAll(path) != nil; try++ {
		}
	}
}

// sweep removes the folders that processes of this machine made and left, which have ended. Folders of other users stay, and so does what
// nothing is known of: a sweep is for the disk space only.
func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		at := strings.LastIndex(e.Name(), AttemptPrefix)
		if !e.IsDir() || at < 0 || !strings.HasPrefix(e.Name(), folderPrefix) {
			continue
		}
		if by, known := OfAttempt(e.Name()[at:]); known && by.Ended() {
			os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// BesideEnding ends the names of files that will take the place of others.
const BesideEnding = ".new"

// BesidePath returns a passing name for what will take the place of a file, or of an object of a storage: it says whose it is.
func BesidePath(path string) string { return path + "." + NewAttempt() + BesideEnding }

// WriterBeside returns the process that writes a file, as far as its passing name says.
func WriterBeside(name string) (Process, bool) {
	_, attempt, _ := strings.Cut(name, "."+AttemptPrefix)
	return OfAttempt(AttemptPrefix + strings.TrimSuffix(attempt, BesideEnding))
}

// SweepBeside removes what ended processes of this machine began to write in the place of a file, under names of BesidePath. What it cannot
// remove stays, as with folders.
func SweepBeside(path string) {
	dir, name := filepath.Split(path)
	begun, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range begun {
		if !strings.HasPrefix(e.Name(), name+".") || !strings.HasSuffix(e.Name(), BesideEnding) {
			continue
		}
		if by, known := WriterBeside(e.Name()); known && by.Ended() {
			os.Remove(dir + e.Name())
		}
	}
}
