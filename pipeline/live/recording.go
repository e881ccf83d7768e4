package live

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
)

const (
	folder     = "_live"
	blocksName = "_blocks"

	// BegunName is a file in the folder of a recording that is the recorder's own: what it was told.
	BegunName = "_begun.json"

	// partPrefix begins the names of the folders of a recording of several sources.
	partPrefix = "part-"

	// blockBytes is the size of an entry of the list of blocks: where the block ends in the trace (int64), when it came (Unix time in ns,
	// int64), the CRC-32C of its bytes, and the CRC-32C of the entry so far; all little-endian.
	blockBytes = 24

	// unsynced is for how long a block may not be on disk yet, by far: older ones are not checked after a crash.
	unsynced = 10 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Recording is a trace that is being recorded. It is not safe for concurrent use; whoever has one holds the lease of the run.
type Recording struct {
	Trace   string // the path of the file with the bytes of the trace so far
	Dropped int64  // bytes at the end that were torn when the recording was opened

	// Preamble is how many bytes at the beginning were not sent, but stand for what was before: the recording goes on with another one.
	Preamble int64

	dir           string
	trace, blocks *os.File
	length        int64 // bytes of the trace
	dirty         bool  // something is not synced
	entry         [blockBytes]byte
}

// Folder is where a run is recorded.
func Folder(l *lake.Lake, run string) string {
	return filepath.Join(l.Dir, folder, lake.Run(run).String())
}

// Unfinished lists the runs of a lake of which there are recordings, being written or left behind.
func Unfinished(l *lake.Lake) (runs []string, err error) {
	if !l.Local() {
		return nil, nil
	}
	found, err := filepath.Glob(filepath.Join(l.Dir, folder, lake.Run("*").String()))
	for _, path := range found {
		runs = append(runs, filepath.Base(path)[len(lake.Run("").String()):])
	}
	return runs, err
}

// Open opens the recording of a run, or begins one. The file of the trace gets a name, which stands in the run as that of its source.
func Open(l *lake.Lake, run, name string) (*Recording, error) {
	return openIn(l, Folder(l, run), name)
}

// OpenPart opens the recording of one of the sources of a run that has several, counted from 1. Each has a folder of its own in that of the run.
func OpenPart(l *lake.Lake, run string, part int, name string) (*Recording, error) {
	return openIn(l, filepath.Join(Folder(l, run), partPrefix+strconv.Itoa(part)), name)
}

func openIn(l *lake.Lake, dir, name string) (r *Recording, err error) {
	if !l.Local() {
		return nil, fmt.Errorf("%s: a trace that is being written is recorded into a folder: record into one, and ingest the trace when it has ended", l.Dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	r = &Recording{dir: dir, Trace: filepath.Join(dir, name)}
	if r.trace, err = os.OpenFile(r.Trace, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if r.blocks, err = os.OpenFile(filepath.Join(dir, blocksName), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		r.trace.Close()
		return nil, err
	}
	if err := r.mend(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// block is an entry of the list.
type block struct {
	end  int64
	came time.Time
	sum  uint32
}

// blockAt reads an entry; false if it is torn.
func (r *Recording) blockAt(i int64) (b block, whole bool, err error) {
	if i < 0 {
		return block{}, true, nil // before the first one
	}
	if _, err := r.blocks.ReadAt(r.entry[:], i*blockBytes); err != nil {
		return b, false, err
	}
	e := r.entry[:]
	b = block{int64(binary.LittleEndian.Uint64(e)), time.Unix(0, int64(binary.LittleEndian.Uint64(e[8:]))), binary.LittleEndian.Uint32(e[16:])}
	return b, binary.LittleEndian.Uint32(e[20:]) == crc32.Checksum(e[:20], castagnoli), nil
}

// mend drops what is torn at the end: entries that are not whole, and those whose bytes are not there. Blocks that are old enough to be on
// disk are not read again.
func (r *Recording) mend() error {
	info, err := r.blocks.Stat()
	if err != nil {
		return err
	}
	trace, err := r.trace.Stat()
	if err != nil {
		return err
	}
	keep := info.Size() / blockBytes
	newest := time.Time{}
	for at := keep - 1; at >= 0; at-- {
		b, whole, err := r.blockAt(at)
		if err != nil {
			return err
		}
		if !whole || b.end > trace.Size() {
			keep = at
			continue
		}
		if newest.IsZero() {
			newest = b.came
		}
		if newest.Sub(b.came) > unsynced {
			break
		}
		before, sound, err := r.blockAt(at - 1)
		if err != nil {
			return err
		}
		if same, err := r.holds(before.end, b); err != nil {
			return err
		} else if !sound || !same {
			keep = at
		}
	}
	last, _, err := r.blockAt(keep - 1)
	if err != nil {
		return err
	}
	r.length, r.Dropped = last.end, trace.Size()-last.end
	if err := errors.Join(r.trace.Truncate(r.length), r.blocks.Truncate(keep*blockBytes)); err != nil {
		return err
	}
	_, err = r.trace.Seek(r.length, io.SeekStart)
	_, atEnd := r.blocks.Seek(keep*blockBytes, io.SeekStart)
	return errors.Join(err, atEnd)
}

// holds says whether the bytes of a block are those of its checksum.
func (r *Recording) holds(from int64, b block) (bool, error) {
	if from > b.end {
		return false, nil
	}
	h := crc32.New(castagnoli)
	if _, err := io.Copy(h, io.NewSectionReader(r.trace, from, b.end-from)); err != nil {
		return false, err
	}
	return h.Sum32() == b.sum, nil
}

// Length is how many bytes of the trace are recorded.
func (r *Recording) Length() int64 { return r.length }

// Append records bytes that came at a time, as one block.
func (r *Recording) Append(p []byte, came time.Time) error {
	if _, err := r.trace.Write(p); err != nil {
		return r.failed(err)
	}
	r.length += int64(len(p))
	e := r.entry[:]
	binary.LittleEndian.PutUint64(e, uint64(r.length))
	binary.LittleEndian.PutUint64(e[8:], uint64(came.UnixNano()))
	binary.LittleEndian.PutUint32(e[16:], crc32.Checksum(p, castagnoli))
	binary.LittleEndian.PutUint32(e[20:], crc32.Checksum(e[:20], castagnoli))
	if _, err := r.blocks.Write(e); err != nil {
		return r.failed(err)
	}
	r.dirty = true
	return nil
}

// failed names what could not be written. What was written of it is torn, and dropped when the recording is opened again.
func (r *Recording) failed(err error) error {
	return fmt.Errorf("the recording stops after %d bytes of the trace: %w", r.length, err)
}

// Sync sees that all blocks are on disk: the bytes before the list that says they are there.
func (r *Recording) Sync() error {
	if !r.dirty {
		return nil
	}
	r.dirty = false
	if err := r.trace.Sync(); err != nil {
		return err
	}
	return r.blocks.Sync()
}

// Last returns the last bytes that were recorded, at most n.
func (r *Recording) Last(n int64) ([]byte, error) {
	p := make([]byte, min(n, r.length))
	_, err := r.trace.ReadAt(p, r.length-int64(len(p)))
	return p, err
}

// Close leaves the recording as it is.
func (r *Recording) Close() error {
	return errors.Join(r.Sync(), r.trace.Close(), r.blocks.Close())
}

// Remove takes the recording away, when the run is in the lake.
func (r *Recording) Remove() error {
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	os.Remove(filepath.Dir(r.dir)) // if it was the last one
	return nil
}
