package schema

import "io"
import "io/fs"

// Trace is one trace as a Reader receives it: a file or a folder in a file system. Messages to users name files as this
// file system does.
type Trace struct {
	FS   fs.FS
	Path string
	// Decompress undoes gzip, zstd and xz, which it knows by their first bytes, and passes other bytes through.
	// A trace that is a single file is opened decompressed already; this is for files in folders.
	Decompress func(io.Reader) (io.Reader, error)
}

// Scratch is a nameless file for what a Reader cannot hold in memory.
type Scratch interface {
	io.WriterAt
	io.ReaderAt
	io.Closer
}

// Reading holds all that a Reader works with.
type Reading struct {
	Traces  []Trace // of one run; more than one only where Format.Several
	Options ReadingOptions
	Memory  int64                   // bytes that the reader may hold, its definitions aside
	Scratch func() (Scratch, error) // opens a new one; the reader closes it
	Strict  bool                    // the first bad record is an error, instead of a loss
	Ledger  *Ledger                 // what the reader drops and repairs is counted here
}

// ReadingOptions are choices of the user.
type ReadingOptions struct {
	// Component says what is taken for the component of a function: a word of the format, see Format.Components, or ""
	// for the default of the format. Readers are given no word that Format.CheckComponent refuses.
	Component string
	// Symbols resolves addresses; nil where the user named none.
	Symbols Symbols
	// Columns gives headers of tables by the columns of a trace: "time", "component" and so on. Only tables use it.
	Columns map[string]string
	// TimeUnit is the unit of the times of a table, "s", "ms", "us" or "ns"; "" where the table shall show it.
	TimeUnit string
}

// Symbols finds the functions of a program by their addresses.
type Symbols interface {
	// Lookup returns the function whose code holds the address, and its unit: the source file below the source
	// root, or "" where that is not known.
	Lookup(address uint64) (function, unit string, found bool)
}

// Bad counts a record that is not of its format, at the place where it is found. In a strict reading it
// returns that place as the error to stop with. The reasons are those of bad bytes.
func (r *Reading) Bad(reason Reason, at *SyntaxError) error {
	if r.Strict {
		return at
	}
	r.Ledger.Add(reason, at.Error)
	return nil
}

// Reader reads a trace that is more than lines in the order of time: several files, binary records, or records
// in an order of their own. It belongs to one goroutine.
type Reader interface {
	// Read passes on the events of the trace, a block at a time, in the order of time; events of one lifeline
	// keep the order in which the trace has them even where their times run back. It calls emit with nil for
	// its first block, with every full block for the next, and with the last one, and stops at emit's errors.
	// Block.Line and Block.Lines may be left empty. A defect of the trace is counted, and reading goes on; the
	// error is for a trace that cannot be read at all or any further, and names the place.
	Read(emit func(full *Block) (empty *Block, err error)) error
	// Keys and Marks are as those of a Parser.
	Keys() []EventKey
	Marks() []MessageMark
}

// BlockEvents is the number of events that a Reader puts into a block: enough to amortise the hand-over, few enough that a
// block (28 bytes an event) stays in the cache of a core.
const BlockEvents = 1 << 14
