package rawlog

import (
	"bytes"
	"encoding/binary"
)

// sniffed is the number of bytes by which a binary log is recognised. A record of text is shorter.
const sniffed = 1 << 8

// Detect reports whether a file is such a log, by its first bytes, which may end within a record.
func Detect(head []byte) bool { return isBinary(head) || isText(head) }

// isBinary reports whether bytes are binary records: there is no magic, so all of them must be likely. The first is an
// enter; times are not zero and do not jump by an hour, functions and call sites are addresses of programs, and
// threads have numbers that Linux gives. The place of a record may not have been written.
func isBinary(head []byte) bool {
	const hour = 3600 * 1000000000
	before := uint64(0)
	if remarks := []byte("# module 0x"); len(head) > recordBytes && head[28] == kindRemark && bytes.HasPrefix(head[recordBytes:], remarks) {
		return true
	}
	for at := 0; at+recordBytes <= len(head); at += recordBytes {
		b := head[at : at+recordBytes]
		time, function, site := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
		thread, kind := binary.LittleEndian.Uint32(b[24:]), binary.LittleEndian.Uint32(b[28:])
		// A slot that its thread reserved and never wrote: the tracer was killed.
		if at > 0 && time == 0 && function == 0 && site == 0 && thread == 0 && kind == 0 {
			continue
		}
		// User space addresses have 47 bits on x86-64 and 48 on arm64; Linux has at most 2^22 threads.
		if time == 0 || function == 0 || function>>48 != 0 || site>>48 != 0 || thread == 0 || thread>>22 != 0 || kind > 1 {
			return false
		}
		if at == 0 {
			before = time
			if kind != 0 {
				return false
			}
		}
		// Threads write out of order, so a step back is as good as a step forward.
		if time+hour < before || time > before+hour {
			return false
		}
		before = time
	}
	return before != 0
}

// isText reports whether most of the whole lines are records, leaving remarks aside.
func isText(head []byte) bool {
	// The last line of the head may be cut and is not judged.
	good, bad := 0, 0
	for {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole {
			return good > bad
		}
		head = rest
		if len(line) > 0 && line[0] == '#' {
			continue
		}
		if _, column, _ := textRecord(bytes.TrimSuffix(line, []byte("\r"))); column < 0 {
			good++
		} else {
			bad++
		}
	}
}
