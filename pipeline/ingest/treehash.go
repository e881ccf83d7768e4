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
	return rootOf(sums), nil
}

// rootOf is the hash of a trace by those of its blocks.
func rootOf(sums [][]byte) string {
	if len(sums) == 1 {
		return hex.EncodeToString(sums[0])
	}
	root := sha256.Sum256(slices.Concat(sums...))
	return hex.EncodeToString(root[:])
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

// leaf is one leaf of the hash of a trace, made of a file that is being read for something else. A nil leaf hashes nothing.
type leaf struct {
	sha  hash.Hash
	at   int64 // of the file, where the next byte to be hashed lies
	stop int64 // where the leaf ends
}

// newLeaf returns the leaf of the bytes from to stop-1 of a file.
func newLeaf(from, stop int64) *leaf { return &leaf{sha256.New(), from, stop} }

// begin hashes the bytes up to a place, at which the reading begins.
func (l *leaf) begin(f *os.File, at int64) error {
	if l == nil {
		return nil
	}
	_, err := io.Copy(l, io.NewSectionReader(f, l.at, at-l.at))
	return err
}

// reader hashes what is read from the place at which the leaf is.
func (l *leaf) reader(r io.Reader) io.Reader {
	if l == nil {
		return r
	}
	return io.TeeReader(r, l)
}

// Write implements io.Writer. Bytes behind the leaf are the next one's: the last line of a slice ends there.
func (l *leaf) Write(p []byte) (int, error) {
	n := min(int64(len(p)), l.stop-l.at)
	l.sha.Write(p[:n])
	l.at += n
	return len(p), nil
}

// sum is the hash of the leaf, all of which was read unless the file became shorter.
func (l *leaf) sum(path string) ([]byte, error) {
	if l.at < l.stop {
		return nil, fmt.Errorf("%s: it became shorter while it was read", path)
	}
	return l.sha.Sum(nil), nil
}
