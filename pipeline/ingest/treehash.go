package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"

	"github.com/tracelake/tracelake/pipeline/workers"
)

// hashBlock is how many bytes of a trace one leaf of its hash is of.
const hashBlock = 64 << 20

// treeHash is the hash of a trace, whose files count as one, one after the other. Of a trace of up to 64 MiB it is the
// SHA-256, as sha256sum prints it. Of a longer one it is a Merkle tree of two levels, the SHA-256 of the SHA-256 of all its
// blocks of 64 MiB, so that the blocks can be hashed on all cores:
//
//	split -b 64M --filter='sha256sum | cut -c1-64 | xxd -r -p' trace.txt | sha256sum
type treeHash struct {
	block hash.Hash // of the last block, which may be full
	bytes int64     // of that block
	sums  []byte    // of the blocks before it
}

// newTreeHash returns the hash of no bytes.
func newTreeHash() *treeHash { return &treeHash{block: sha256.New()} }

// Write implements io.Writer; it never fails. A block is closed only when there is more behind it.
func (t *treeHash) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if t.bytes == hashBlock {
			t.sums = t.block.Sum(t.sums)
			t.block.Reset()
			t.bytes = 0
		}
		part := p[:min(int64(len(p)), hashBlock-t.bytes)]
		t.block.Write(part)
		t.bytes += int64(len(part))
		p = p[len(part):]
	}
	return n, nil
}

// text returns the hash in hexadecimal digits. More bytes may follow.
func (t *treeHash) text() string {
	leaf := t.block.Sum(nil)
	if len(t.sums) == 0 {
		return hex.EncodeToString(leaf)
	}
	root := sha256.Sum256(append(slices.Clone(t.sums), leaf...))
	return hex.EncodeToString(root[:])
}

// HashFiles is the hash that the trace files of a run have together: see treeHash. As many blocks are read at a time as there
// are jobs, each with a small buffer.
func HashFiles(jobs int, paths []string) (string, error) {
	files := make(sizedFiles, len(paths))
	total := int64(0)
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		files[i] = sizedFile{path, info.Size()}
		total += info.Size()
	}
	sums := make([][]byte, max(1, (total+hashBlock-1)/hashBlock))
	group := new(workers.Group)
	group.SetLimit(max(jobs, 1))
	for i := range sums {
		group.Go(func() (err error) {
			from := int64(i) * hashBlock
			sums[i], err = files.hash(from, min(from+hashBlock, total))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	if len(sums) == 1 {
		return hex.EncodeToString(sums[0]), nil
	}
	root := sha256.Sum256(slices.Concat(sums...))
	return hex.EncodeToString(root[:]), nil
}

// sizedFiles are files that count as one.
type sizedFiles []sizedFile

// sizedFile is a file with its size in bytes; what is appended to it later does not count.
type sizedFile struct {
	path  string
	bytes int64
}

// hash is the SHA-256 of the bytes from to to-1 of all files. It opens those that have some of them, one after the other.
func (files sizedFiles) hash(from, to int64) ([]byte, error) {
	h := sha256.New()
	for _, f := range files {
		if lo, hi := max(from, 0), min(to, f.bytes); lo < hi {
			if err := f.copy(h, lo, hi); err != nil {
				return nil, err
			}
		}
		from, to = from-f.bytes, to-f.bytes // counted from the next file
	}
	return h.Sum(nil), nil
}

// copy writes the bytes lo to hi-1 of a file.
func (f sizedFile) copy(to io.Writer, lo, hi int64) error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	n, err := io.Copy(to, io.NewSectionReader(file, lo, hi-lo))
	if err == nil && n < hi-lo {
		err = fmt.Errorf("%s: it became shorter while it was read", f.path)
	}
	return err
}
