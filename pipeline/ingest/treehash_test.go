package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTreeHash compares the two ways to compute a hash with its definition, for files that are shorter than a block, as long
// as one, and longer. The files are holes but for some bytes, so that they take no room.
func TestTreeHash(t *testing.T) {
	folder := t.TempDir()
	file := func(name string, size int64, marks ...int64) string {
		f, err := os.Create(filepath.Join(folder, name))
		if err == nil {
			err = f.Truncate(size)
		}
		for _, at := range marks {
			if err == nil {
				_, err = f.WriteAt([]byte(name), at)
			}
		}
		if err == nil {
			err = f.Close()
		}
		expect.OK(t, err)
		return f.Name()
	}
	const half = hashBlock / 2
	a, b, empty := file("a", half+3, 0, half), file("b", hashBlock+half, half-4, half-3, half-2), file("empty", 0)
	block := file("block", hashBlock, 7)
	for _, c := range []struct {
		paths  []string
		blocks int
	}{{[]string{empty}, 1}, {[]string{a, empty}, 1}, {[]string{block}, 1}, {[]string{block, empty, a}, 2}, {[]string{a, b, empty}, 3}} {
		whole := concatenated(t, c.paths)
		var leaves []byte
		for part := range slices.Chunk(whole, hashBlock) {
			leaf := sha256.Sum256(part)
			leaves = append(leaves, leaf[:]...)
		}
		sum := sha256.Sum256(whole)
		if c.blocks > 1 {
			sum = sha256.Sum256(leaves)
		}
		want := hex.EncodeToString(sum[:])
		for _, jobs := range []int{1, 3} {
			if got, err := HashFiles(jobs, c.paths); err != nil || got != want {
				t.Errorf("%d jobs hash %q as %s, want %s: %v", jobs, c.paths, got, want, err)
			}
		}
		stream := newTreeHash()
		for part := range slices.Chunk(whole, 7_654_321) {
			stream.Write(part)
		}
		expect.Equal(t, stream.text(), want, "stream of %q", c.paths)
	}
	if _, err := HashFiles(2, []string{a, filepath.Join(folder, "missing")}); err == nil {
		t.Error("a missing file has a hash")
	}
}

// concatenated reads files one after the other.
func concatenated(t *testing.T, paths []string) (whole []byte) {
	t.Helper()
	for _, path := range paths {
		f := expect.Value(os.Open(path))(t)
		data := expect.Value(io.ReadAll(f))(t)
		f.Close()
		whole = append(whole, data...)
	}
	return whole
}
