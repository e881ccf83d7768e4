package lake

import (
	"os"
	"time"
)

// SetExpiry sets the time after which a lease of another machine counts as dead, for tests that cannot wait that long.
func (l *Lake) SetExpiry(d time.Duration) { l.leases.expiry = d }

// InFolder is the storage of a lake in a folder, for tests that come between the lake and its storage.
func InFolder(dir string) Storage { return localStorage(dir) }

// HideProcesses has the system say nothing of other processes, until show is called.
func HideProcesses() (show func()) {
	before := readStat
	readStat = func(int) ([]byte, error) { return nil, os.ErrPermission }
	return func() { readStat = before }
}
