package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing/fstest"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// mutatedEvents is the length of a trace that is mutated: short, so that every part of it is hit.
const mutatedEvents = 150

// hang is how long the reading of one short trace may take.
const hang = 30 * time.Second

// victim is a trace whose bytes are changed.
type victim struct {
	name   string        // as in the table
	format schema.Format // whose reader is tried
	path   string        // of the trace among the files
	files  fstest.MapFS  // all of the trace, as they were made
}

// outcome is what a reader makes of an input.
type outcome struct {
	events int64 // rows of its blocks
	open   int64 // enters less exits: where calls are left open, the chart that is made of the events counts them
	lost   bool  // a loss is counted
	err    error // the trace is refused
}

// counts are the outcomes of the inputs of one trace.
type counts struct {
	refused, counted, kept int      // of refused inputs, of those with a counted loss, and of those with as many events
	silent                 []string // inputs of which events are missing without a word, as far as that can be told
}

// mutate changes the bytes of a short trace of every format, a few at a time, and reads each of so many inputs. A reader must neither
// panic nor hang, whatever it is given: the program ends with the input's number then. Where one byte became another one and the trace
// has fewer events than before, something must have been counted or refused, or calls must be left open, which the chart counts.
func mutate(stdout io.Writer, dir string, n int, only func(format string) bool, markdown bool) error {
	table := texttab.New("lrrrrr")
	table.Row("trace", "inputs", "refused", "losses counted", "as many events", "silent")
	// 1. Traces without defects, so that anything that is missing was lost by the change.
	victims, err := victimsIn(dir)
	if err != nil {
		return err
	}
	silent := 0 // inputs of all traces
	// 2. Every input of a trace is mutated and read; silent losses are printed with their number, to be made again.
	for _, v := range victims {
		if !only(v.format.Name) {
			continue
		}
		c, err := v.try(n)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		table.Row(v.name, strconv.Itoa(n), strconv.Itoa(c.refused), strconv.Itoa(c.counted), strconv.Itoa(c.kept), strconv.Itoa(len(c.silent)))
		silent += len(c.silent)
		for _, line := range c.silent[:min(5, len(c.silent))] { // five suffice to find what is wrong
			fmt.Fprintf(stdout, "%s: %s\n", v.name, line)
		}
	}
	if markdown {
		err = table.WriteMarkdown(stdout)
	} else {
		err = table.Write(stdout)
	}
	if silent > 0 {
		err = cmp.Or(err, fmt.Errorf("%d inputs lost events in silence", silent))
	}
	return err
}

// victimsIn makes a short trace of every format.
func victimsIn(dir string) (all []victim, err error) {
	for _, s := range subjects {
		folder, err := os.MkdirTemp(dir, "mutate-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		// The trace is made as for a measurement, only shorter.
		if err := made(s, folder, mutatedEvents); err != nil {
			return nil, err
		}
		v := victim{name: s.name, format: s.format, path: s.path, files: fstest.MapFS{}}
		// Files of a trace are held in memory: a mutated input is the same files with one of them changed.
		err = fs.WalkDir(os.DirFS(folder), ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := fs.ReadFile(os.DirFS(folder), path)
			v.files[path] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	// Texts are parsed and not read: their formats have no Reader.
	for _, f := range ingest.Formats() {
		if text := texts[f.Name]; f.NewReader == nil && text != "" {
			all = append(all, victim{name: f.Name, format: f, path: "trace", files: fstest.MapFS{"trace": {Data: []byte(text)}}})
		}
	}
	return all, nil
}

// try reads n mutated inputs of a trace.
func (v *victim) try(n int) (c counts, err error) {
	// The whole trace must be read without a loss, or a loss behind a change would prove nothing.
	whole := v.read(v.files)
	if whole.err != nil || whole.lost || whole.events == 0 {
		return c, fmt.Errorf("the trace as it was made: %+v", whole)
	}
	names := slices.Sorted(maps.Keys(v.files))
	// The number of an input alone makes its changes, so that a failing input can be found again.
	for i := range n {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		name := names[rng.IntN(len(names))]
		data, what, one := mutation(rng, v.files[name].Data)
		files := maps.Clone(v.files)
		files[name] = &fstest.MapFile{Data: data}
		// A reader that hangs is stopped by a panic in a goroutine of its own, which names the input.
		watch := time.AfterFunc(hang, func() { panic(fmt.Sprintf("%s, input %d: %s of %s: not read after %s", v.name, i, what, name, hang)) })
		got := v.guarded(files, fmt.Sprintf("input %d: %s of %s", i, what, name))
		watch.Stop()
		switch {
		case got.err != nil:
			c.refused++
		case got.lost:
			c.counted++
		// A deleted or inserted byte may join records by rights; only a changed one must be noticed.
		case got.events < whole.events && one && got.open == 0:
			c.silent = append(c.silent, fmt.Sprintf("input %d, %s of %s: %d of %d events, and no loss", i, what, name, got.events, whole.events))
		default:
			c.kept++
		}
	}
	return c, nil
}

// guarded reads an input, and says which one it was where the reader panics.
func (v *victim) guarded(files fstest.MapFS, what string) outcome {
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("%s, %s: %v", v.name, what, p))
		}
	}()
	return v.read(files)
}

