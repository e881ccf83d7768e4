package uftrace

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
)

// A message of uftrace record --host: magic and type of 2 bytes each, length of 4, and so many bytes; all big-endian.
const (
	MessageHead = 8 // bytes before the data of a message

	messageMagic = 0xface

	messageFolder = 101 // the name of the folder, the first message of a program
	messageData   = 102 // number of a thread, then records of it
	messageKernel = 103 // number of a processor, then data of the kernel
	messagePerf   = 104 // number of a processor, then records of perf
	messageInfo   = 105 // the file info, the numbers of its header big-endian
	messageFile   = 106 // length of a name, the name, then the file
	messageEnd    = 107 // the last message of a program

	mostName   = 1 << 12 // bytes of a name
	mostInfo   = 1 << 20 // bytes of the file info
	sentBuffer = 1 << 18 // bytes that are read at once
	mostSent   = 1 << 30 // bytes of any message
)

// Message is the heading of a message.
type Message struct {
	Length int64 // bytes of data behind it
	First  bool  // as the first one of a program
	Last   bool  // as the last one of a program
}

var errMessage = errors.New("no message of uftrace")

// ReadMessage reads the heading of a message.
func ReadMessage(head [MessageHead]byte) (Message, error) {
	kind, length := binary.BigEndian.Uint16(head[2:]), int64(binary.BigEndian.Uint32(head[4:]))
	most := int64(mostSent)
	switch kind {
	case messageFolder:
		most = mostName
	case messageInfo:
		most = mostInfo
	case messageEnd:
		most = 0
	}
	if binary.BigEndian.Uint16(head[:]) != messageMagic || kind < messageFolder || kind > messageEnd || length > most {
		return Message{}, errMessage
	}
	return Message{Length: length, First: kind == messageFolder, Last: kind == messageEnd}, nil
}

// DetectStream reports whether a file is what uftrace record --host sent, by its first bytes: the message with the name of the folder.
func DetectStream(head []byte) bool {
	if len(head) < MessageHead {
		return false
	}
	m, err := ReadMessage([MessageHead]byte(head))
	return err == nil && m.First && m.Length > 0 && bytes.IndexByte(head[MessageHead:min(int64(len(head)), MessageHead+m.Length)], 0) < 0
}

// sentFiles are the files of a data folder, as they lie in what was sent. It implements fs.FS.
type sentFiles struct {
	sent  io.ReaderAt
	files map[string]*sentFile
	names []string // in order
}

// sentFile is one of them. It implements io.ReaderAt.
type sentFile struct {
	sent   io.ReaderAt
	name   string
	head   []byte // stands before the pieces
	pieces []sentPiece
	size   int64
}

// sentPiece is a part of a file.
type sentPiece struct{ from, at int64 } // in the file; in what was sent

var (
	errOutside = errors.New("the name of a file that is not in the folder")
	errCut     = errors.New("the program did not send its end")
	errNoInfo  = errors.New("info did not come, so there are no names of modules and functions")
)

