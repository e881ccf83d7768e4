package lake_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// stalling is a storage at whose calls a process stands still, once, while others go on.
type stalling struct {
	lake.Storage
	at       string // the call and the beginning of the name
	meantime func() // nil once it was called
}

// pass is at the place that a call and a name say.
func (s *stalling) pass(call, name string) {
	if do := s.meantime; do != nil && strings.HasPrefix(call+" "+name, s.at) {
		s.meantime = nil
		do()
	}
}

func (s *stalling) Claim(name string, text []byte) error {
	err := s.Storage.Claim(name, text)
	s.pass("claimed", name)
	return err
}

func (s *stalling) List(folder string) ([]string, error) {
	s.pass("list", folder)
	return s.Storage.List(folder)
}

// stall opens a lake for a process that stands still at a place, and for its successor, which does not wait for long.
func stall(t *testing.T, at string) (s *stalling, stalled, successor *lake.Lake) {
	t.Helper()
	dir := t.TempDir()
	successor = open(t, dir)
	successor.SetExpiry(time.Millisecond)
	s = &stalling{Storage: lake.InFolder(dir), at: at}
	return s, expect.Value(lake.OpenStorage(s, false))(t), successor
}

// TestStalledClaim has a process stand still right after it has claimed a lease, for so long that another one succeeds it
// and has finished; and that a third one has the lease then, under the same number. The first one begins again.
func TestStalledClaim(t *testing.T) {
	s, stalled, successor := stall(t, "claimed _leases/")
	s.meantime = func() { commit(t, successor, "new") }
	release := expect.Value(stalled.Lease(t.Context(), run))(t)
	release()
	s.meantime = func() {
		commit(t, successor, "newer")
		expect.Value(again(t, stalled).Lease(t.Context(), run))(t)
	}
	busy(t, stalled)
	expect.Equal(t, read(t, successor, "runs"), "newer runs", "runs")
}

// TestStalledMaking has a process that makes a lake stand still while another one makes it and writes into it. That is
// found made, and not taken for a folder with other files.
func TestStalledMaking(t *testing.T) {
	dir := t.TempDir()
	s := &stalling{Storage: lake.InFolder(dir), at: "list ", meantime: func() { commit(t, open(t, dir), "new") }}
	l := expect.Value(lake.OpenStorage(s, true))(t)
	expect.Equal(t, read(t, l, "runs"), "new runs", "runs")
}

// TestStalledSweep has a process stand still between its commit and the removal of the files that this replaced, while its
// successor commits, too. The files of the successor stay.
func TestStalledSweep(t *testing.T) {
	s, stalled, successor := stall(t, "list events/run=a")
	commit(t, stalled, "old")
	staged, manifests := generation(t, stalled, "new")
	s.meantime = func() { commit(t, successor, "newest") }
	fails(t, staged.Commit(manifests...), "took over", "run it again")
	for table, want := range wanted("newest") {
		expect.Equal(t, read(t, successor, table), want, "%s holds", table)
	}
}

// TestUndecidedSuccessor commits while another machine has claimed the lease, and neither goes on nor withdraws: the holder
// does not wait for it for ever.
func TestUndecidedSuccessor(t *testing.T) {
	_, l, _ := stall(t, "")
	l.SetExpiry(20 * time.Millisecond)
	s, manifests := generation(t, l, "new")
	release := expect.Value(l.Lease(t.Context(), run))(t)
	defer release()
	write(t, filepath.Join(l.Dir, "_leases/run=a.2.json"), `{"host":"far","machine":"elsewhere","pid":7,"token":"other"}`)
	fails(t, s.Commit(manifests...), "took over")
}

// unreadable is a storage that fails at the files of leases.
type unreadable struct{ lake.Storage }

func (s unreadable) Stamp(name string) (string, error) {
	if strings.HasPrefix(name, "_leases/") {
		return "", os.ErrPermission
	}
	return s.Storage.Stamp(name)
}

// TestUnreadableLease does not take over a lease of which the storage says nothing: that is an error.
func TestUnreadableLease(t *testing.T) {
	l := open(t, t.TempDir())
	expect.Value(l.Lease(t.Context(), run))(t)
	other := expect.Value(lake.OpenStorage(unreadable{lake.InFolder(l.Dir)}, false))(t)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if _, err := other.Lease(ctx, run); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// TestUnknownHolder says of a lease that is being written no more than is known.
func TestUnknownHolder(t *testing.T) {
	l := open(t, t.TempDir())
	write(t, filepath.Join(l.Dir, "_leases/run=a.1.json"), "")
	expect.Equal(t, busy(t, l), "run a: another process is writing it", "it says")
}
