package live

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Verify adds to a verification what is wrong with the recordings of the runs that are wanted, or of all where wanted is nil: each block of
// a trace is compared with its checksum, and so is each piece of a view. It reads every byte once and writes nothing. What has not been
// written as a whole is no damage: bytes of a trace behind its last block, an entry or a piece that was cut.
func Verify(ctx context.Context, l *lake.Lake, wanted func(lake.Partition) bool, v *lake.Verification, meter lake.WorkMeter) error {
	runs, err := Unfinished(l)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if p := lake.Run(run); wanted == nil || wanted(p) {
			c := &recordingCheck{ctx: ctx, lake: l, partition: p.String(), meter: meter}
			if err := c.run(Folder(l, run)); err != nil {
				return err
			}
			v.Files, v.Bytes, v.Damages = v.Files+c.found.Files, v.Bytes+c.found.Bytes, append(v.Damages, c.found.Damages...)
		}
	}
	return nil
}

// recordingCheck is the check of one recording.
type recordingCheck struct {
	ctx       context.Context
	lake      *lake.Lake
	partition string
	meter     lake.WorkMeter // nil: nobody counts
	found     lake.Verification
}

// run checks a recording, and once more where something is wrong: it may have been opened, which mends it, or sealed meanwhile.
func (c *recordingCheck) run(dir string) error {
	for range 2 {
		c.found = lake.Verification{}
		err := c.folder(dir)
		for _, name := range []string{namesName, callsName, secondsName} {
			if err == nil {
				err = c.view(filepath.Join(dir, viewName, name))
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if len(c.found.Damages) == 0 {
			break
		}
	}
	return nil
}

// folder checks the trace in a folder, and those of several sources in the folders of each.
func (c *recordingCheck) folder(dir string) error {
	names, err := os.ReadDir(dir)
	traces, listed := 0, false
	for _, entry := range names {
		name := entry.Name()
		listed = listed || name == blocksName
		switch {
		case err != nil:
		case entry.IsDir() && strings.HasPrefix(name, partPrefix):
			err = c.folder(filepath.Join(dir, name))
		case !entry.IsDir() && name != blocksName && name != BegunName && !strings.HasPrefix(name, beginsName):
			traces++
			err = c.trace(dir, name)
		}
	}
	if listed && traces == 0 {
		c.damaged(dir, "its trace is missing")
	}
	return err
}

// damaged adds a damage.
func (c *recordingCheck) damaged(path, problem string, values ...any) {
	file, err := filepath.Rel(c.lake.Dir, path)
	if err != nil {
		file = path
	}
	c.found.Damages = append(c.found.Damages, lake.Damage{Partition: c.partition, File: filepath.ToSlash(file), Problem: fmt.Sprintf(problem, values...)})
}

// read counts a file, and bytes of it that are to be read.
func (c *recordingCheck) read(file *os.File) (size int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	c.found.Files++
	c.found.Bytes += info.Size()
	if c.meter != nil {
		c.meter.Expect(info.Size())
	}
	return info.Size(), nil
}

func (c *recordingCheck) advance(n int64) error {
	if c.meter != nil {
		c.meter.Advance(n)
	}
	return c.ctx.Err()
}

// trace checks the trace of a recording and its list of blocks.
func (c *recordingCheck) trace(dir, name string) (err error) {
	r := &Recording{dir: dir, Trace: filepath.Join(dir, name)}
	blocks := filepath.Join(dir, blocksName)
	r.blocks, err = os.Open(blocks)
	if errors.Is(err, fs.ErrNotExist) {
		c.damaged(blocks, "it is missing")
		return nil
	}
	if err != nil {
		return err
	}
	defer r.blocks.Close()
	entries, err := c.read(r.blocks) // before the trace: a block is written before its entry
	if err != nil {
		return err
	}
	if r.trace, err = os.Open(r.Trace); err != nil {
		return err
	}
	defer r.trace.Close()
	size, err := c.read(r.trace)
	if err != nil {
		return err
	}
	from := int64(0)
	for i := range entries / blockBytes {
		b, whole, err := r.blockAt(i)
		switch {
		case err != nil:
			return err
		case !whole:
			c.damaged(blocks, "its entry %d has another checksum", i+1)
			from = -1
			continue
		case b.end > size || b.end < from:
			c.damaged(r.Trace, "block %d should end at byte %d, and it has %d", i+1, b.end, size)
			return nil
		case from >= 0: // else where the block begins is not known
			same, err := r.holds(from, b)
			if err != nil {
				return err
			}
			if !same {
				c.damaged(r.Trace, "its bytes %d to %d have another checksum", from, b.end)
			}
			if err := c.advance(b.end - from); err != nil {
				return err
			}
		}
		from = b.end
	}
	return c.advance(entries)
}

// view checks a file of a view.
func (c *recordingCheck) view(path string) error {
	s, err := openSegment(path)
	if err != nil {
		return err
	}
	defer s.close()
	size, err := c.read(s.file)
	if err != nil {
		return err
	}
	for at := int64(0); ; {
		_, next, err := s.piece(at)
		switch {
		case errors.Is(err, io.EOF):
			unfit, err := s.unfit(at, size)
			if unfit {
				c.damaged(path, "its piece at byte %d has another checksum", at)
			}
			return err
		case errors.Is(err, errPiece):
			c.damaged(path, "its piece at byte %d has another checksum", at)
			return nil
		case err != nil:
			return err
		}
		if err := c.advance(next - at); err != nil {
			return err
		}
		at = next
	}
}

// unfit reports whether the last piece of a file of some size is damaged, and not torn: it lies within the file though its checksum is
// another one, or its beginning has the checksum, so that it is the length that is wrong.
func (s *segment) unfit(at, size int64) (bool, error) {
	var head [pieceHead]byte
	if size-at < pieceHead {
		return false, nil
	}
	if _, err := s.file.ReadAt(head[:], at); err != nil {
		return false, err
	}
	if at+pieceHead+int64(binary.LittleEndian.Uint32(head[:])) <= size {
		return true, nil
	}
	rest := make([]byte, min(size-at-pieceHead, mostPiece))
	if _, err := s.file.ReadAt(rest, at+pieceHead); err != nil {
		return false, err
	}
	sum, want := uint32(0), binary.LittleEndian.Uint32(head[4:])
	for i := range rest {
		if sum = crc32.Update(sum, castagnoli, rest[i:i+1]); sum == want {
			return true, nil
		}
	}
	return false, nil
}
