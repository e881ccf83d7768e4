package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// TestLeaves checks that the leaves of slices, which begin before their first line and end before the end of their last, make
// the hash of the file, and that a file which became shorter has none.
func TestLeaves(t *testing.T) {
	text := []byte(strings.Repeat("0.1 A > f\n0.2 A < f !m1\n", 1000))
	path := filepath.Join(t.TempDir(), "trace.txt")
	expect.OK(t, os.WriteFile(path, text, 0o666))
	f := expect.Value(os.Open(path))(t)
	defer f.Close()
	const block = 777
	for from := int64(0); from < int64(len(text)); from += block {
		stop := min(from+block, int64(len(text)))
		first, last := min(from+from%20, stop), min(stop+13, int64(len(text)))
		l := newLeaf(from, stop)
		expect.OK(t, l.begin(f, first))
		expect.Value(io.Copy(io.Discard, l.reader(io.NewSectionReader(f, first, last-first))))(t)
		want := sha256.Sum256(text[from:stop])
		expect.Slice(t, expect.Value(l.sum(path))(t), want[:], "leaf of %d to %d", from, stop)
	}
	l := newLeaf(0, int64(len(text))+1)
	expect.Value(io.Copy(io.Discard, l.reader(f)))(t)
	if _, err := l.sum(path); err == nil {
		t.Error("a leaf that was not read to its end has a hash")
	}
}
