package lake

import (
	"fmt"
	"os"
	"time"

	"github.com/tracelake/tracelake/pipeline/process"
)

// SetExpiry sets the time after which a lease of another machine counts as dead, for tests that cannot wait that long.
func (l *Lake) SetExpiry(d time.Duration) { l.leases.expiry = d }

// InFolder is the storage of a lake in a folder, for tests that come between the lake and its storage.
func InFolder(dir string) Storage { return localStorage(dir) }

// Seal and Unseal write and read inventories.
var Seal, Unseal = seal, unseal

// WithoutLinks has the file system have no links, and fail with an error that says so, until back is called.
func WithoutLinks(says error) (back func()) {
	before := hardLink
	hardLink = func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: says} }
	return func() { hardLink = before }
}

// StalledLink gives a file of a file system without links another name, as a process that stands still half-way.
func StalledLink(dir, from, to string, meantime func()) error {
	s := localStorage(dir)
	place, err := os.OpenFile(s.Path(to), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	meantime()
	return s.fill(place, from, to)
}

// NewAttempt names an attempt of this process, and EndedAttempt one of a process of this machine that has ended.
var NewAttempt = process.NewAttempt

// EndedAttempt has a number that Linux gives to no process.
func EndedAttempt() string {
	return fmt.Sprintf("%s%s-%d-1-1", process.AttemptPrefix, process.Self.Machine, 1<<22+7)
}

// FingerprintBefore5 is the fingerprint that programs of formats before 5 gave to tables.
func FingerprintBefore5(o *Origin) string {
	return fingerprintOf(0, o.Stage, o.Version, OptionText(o.Options), o.Inputs)
}

// Machine is this one, as leases name it.
var Machine = process.Self.Machine
