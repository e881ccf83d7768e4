package lake

import (
	"io"
)

// Spill starts a file of the staging area that some tasks of a stage write and others read. It is no table, and goes
// with what is staged. Its entry stands in the record of the task that wrote it.
// It is not waited for until it is on the disk: a process that is killed loses nothing, and after a power failure its
// checksum is not the one recorded, so that the task is done again.
func (s *Staging) Spill(name string) (*Writer, error) {
	w, err := s.create(name, NoBucket, 1<<18)
	if err == nil {
		w.file = unsynced{w.file}
	}
	return w, err
}

// unsynced is a file that is closed at once.
type unsynced struct{ NewObject }

// Commit implements NewObject.
func (f unsynced) Commit() error { return f.NewObject.Close() }

// ReadSpill returns some bytes of a file that Spill wrote, in memory that is used again where it has room.
func (s *Staging) ReadSpill(f File, offset, size int64, memory []byte) ([]byte, error) {
	object, err := s.lake.storage.Open(s.stagedPath(f))
	if err != nil {
		return nil, err
	}
	defer object.Close()
	if int64(cap(memory)) < size {
		memory = make([]byte, size)
	}
	_, err = io.ReadFull(io.NewSectionReader(object, offset, size), memory[:size])
	return memory[:size], err
}
