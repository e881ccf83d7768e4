package crashtest

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// tcpWriter sends records as the TCP writers of Kieker do: those that are due wait in a buffer, behind the entries of texts that are new, which
// wait in another one. A dual one sends each entry at once, by a connection of its own, without the -1 that stands for a class.
type tcpWriter struct {
	t                *testing.T
	records, entries net.Conn // the same but for a dual one
	buffer, names    []byte
	numbers          map[string]int32
}

func (w *tcpWriter) text(s string) int32 {
	number, known := w.numbers[s]
	if known {
		return number
	}
	number = int32(len(w.numbers))
	w.numbers[s] = number
	if w.entries == w.records {
		w.names = binary.BigEndian.AppendUint32(w.names, 1<<32-1)
	}
	w.names = binary.BigEndian.AppendUint32(w.names, uint32(number))
	w.names = binary.BigEndian.AppendUint32(w.names, uint32(len(utf16.Encode([]rune(s)))))
	w.names = append(w.names, s...)
	if w.entries != w.records {
		w.flush(w.entries, &w.names)
	}
	return number
}

// record puts a record into the buffer, the class and the time of logging first.
func (w *tcpWriter) record(class string, fields ...any) {
	var out []byte
	for _, f := range append([]any{class, int64(9)}, fields...) {
		if s, is := f.(string); is {
			f = w.text(s)
		}
		out, _ = binary.Append(out, binary.BigEndian, f)
	}
	if w.buffer = append(w.buffer, out...); len(w.buffer) > 4096 {
		w.send()
	}
}

func (w *tcpWriter) send() {
	w.flush(w.entries, &w.names)
	w.flush(w.records, &w.buffer)
}

func (w *tcpWriter) flush(to net.Conn, what *[]byte) {
	expect.Value(to.Write(*what))(w.t)
	*what = (*what)[:0]
}

// calls sends some traces of a program, and returns the lines that a log of these has.
func (w *tcpWriter) calls(host string, first, n int64) (lines string) {
	const metadata, before, after = "kieker.common.record.flow.trace.TraceMetadata", "kieker.common.record.flow.trace.operation.BeforeOperationEvent",
		"kieker.common.record.flow.trace.operation.AfterOperationEvent"
	for i := first; i < first+n; i++ {
		get, at := fmt.Sprintf("void shop.Größe.get%d(int)", i%40), i*100
		w.record(metadata, i, int64(7), "none", host, int64(-1), int32(-1))
		w.record(before, at, i, int32(0), "void shop.Shop.run()", "shop.Shop")
		w.record(before, at+1, i, int32(1), get, "shop.Größe")
		w.record(after, at+2, i, int32(2), get, "shop.Größe")
		w.record(after, at+3, i, int32(3), "void shop.Shop.run()", "shop.Shop")
		lines += fmt.Sprintf("$0;9;%d;7;none;%s;-1;-1\n$1;9;%d;%d;0;void shop.Shop.run();shop.Shop\n$1;9;%d;%d;1;%s;shop.Größe\n$2;9;%d;%d;2;%s;shop.Größe\n"+
			"$2;9;%d;%d;3;void shop.Shop.run();shop.Shop\n", i, host, at, i, at+1, i, get, at+2, i, get, at+3, i)
	}
	return lines
}

const kiekerClasses = "$0=kieker.common.record.flow.trace.TraceMetadata\n$1=kieker.common.record.flow.trace.operation.BeforeOperationEvent\n" +
	"$2=kieker.common.record.flow.trace.operation.AfterOperationEvent\n"

// kiekerPorts waits for the two addresses to which programs send.
func (f *followed) kiekerPorts() (first, second string) {
	f.t.Helper()
	first, second, _ = strings.Cut(f.told("Kieker send to ", ";"), ", and those that send their registry by itself to ")
	return first, second
}

// TestFollowKieker sends records of two programs at once as Kieker's TCP writers do, by one socket and by two. A third breaks off within a
// record, and one sends something else. The run is that of a file of what was recorded, and its events, messages and losses are those of a log of the same records,
// byte by byte. A recorder that is killed leaves what it took.
func TestFollowKieker(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		f := follow(t, "kieker:127.0.0.1:0,0")
		first, second := f.kiekerPorts()
		dial := func(at string) net.Conn { return expect.Value(net.Dial("tcp", at))(t) }
		single, dual := &tcpWriter{t: t, records: dial(first), numbers: map[string]int32{}}, &tcpWriter{t: t, records: dial(first), entries: dial(second), numbers: map[string]int32{}}
		single.entries = single.records
		log := ""
		for i := range int64(20) {
			log += single.calls("a", 100*i, 50)
			log += dual.calls("b", 100*i+50, 50)
		}
		single.send()
		dual.send()
		broken := &tcpWriter{t: t, records: dial(first), numbers: map[string]int32{}}
		broken.entries = broken.records
		log += broken.calls("c", 5000, 1)
		broken.buffer = append(broken.buffer, broken.buffer[:30]...)
		broken.send()
		other := dial(first)
		expect.Value(other.Write([]byte("\xff\xff\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff")))(t)
		for _, conn := range []net.Conn{single.records, dual.records, dual.entries, broken.records, other} {
			expect.OK(t, conn.Close())
		}
		whole := f.recorded(streamSize(log, single, dual, broken))
		f.end(killed)
		if !killed {
			f.says("1 broken off within a record", "1 a text of a registry that has no length")
		}
		f.sameAsIngested("Kieker that was followed", whole)

		dir := t.TempDir()
		folder, logged := filepath.Join(dir, "log"), filepath.Join(dir, "logged")
		expect.OK(t, os.Mkdir(folder, 0o777))
		expect.OK(t, os.WriteFile(filepath.Join(folder, "kieker.map"), []byte(kiekerClasses), 0o666))
		expect.OK(t, os.WriteFile(filepath.Join(folder, "a.dat"), []byte(log), 0o666))
		must(t, logged, "ingest", "--quiet", "--run", "x", "--label", "night=1", folder)
		laketest.CheckSame(t, "Kieker that was followed, and its log", ofRecords(tables(t, f.lake)), ofRecords(tables(t, logged)))
	}
}

// streamSize is how many bytes the records of a log are in a stream, with each text once.
func streamSize(log string, writers ...*tcpWriter) (n int) {
	for line := range strings.Lines(log) {
		if n += 4 + 8 + 8 + 8 + 4 + 4 + 4; line[1] == '0' { // metadata have one more number
			n += 8
		}
	}
	texts := make(map[string]bool)
	for _, w := range writers {
		for text := range w.numbers {
			texts[text] = true
		}
	}
	for text := range texts {
		n += 12 + len(text)
	}
	return n
}

// ofRecords are the tables that do not name the format, by their folders, as the names of files follow from these.
func ofRecords(tables map[string]string) map[string]string {
	of := make(map[string]string)
	for path, hash := range tables {
		if part := strings.Split(path, "-"); strings.HasSuffix(path, ".parquet") && !strings.HasPrefix(path, "runs/") {
			of[part[0]+part[1]] = hash
		}
	}
	return of
}
