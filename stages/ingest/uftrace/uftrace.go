package uftrace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// DetectFolder returns the folder itself if it holds data of uftrace.
func DetectFolder(fsys fs.FS, dir string) (traces []string) {
	file, err := fsys.Open(path.Join(dir, "info"))
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(file, head); err != nil || !bytes.Equal(head, []byte(magic)) {
		return nil
	}
	return []string{dir}
}

// reader implements schema.Reader for a folder.
type reader struct {
	reading *schema.Reading // what it was given
	sent    bool            // the trace is a file of what uftrace record --host sent, no folder
	scratch schema.Scratch  // a copy of that
	fsys    fs.FS           // of the trace
	dir     string          // folder of the trace
	names   *names          // nil before the reading
	out     blocks.Calls    // the block in hand
	room    int             // bytes of the buffer of a stream
}

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return r.names.keysOrNone() }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return make([]schema.MessageMark, 1) }

// Read implements schema.Reader.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	if len(r.reading.Traces) != 1 {
		return fmt.Errorf("uftrace reads one folder, not %d", len(r.reading.Traces))
	}
	r.fsys, r.dir = r.reading.Traces[0].FS, r.reading.Traces[0].Path
	if r.sent {
		err := r.readSent(r.reading.Traces[0])
		if r.scratch != nil {
			defer r.scratch.Close()
		}
		if err != nil {
			return err
		}
	}
	// 1. What the trace is of: its properties, programs, maps and threads.
	info, err := readInfo(r.fsys, path.Join(r.dir, "info"))
	if err != nil {
		return err
	}
	r.names = newNames(r.reading.Options)
	threads, err := r.readTasks(info)
	if err != nil {
		return err
	}
	// 2. The records of all threads, merged by time.
	streams, err := r.openAll(threads)
	if err != nil {
		return err
	}
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	if err := r.merge(streams); err != nil {
		return err
	}
	// 3. What else the folder has, which no table has a place for, is counted.
	if err := r.countOthers(); err != nil {
		return err
	}
	return r.out.End()
}

// merge reads the streams in the order of time.
func (r *reader) merge(streams []*stream) error {
	defer func() {
		for _, s := range streams {
			s.close()
		}
	}()
	// The first due time of each stream, which starts the tournament.
	heads := make([]int64, len(streams))
	for i, s := range streams {
		head, err := s.nextDue()
		if err != nil {
			return err
		}
		heads[i] = head
		s.close() // the files are opened again as their time comes: there may be very many
	}
	t := extsort.NewTournament(heads)
	// Each turn lets the stream with the earliest record run up to the time of the second earliest.
	for {
		i, until := t.Min()
		if i < 0 {
			return nil
		}
		head, err := streams[i].runUntil(until)
		if err != nil {
			return err
		}
		if head == extsort.Done {
			streams[i].close()
		}
		t.Update(head)
	}
}

// bufferLeast and bufferMost bound the bytes that are read from a file at once.
const bufferLeast, bufferMost = 1 << 12, 1 << 17

// openAll makes a stream of every file of a thread. Threads that task.txt has come first, in its order.
func (r *reader) openAll(threads *threads) ([]*stream, error) {
	files, err := fs.Glob(r.fsys, path.Join(escape(r.dir), "*.dat"))
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, file := range files {
		// Other .dat files are of the kernel and of perf, see countOthers.
		if id, err := strconv.ParseInt(strings.TrimSuffix(path.Base(file), ".dat"), 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, threads.compareThreads)
	// About half of the memory is for the buffers of all streams, in equal shares.
	r.room = int(min(bufferMost, max(bufferLeast, r.reading.Memory/int64(2*len(ids)+1))))
	// Whole eighths: searches step by eight bytes.
	r.room &^= 7
	streams := make([]*stream, len(ids))
	for i, id := range ids {
		streams[i] = newStream(r, path.Join(r.dir, fmt.Sprintf("%d.dat", id)), id, threads)
	}
	return streams, nil
}

// special is what a pattern of paths does not match as it is.
var special = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// escape turns a path into a pattern that matches itself.
func escape(path string) string { return special.Replace(path) }

var (
	errPerf   = errors.New("record of the scheduler")
	errKernel = errors.New("data of the kernel")
	errSize   = errors.New("a record has fewer bytes than its heading")
)

// perfHeading is the number of bytes before the data of a record of perf: u32 type, u16 misc, u16 size of all.
const perfHeading = 8

// countOthers counts what is not of threads.
func (r *reader) countOthers() error {
	kernel, err := fs.Glob(r.fsys, path.Join(escape(r.dir), "kernel-cpu*.dat"))
	if err != nil {
		return err
	}
	for _, name := range kernel {
		r.reading.Ledger.Add(schema.SkippedRecord, (&schema.SyntaxError{File: name, Err: errKernel}).Error)
	}
	perf, err := fs.Glob(r.fsys, path.Join(escape(r.dir), "perf-cpu*.dat"))
	if err != nil {
		return err
	}
	for _, name := range perf {
		if err := r.countPerf(name); err != nil {
			return err
		}
	}
	return nil
}

// countPerf counts the records of a file of perf.
func (r *reader) countPerf(name string) error {
	file, err := r.fsys.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	head := make([]byte, perfHeading)
	for offset := int64(0); ; {
		at := &schema.SyntaxError{File: name, Offset: offset}
		if _, err := io.ReadFull(in, head); err == io.EOF {
			return nil
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			at.Err = errTorn
			return r.reading.Bad(schema.TornRecord, at)
		} else if err != nil {
			return err
		}
		size := int(binary.LittleEndian.Uint16(head[6:]))
		// A size that does not pass the heading would never end.
		if size < perfHeading {
			at.Err = errSize
			return r.reading.Bad(schema.BadRecord, at)
		}
		if _, err := in.Discard(size - perfHeading); err != nil {
			at.Err = errTorn
			return r.reading.Bad(schema.TornRecord, at)
		}
		at.Err = errPerf
		r.reading.Ledger.Add(schema.SkippedRecord, at.Error)
		offset += int64(size)
	}
}