// readSent copies what was sent to a scratch file, and finds the files in it.
func (r *reader) readSent(t schema.Trace) error {
	file, err := t.FS.Open(t.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	scratch, err := r.reading.Scratch()
	if err != nil {
		return err
	}
	r.scratch = scratch
	files := &sentFiles{sent: scratch, files: make(map[string]*sentFile)}
	in := bufio.NewReaderSize(io.TeeReader(file, io.NewOffsetWriter(scratch, 0)), schema.ReadAhead(file, sentBuffer))
	last := false
	for at := int64(0); !last; {
		bad := func(reason schema.Reason, err error) error {
			return r.reading.Bad(reason, &schema.SyntaxError{File: t.Path, Offset: at, Err: err})
		}
		var head [MessageHead]byte
		if n, err := io.ReadFull(in, head[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
			if n > 0 || err == io.EOF {
				err = bad(schema.TornRecord, errCut)
			}
			if err != nil {
				return err
			}
			break
		} else if err != nil {
			return err
		}
		m, err := ReadMessage(head)
		if err != nil {
			if err := bad(schema.BadRecord, err); err != nil {
				return err
			}
			break
		}
		there, err := files.take(binary.BigEndian.Uint16(head[2:]), in, at+MessageHead, m.Length)
		if err == errOutside {
			err = bad(schema.BadRecord, err)
		} else if err == nil && there < m.Length {
			err = bad(schema.TornRecord, errCut)
			last = true
		}
		if err != nil {
			return err
		}
		last = last || m.Last
		at += MessageHead + m.Length
	}
	if files.files["info"] == nil {
		r.reading.Ledger.Add(schema.UndefinedToken, func() string { return t.Path + ": " + errNoInfo.Error() })
		info := files.file("info")
		info.head = append(append([]byte(magic), newest, 0, 0, 0, headerBytes, 0, littleOrder, 2), make([]byte, headerBytes-16)...)
		info.size = headerBytes
	}
	slices.Sort(files.names)
	r.fsys, r.dir = files, "."
	return nil
}

// take takes the data of a message, which begin at a place in what was sent. It returns how many there are.
func (s *sentFiles) take(kind uint16, in *bufio.Reader, at, length int64) (there int64, err error) {
	heading := map[uint16]int64{messageData: 4, messageKernel: 4, messagePerf: 4, messageInfo: headerBytes, messageFile: 4}[kind]
	head := make([]byte, min(heading, length))
	n, err := io.ReadFull(in, head)
	if there = int64(n); n < len(head) || int64(n) < heading {
		return there, torn(err)
	}
	var f *sentFile
	switch kind {
	case messageData:
		f = s.file(fmt.Sprintf("%d.dat", int32(binary.BigEndian.Uint32(head))))
	case messageKernel:
		f = s.file(fmt.Sprintf("kernel-cpu%d.dat", int32(binary.BigEndian.Uint32(head))))
	case messagePerf:
		f = s.file(fmt.Sprintf("perf-cpu%d.dat", int32(binary.BigEndian.Uint32(head))))
	case messageInfo:
		f = s.file("info")
		f.head = asWritten(head)
		f.size, f.pieces = headerBytes, nil
	case messageFile:
		name := make([]byte, min(int64(binary.BigEndian.Uint32(head)), mostName, length-4))
		n, err := io.ReadFull(in, name)
		if there += int64(n); n < len(name) {
			return there, torn(err)
		}
		if strings.ContainsAny(string(name), "/\\\x00") || !fs.ValidPath(string(name)) || string(name) == "." {
			_, err := io.CopyN(io.Discard, in, length-there)
			return length, cmp.Or(torn(err), errOutside)
		}
		f = s.file(string(name))
	}
	rest, err := io.CopyN(io.Discard, in, length-there)
	if f != nil && rest > 0 {
		f.pieces = append(f.pieces, sentPiece{f.size, at + there})
		f.size += rest
	}
	return there + rest, torn(err)
}

// torn makes no error of an end.
func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// asWritten gives the numbers of the header of info the order of bytes that they have in the file of a little-endian machine. Version 4 bytes,
// size 2, order and class 1 each, features 8, what is told 8, depth 2.
func asWritten(head []byte) []byte {
	head = bytes.Clone(head)
	for _, field := range [][2]int{{8, 12}, {12, 14}, {16, 24}, {24, 32}, {32, 34}} {
		slices.Reverse(head[field[0]:field[1]])
	}
	return head
}

// file returns a file of the folder, and makes it where it is new.
func (s *sentFiles) file(name string) *sentFile {
	f := s.files[name]
	if f == nil {
		f = &sentFile{sent: s.sent, name: name}
		s.files[name] = f
		s.names = append(s.names, name)
	}
	return f
}

// ReadAt implements io.ReaderAt.
func (f *sentFile) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		if at >= f.size {
			return n, io.EOF
		}
		if at < int64(len(f.head)) {
			n += copy(p[n:], f.head[at:])
			continue
		}
		i, found := slices.BinarySearchFunc(f.pieces, at, func(p sentPiece, at int64) int { return cmp.Compare(p.from, at) })
		if !found {
			i--
		}
		ends := f.size
		if i+1 < len(f.pieces) {
			ends = f.pieces[i+1].from
		}
		got, err := f.sent.ReadAt(p[n:n+int(min(int64(len(p)-n), ends-at))], f.pieces[i].at+at-f.pieces[i].from)
		n += got
		if err != nil && (err != io.EOF || got == 0) {
			return n, err
		}
	}
	return n, nil
}

// openSent is a file that was opened.
type openSent struct {
	*io.SectionReader
	file *sentFile
}

// Close implements fs.File.
func (o openSent) Close() error { return nil }

// Stat implements fs.File.
func (o openSent) Stat() (fs.FileInfo, error) { return o.file, nil }

// The methods of fs.FileInfo.
func (f *sentFile) Name() string       { return f.name }
func (f *sentFile) Size() int64        { return f.size }
func (f *sentFile) Mode() fs.FileMode  { return 0o444 }
func (f *sentFile) ModTime() time.Time { return time.Time{} }
func (f *sentFile) IsDir() bool        { return false }
func (f *sentFile) Sys() any           { return nil }

// Open implements fs.FS.
func (s *sentFiles) Open(name string) (fs.File, error) {
	f := s.files[name]
	if f == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return openSent{io.NewSectionReader(f, 0, f.size), f}, nil
}

// ReadDir implements fs.ReadDirFS. There is one folder.
func (s *sentFiles) ReadDir(name string) (entries []fs.DirEntry, err error) {
	if name != "." {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	for _, name := range s.names {
		entries = append(entries, fs.FileInfoToDirEntry(s.files[name]))
	}
	return entries, nil
}
