package readertest

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// environment names the folder of recorded traces, which are too large for the repository.
const environment = "TRACELAKE_RECORDINGS"

// Recordings returns the folder of recorded traces, or skips the test.
func Recordings(t testing.TB) string {
	t.Helper()
	// Tests of recordings skip and do not fail without them, so a plain checkout passes.
	root := os.Getenv(environment)
	if root == "" {
		t.Skipf("set %s to the folder of recorded traces to read them", environment)
	}
	return root
}

// Load returns the bytes of a file, decompressed if its name ends in .zst.
func Load(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil && strings.HasSuffix(path, ".zst") {
		var z *zstd.Decoder
		if z, err = zstd.NewReader(nil); err == nil {
			defer z.Close()
			data, err = z.DecodeAll(data, nil)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// Unpack puts the files of a .tar.zst into a folder of the test and returns it. It skips the test where the archive is
// not among the recordings.
func Unpack(t testing.TB, archive string) (dir string) {
	t.Helper()
	// Readers take folders, so archives of several files are unpacked and not read in place.
	f, err := os.Open(archive)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not among the recordings", archive)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir = t.TempDir()
	if err := untar(tar.NewReader(z), dir); err != nil {
		t.Fatalf("%s: %v", archive, err)
	}
	return dir
}

func untar(in *tar.Reader, dir string) error {
	for {
		h, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		path := filepath.Join(dir, filepath.Clean("/"+h.Name)) // no name leads out of the folder
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		data, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
}

// FolderOf returns the folder below dir that holds a file of the name, the first in the order of a walk.
func FolderOf(t testing.TB, dir, name string) string {
	t.Helper()
	found := ""
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		// A walk goes in lexical order, so the folder found is the same on every machine.
		if err == nil && e.Name() == name && found == "" {
			found = filepath.Dir(path)
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("no file %s below %s: %v", name, dir, err)
	}
	return found
}
