package uftrace

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// message writes a message of uftrace record --host.
func message(kind uint16, data []byte) []byte {
	out := binary.BigEndian.AppendUint16(nil, messageMagic)
	out = binary.BigEndian.AppendUint16(out, kind)
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	return append(out, data...)
}

// sentFolder writes a folder as uftrace record --host sends it: records of threads in turn, then the other files.
func sentFolder(rng *rand.Rand, fsys fstest.MapFS) []byte {
	out := message(messageFolder, []byte("d"))
	records := make(map[string][]byte)
	for name, file := range fsys {
		if strings.HasSuffix(name, ".dat") {
			records[name] = file.Data
		}
	}
	for left := slices.Sorted(maps.Keys(records)); len(left) > 0; {
		i := rng.IntN(len(left))
		data := records[left[i]]
		n := min(len(data), 1+rng.IntN(100))
		thread := binary.BigEndian.AppendUint32(nil, uint32(left[i][len("d/")]-'0'))
		out = append(out, message(messageData, append(thread, data[:n]...))...)
		if records[left[i]] = data[n:]; n == len(data) {
			left = slices.Delete(left, i, i+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fsys)) {
		bare := strings.TrimPrefix(name, "d/")
		if bare == "info" || strings.HasSuffix(bare, ".dat") {
			continue
		}
		data := binary.BigEndian.AppendUint32(nil, uint32(len(bare)))
		out = append(out, message(messageFile, slices.Concat(data, []byte(bare), fsys[name].Data))...)
	}
	info := slices.Clone(fsys["d/info"].Data)
	return append(append(out, message(messageInfo, append(asWritten(info[:headerBytes]), info[headerBytes:]...))...), message(messageEnd, nil)...)
}

// readSent reads what was sent.
func readSentFile(t testing.TB, sent []byte) ([]event, *schema.Reading, error) {
	reading := readingOf(fstest.MapFS{"x": {Data: sent}}, "x")
	reading.Scratch = func() (schema.Scratch, error) { return new(readertest.Memory), nil }
	events, err := collect(reading, StreamFormat())
	return events, reading, err
}

// TestSent reads folders as they are sent, in messages of any size: the events are those of the folder.
func TestSent(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		fsys := folder(words64(t, "10 E 0 main", "20 E+ 1 f 0500000000000000", "30 X 1 f", "35 L 0 7", "40 X 0 main"), words64(t, "15 E 0 g", "25 E 1 f", "28 X 1 f", "35 X 0 g"))
		sent := sentFolder(rng, fsys)
		expect.Equal(t, DetectStream(sent), true, "detected")
		got, reading, err := readSentFile(t, sent)
		want := readingOf(fsys, "d")
		expect.Equal(t, tell(got), tell(expect.Value(collect(want, Format()))(t)), "seed %d", seed)
		expect.Equal(t, len(reading.Ledger.Losses("")), len(want.Ledger.Losses("")), "losses")
		expect.OK(t, err)
	}
}

// TestSentCut cuts what was sent anywhere. What came is read, with addresses for functions where their names did not, and the loss is counted.
func TestSentCut(t *testing.T) {
	fsys := folder(words64(t, "10 E 0 main", "20 E 1 f", "30 X 1 f", "40 X 0 main"))
	sent := sentFolder(rand.New(rand.NewPCG(1, 1)), fsys)
	for n := MessageHead; n < len(sent); n++ {
		events, reading, err := readSentFile(t, sent[:n])
		if err != nil || reading.Ledger.Count(schema.TornRecord) == 0 || len(events) > 4 {
			t.Fatalf("%d bytes: %d events, %v", n, len(events), err)
		}
	}
	data := bytes.Index(sent, []byte{0xfa, 0xce, 0, messageFile})
	events, reading, err := readSentFile(t, sent[:data])
	expect.Equal(t, tell(events), "10 ram/1 > 0x401000, 20 ram/1 > 0x401100, 30 ram/1 < 0x401100, 40 ram/1 < 0x401000", "without names")
	expect.Equal(t, reading.Ledger.Count(schema.UndefinedToken), int64(4), "info, task.txt and two functions")
	expect.OK(t, err)

	outside := append(message(messageFolder, []byte("d")), message(messageFile, append([]byte("\x00\x00\x00\x06../x.y"), "text"...))...)
	_, reading, err = readSentFile(t, append(outside, "something else"...))
	expect.Equal(t, reading.Ledger.Count(schema.BadRecord), int64(2), "a file outside the folder, and no message")
	expect.OK(t, err)
}

// FuzzSent reads anything as what was sent.
func FuzzSent(f *testing.F) {
	f.Add(sentFolder(rand.New(rand.NewPCG(1, 1)), folder(words64(f, "10 E 0 main", "40 X 0 main"))))
	f.Fuzz(func(t *testing.T, sent []byte) {
		readSentFile(t, sent)
		DetectStream(sent)
	})
}
