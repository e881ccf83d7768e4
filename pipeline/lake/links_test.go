package lake_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestWithoutLinks holds leases, records tasks and commits on file systems that have no links, whatever they say of that:
// FAT says EPERM, some network file systems the others.
func TestWithoutLinks(t *testing.T) {
	for _, says := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS} {
		t.Run(fmt.Sprint(says), func(t *testing.T) {
			defer lake.WithoutLinks(says)()
			t.Run("holder", TestOneHolder)
			t.Run("stalled", TestStalledCommit)
			t.Run("late", TestLateAttempt)
			t.Run("first", TestFirstAttemptWins)
			t.Run("damaged", TestDamagedPublication)
		})
	}
}

// TestMadeWithoutLinks has several processes make one lake on a file system without links, on which a process was killed
// while it made it.
func TestMadeWithoutLinks(t *testing.T) {
	defer lake.WithoutLinks(syscall.EPERM)()
	for _, killed := range []bool{false, true} {
		dir := t.TempDir()
		if killed {
			write(t, filepath.Join(dir, "_lake.json"), "")
		}
		if _, err := lake.Open(dir, false); err == nil {
			t.Error("there is a lake before it is made")
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := lake.Open(dir, true); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		expect.Value(lake.Open(dir, false))(t)
	}
}

// TestStalledLink has a process without links stand still between the two steps that stand for one. What took the name
// meanwhile keeps it; and where nothing comes of the second step, the first is taken back.
func TestStalledLink(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	write(t, from, "mine")
	err := lake.StalledLink(dir, "from", "to", func() {
		expect.OK(t, os.Remove(to))
		write(t, to, "other")
	})
	if text := expect.Value(os.ReadFile(to))(t); !errors.Is(err, fs.ErrExist) || string(text) != "other" {
		t.Errorf("%v, and the file holds %q", err, text)
	}
	expect.OK(t, os.Remove(to))
	err = lake.StalledLink(dir, "from", "to", func() { expect.OK(t, os.Remove(from)) })
	if _, left := os.Stat(to); !errors.Is(err, fs.ErrNotExist) || left == nil {
		t.Errorf("%v, and an empty file is left: %v", err, left == nil)
	}
}

// TestFailedReplacement leaves nothing of a small file that cannot take its place.
func TestFailedReplacement(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "folder", "file"), "in the way")
	if err := lake.InFolder(dir).Replace("folder", []byte("new")); err == nil {
		t.Error("a file takes the place of a folder")
	}
	if left := expect.Value(os.ReadDir(dir))(t); len(left) != 1 {
		t.Errorf("it leaves %v", left)
	}
}
