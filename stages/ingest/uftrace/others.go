package uftrace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/tracelake/tracelake/schema"
)

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
