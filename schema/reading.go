package schema

import (
	"io"
	"io/fs"
)

// Trace is one trace as a Reader receives it: a file or a folder in a file system. Messages to users name files as this
// file system does.
type Trace struct {
	FS   fs.FS
	Path string
	// Once says that the bytes can be read once only, as those of the standard input.
	Once bool
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
	IsPart  bool                    // other traces of the run are read by other Readers: see BetweenTraces
	Strict  bool                    // the first bad record is an error, instead of a loss
	Ledger  *Ledger                 // what the reader drops and repairs is counted here
}

// BetweenTraces is the series of messages whose other end may lie in another trace of the run, by the trace's own identifiers.
// A Reader uses it only where Reading.IsPart, for messages of which its trace has one end.
const BetweenTraces = "between traces"

// ReadingOptions are choices of the user.
type ReadingOptions struct {
	// Component says what is taken for the component of a function: a word of the format, see Format.Components, or ""
	// for the default of the format. Readers are given no word that Format.CheckComponent refuses.
	Component string
	// Symbols resolves addresses; nil where the user named none.
	Symbols Symbols `json:"-"`
	// Columns gives headers of tables by the columns of a trace: "time", "component" and so on. Only tables use it.
	Columns map[string]string
	// TimeUnit is the unit of the times of a table, "s", "ms", "us" or "ns"; "" where the table shall show it.
	TimeUnit string
	// PairKey is the field that tells which begin and end belong together, where events of pairs overlap; "" where the trace
	// shall show it. Pairs gives the event that ends what another one begins, by the name of that. Only traces of named
	// events use them.
	PairKey string
	Pairs   map[string]string
	// NameArgs are arguments of calls that become part of their names. Only formats with Format.NameArgs look at them.
	NameArgs []NameArg
	// Attributes are the names of attributes of calls that the table attributes is to have, or "all". Only formats with
	// Format.Attributes look at them.
	Attributes []string
	// Clocks says what is done about clocks that are apart. Only formats with Format.Clocks look at it.
	Clocks Clocks
}

// NameArg is an argument of a call that becomes part of its name, f(value).
type NameArg struct {
	Category string // of the calls; "" stands for all
	Field    string // the name of the argument
}

// Clocks are the choices about the clocks within one trace.
type Clocks struct {
	Mode string // ClocksAuto, ClocksKeep or ClocksAlign
	// Of says what has a clock of its own: a word of ClockOwners, or "" for a host where the trace names hosts.
	Of string
	// AheadNs is by how many ns a clock is known to be ahead, by its name. That is taken off before anything else.
	AheadNs map[string]int64
}

// The words of Clocks.Mode.
const (
	ClocksAuto  = "auto"  // clocks that cannot agree are corrected
	ClocksKeep  = "keep"  // all times are those of the trace
	ClocksAlign = "align" // clocks that may agree are corrected, too
)

// ClockOwners are the words of Clocks.Of.
var ClockOwners = []string{"host", "process", "component", "file"}

// ClockReader is a Reader that corrects the clocks of its trace.
type ClockReader interface {
	// Clocks returns, after Read, the clocks that were corrected, and sentences about these and those that were not.
	Clocks() (bounds []ClockBound, said []string)
}

// Split says how a trace of requests is dealt out to several runs, by the times at which requests start. One of its fields is set.
type Split struct {
	EveryNs int64 // slices of so much time each, from the start of the first request on, ns
	Parts   int   // so many parts with equally many requests, in the order of their starts
	ByTrace bool  // a run for every request
}

// Slice is what a run gets of a trace that is split: whole requests.
type Slice struct {
	Name     string // its number in the order of time, from 1; or the id of its request
	Number   int    // how many slices come before it
	Of       int    // how many slices there are in all
	FromNs   int64  // when its first request starts
	Requests int    // how many it has
}

// SplitReader is a Reader that can deal its trace out to several runs.
type SplitReader interface {
	Reader
	// Slices reads the whole trace, and calls each with a Reader for every slice that has requests, in the order of time. Readers are used one
	// after the other, each until each returns; Ledger has what was lost of the slice, and of the first one also what was lost of files.
	// It stops at errors of each. Clocks and what is said of them are those of the whole trace.
	Slices(by Split, each func(of Slice, r Reader, lost *Ledger) error) error
}

// Symbols finds the functions of a program by their addresses.
type Symbols interface {
	// Lookup returns the function whose code holds the address, and its unit: the source file below the source
	// root, or "" where that is not known.
	Lookup(address uint64) (function, unit string, found bool)
}

// BadBytes are the reasons of Bad, of times that a text cannot be given, and of damaged columns of attributes: where any of them was counted, a strict reading fails.
var BadBytes = []Reason{BadLine, TornLine, BadRecord, TornRecord, MissingRecord, UnknownRecord, UnsupportedTime, DamagedAttribute}

// Bad counts a record that is not of its format, at the place where it is found. In a strict reading it
// returns that place as the error to stop with. The reason is one of BadBytes.
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
	Keys() KeyList
	Marks() []MessageMark
}

// BlockEvents is the number of events that a Reader puts into a block: enough to amortise the hand-over, few enough that a
// block (28 bytes an event) stays in the cache of a core.
const BlockEvents = 1 << 14

// leastAhead is the number of bytes that are read ahead of any file: a file may grow while it is read, and a line of it with it.
const leastAhead = 1 << 13

// ReadAhead returns how many bytes a reader shall ask a file for at a time: at most so many, and fewer where the whole file is known to be
// shorter, since thousands of small files are read as often as one that is large. What is in memory says how long it is. What is no file on a disk, and what
// is decompressed, does not, or says less than 0.
func ReadAhead(in io.Reader, most int) int {
	size := int64(-1)
	switch of := in.(type) {
	case interface{ Len() int }:
		size = int64(of.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := of.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	if size < 0 || size >= int64(most) {
		return most
	}
	return min(most, max(leastAhead, int(size)+1)) // one byte more shows the end
}