// read reads a trace with the Reader or the Parser of its format.
func (v *victim) read(files fstest.MapFS) (o outcome) {
	if v.format.NewReader == nil {
		return v.parse(files[v.path].Data)
	}
	// Little memory, 1 MiB, makes readers with scratch files use them.
	reading := &schema.Reading{
		Traces: []schema.Trace{{FS: files, Path: v.path, Decompress: plain}}, Memory: 1 << 20, Ledger: new(schema.Ledger),
		Scratch: func() (schema.Scratch, error) { return scratch(os.TempDir()) },
	}
	block, reader := new(schema.Block), v.format.NewReader(reading)
	o.err = reader.Read(func(full *schema.Block) (*schema.Block, error) {
		o.take(block, reader.Keys())
		block.Reset()
		return block, nil
	})
	o.lost = len(defects(reading.Ledger)) > 0
	return o
}

// parse parses a text as a whole.
func (v *victim) parse(text []byte) (o outcome) {
	f, _, err := v.format.Prepare(text[:min(len(text), 1<<16)], schema.ReadingOptions{})
	if err == nil && f.NewParser == nil {
		err = errors.New("no parser reads it")
	}
	if err != nil {
		return outcome{err: fmt.Errorf("no text of the format: %w", err)}
	}
	block := new(schema.Block)
	parser := f.NewParser()
	// A Parser gets a text as a whole, as a block that ends with a whole line.
	parser.Parse(text[min(f.Header, len(text)):], block)
	if block.Broken != nil {
		o.err = block.Broken
	}
	// Keys are the parser's: a block has their numbers.
	o.take(block, parser.Keys())
	o.lost = block.Bad.Count+block.Overflow.Count > 0
	return o
}

// take counts the events of a block.
func (o *outcome) take(b *schema.Block, keys schema.KeyList) {
	o.events += int64(len(b.Key))
	for _, k := range b.Key {
		switch keys.At(k).Kind {
		case schema.Enter:
			o.open++
		case schema.Exit:
			o.open--
		}
	}
}

// mutation changes a copy of some bytes, and says how. One says that one byte became another one, and no other has moved.
// Bits, bytes, repetitions, gaps, cuts and noise: the ways in which files are damaged, changes of one byte twice as often.
func mutation(rng *rand.Rand, of []byte) (data []byte, what string, one bool) {
	data = slices.Clone(of)
	if len(data) == 0 {
		return []byte{byte(rng.Uint32())}, "a byte where there was none", false
	}
	at := rng.IntN(len(data))
	end := min(len(data), at+1+rng.IntN(16)) // behind 1 to 16 bytes
	switch rng.IntN(8) {
	case 0, 1: // one bit
		data[at] ^= 1 << rng.IntN(8)
	case 2, 3: // one byte, by chance with its old value
		data[at] = byte(rng.Uint32())
	case 4:
		return slices.Insert(data, at, data[at:end]...), fmt.Sprintf("bytes %d to %d twice", at, end), false
	case 5:
		return slices.Delete(data, at, end), fmt.Sprintf("without bytes %d to %d", at, end), false
	case 6:
		return data[:at], fmt.Sprintf("cut at byte %d", at), false
	default:
		for i := at; i < end; i++ {
			data[i] = byte(rng.Uint32())
		}
		return data, fmt.Sprintf("other bytes %d to %d", at, end), false
	}
	if data[at] == '#' { // in texts it makes a comment of a line, which is no loss
		return data, fmt.Sprintf("a comment at byte %d", at), false
	}
	lo, hi := max(0, at-12), min(len(data), at+12)
	return data, fmt.Sprintf("byte %d, %q -> %q,", at, of[lo:hi], data[lo:hi]), true
}
