// Package laketest compares lakes in tests: two lakes are the same when the same files have the same bytes.
//
// Resumed work, work on other numbers of cores and work in other processes must leave the lake that one undisturbed process
// leaves. Tests of the engine, of the plan and of whole programs check that with this package.
//
// Tests that write hundreds of lakes keep them in memory (Memory, Main), since each commit waits for the disk.
package laketest

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/tracelake/tracelake/pipeline/process"
)

// Memory returns a folder in memory where there is one with room, else that of the system for temporary files. A process that is
// killed loses as much in memory as on a disk.
func Memory() string {
	var room syscall.Statfs_t
	if syscall.Statfs("/dev/shm", &room) == nil && room.Bavail*uint64(room.Bsize) > 2<<30 {
		return "/dev/shm"
	}
	return os.TempDir()
}

// Main is a TestMain: the temporary folders of the package's tests are in memory. It returns the exit code of the tests.
func Main(m *testing.M) int {
	home, err := process.FolderIn(Memory(), "test")
	if err != nil {
		panic(err)
	}
	defer process.RemoveFolder(home)
	os.Setenv("TMPDIR", home)
	return m.Run()
}

// Hashes returns the SHA-256 of every file in the folder of a lake, by its path in the folder. Staged work, what tasks cost, leases and the
// database of views are left out, since they may differ between lakes that are the same. Everything else counts: a file that
// should not be there is a difference.
func Hashes(t testing.TB, lake string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := fs.WalkDir(os.DirFS(lake), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == "_work" || name == "_measured" || name == "_leases":
			return fs.SkipDir
		case e.IsDir() || name == "tracelake.duckdb":
			return nil
		}
		data, err := os.ReadFile(filepath.Join(lake, name))
		sum := sha256.Sum256(data)
		all[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// CheckSame reports every file in which the hashes of two lakes differ. The words say what was done to the first lake.
func CheckSame(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch {
		case want[name] == "":
			t.Errorf("%s: %s should not be there", what, name)
		case got[name] != want[name]:
			t.Errorf("%s: %s differs or is missing", what, name)
		}
	}
}
