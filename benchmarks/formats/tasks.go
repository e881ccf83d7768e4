package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/tracelake/tracelake/schema"
)

// made writes a trace into a folder.
// The number of events is a lower bound: open calls are ended behind it.
func made(s subject, dir string, events int) error {
	f := &folder{path: dir}
	s.make(f, events)
	return f.close()
}

// told is what one reading of a trace says.
// It goes from process to process as three numbers in a line of text.
type told struct {
	events, bytes int64 // events of the reader; bytes of all files
	cpuNs         int64 // of the work alone, without the start of the process
}

// read reads a trace and throws its blocks away. A loss is an error: no trace made here has a defect.
// The sum of bytes is left to the floor, which sees all files of the folder.
func read(s subject, dir string, memory int64) (t told, err error) {
	reading := &schema.Reading{
		Traces:  []schema.Trace{{FS: os.DirFS(dir), Path: s.path, Decompress: plain}},
		Memory:  memory,
		Scratch: func() (schema.Scratch, error) { return scratch(dir) },
		Ledger:  new(schema.Ledger),
	}
	block := new(schema.Block)
	// The block is given back at once, which is as little work as a caller can have.
	err = s.format.NewReader(reading).Read(func(full *schema.Block) (*schema.Block, error) {
		t.events += int64(len(block.TimeNs))
		block.Reset()
		return block, nil
	})
	// A trace without events, or with a loss, would measure a reader that does less than its work.
	if losses := defects(reading.Ledger); err == nil && (len(losses) > 0 || t.events == 0) {
		err = fmt.Errorf("%s: the trace is not as it should be: %d events, losses %+v", s.name, t.events, losses)
	}
	return t, err
}

// plain reads a file that is not compressed.
func plain(r io.Reader) (io.Reader, error) { return r, nil }

// scratch is a file beside the trace that is gone when it is closed.
// Removing it while it is open leaves nothing behind, even if the process is killed.
func scratch(dir string) (schema.Scratch, error) {
	f, err := os.CreateTemp(dir, "scratch-")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// sum goes once through the files of a folder and adds up their 64-bit words: no reader can be faster. It returns
// how many bytes there are, and the sum, so that it is needed.
// The files are read in pieces of 1 MiB; up to seven bytes at the end of a piece are left out of the sum.
func sum(dir string) (t told, words uint64, err error) {
	before, err := cpuNs()
	if err != nil {
		return t, 0, err
	}
	buf := make([]byte, 1<<20)
	root := os.DirFS(dir)
	err = fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := root.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		// A piece may end within a word; a few bytes of a MiB do not matter to the rate.
		for {
			n, err := file.Read(buf)
			t.bytes += int64(n)
			for b := buf[:n]; len(b) >= 8; b = b[8:] {
				words += binary.LittleEndian.Uint64(b)
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	})
	after, _ := cpuNs()
	t.cpuNs = after - before
	return t, words, err
}

// cpuNs is the time that all threads of this process have spent so far, user and system.
// CPU time and not the clock on the wall is what other processes of the machine disturb least.
func cpuNs() (int64, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return u.Utime.Nano() + u.Stime.Nano(), nil
}

// defects are the losses of a trace that is not as it should be. Arguments of calls are no defect: no table has a place for them.
func defects(l *schema.Ledger) []schema.Loss {
	return slices.DeleteFunc(l.Losses(""), func(l schema.Loss) bool { return l.Reason == schema.SkippedAttribute.Name })
}
