package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

func newLake(t *testing.T) *lake.Lake { return expect.Value(lake.Open(t.TempDir(), true))(t) }

// text is what a recording holds.
func text(t *testing.T, r *Recording) string {
	t.Helper()
	return string(expect.Value(os.ReadFile(r.Trace))(t)[:r.Length()])
}

// TestTornEnds cuts and damages the files of a recording as a crash may leave them. What is opened again is a part of the trace from its
// beginning, of whole blocks, and it goes on from there.
func TestTornEnds(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		l := newLake(t)
		r := expect.Value(Open(l, "x", "trace.txt"))(t)
		var whole []byte
		ends := []int64{0}
		now := time.Now()
		for range 1 + rng.IntN(20) {
			piece := bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, 1+rng.IntN(50))
			now = now.Add(time.Duration(rng.IntN(200)) * time.Millisecond)
			expect.OK(t, r.Append(piece, now))
			whole = append(whole, piece...)
			ends = append(ends, int64(len(whole)))
		}
		expect.OK(t, r.Close())
		blocks := filepath.Join(Folder(l, "x"), blocksName)
		switch rng.IntN(4) {
		case 0: // the trace is shorter than the list says
			expect.OK(t, os.Truncate(r.Trace, rng.Int64N(int64(len(whole)))))
		case 1: // an entry is torn
			expect.OK(t, os.Truncate(blocks, rng.Int64N(int64(len(ends)-1)*blockBytes)))
		case 2: // bytes of the last block were never written
			damage(t, r.Trace, int64(len(whole))-1)
		case 3: // nor those of its entry
			damage(t, blocks, int64(len(ends)-1)*blockBytes-1-rng.Int64N(blockBytes))
		}
		again := expect.Value(Open(l, "x", "trace.txt"))(t)
		if got := text(t, again); !strings.HasPrefix(string(whole), got) || !slices.Contains(ends, again.Length()) || again.Length() == int64(len(whole)) {
			t.Fatalf("seed %d: of %d bytes %d are left, blocks end at %v", seed, len(whole), again.Length(), ends)
		}
		had := text(t, again)
		expect.OK(t, again.Append([]byte("MORE"), now))
		expect.OK(t, again.Close())
		last := expect.Value(Open(l, "x", "trace.txt"))(t)
		expect.Equal(t, text(t, last), had+"MORE", "seed %d: what is recorded after that", seed)
		expect.Equal(t, last.Dropped, int64(0), "seed %d: dropped", seed)
		expect.OK(t, last.Remove())
	}
}

// damage changes a byte of a file.
func damage(t *testing.T, path string, at int64) {
	t.Helper()
	file := expect.Value(os.ReadFile(path))(t)
	file[at] ^= 0xff
	expect.OK(t, os.WriteFile(path, file, 0o666))
}

// followed starts to follow a source, and returns what ends that.
func followed(t *testing.T, s Source, r *Recording) (end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Follow(ctx, s, r, Options{}) }()
	return func() {
		t.Helper()
		cancel()
		expect.OK(t, <-ended)
		expect.OK(t, errors.Join(s.Close(), r.Close()))
	}
}

// until waits for a recording to be so long on disk.
func until(t *testing.T, r *Recording, length int) {
	t.Helper()
	for range 500 {
		if info, err := os.Stat(r.Trace); err == nil && info.Size() >= int64(length) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s has not %d bytes after five seconds", r.Trace, length)
}

// TestFileIsFollowed grows a file by halves of lines, moves it away, begins another one, and cuts that; the recording is closed and opened again
// in between, while the file grows on. All that was written is recorded once and in order.
func TestFileIsFollowed(t *testing.T) {
	l, dir := newLake(t), t.TempDir()
	path := filepath.Join(dir, "grows.txt")
	var want strings.Builder
	grow := func(text string) {
		file := expect.Value(os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666))(t)
		expect.Value(file.WriteString(text))(t)
		expect.OK(t, file.Close())
		want.WriteString(text)
	}
	var said []string
	open := func() (*Recording, func()) {
		r := expect.Value(Open(l, "x", "grows.txt"))(t)
		s := expect.Value(OpenFile(path, r, func(sentence string) { said = append(said, sentence) }))(t)
		return r, followed(t, s, r)
	}
	grow("a first line\nhalf of ")
	r, end := open()
	until(t, r, want.Len())
	grow("another one\n")
	until(t, r, want.Len())
	end()
	grow("written while nobody looks\n")
	r, end = open()
	until(t, r, want.Len())
	expect.OK(t, os.Rename(path, path+".1"))
	grow("in a new file\n")
	until(t, r, want.Len())
	end()
	grow("and more of it\n")
	r, end = open()
	until(t, r, want.Len())
	expect.OK(t, os.Truncate(path, 0))
	time.Sleep(100 * time.Millisecond) // a file that is longer than before at once cannot be told from one that grew
	grow("cut\n")
	until(t, r, want.Len())
	end()
	if got := string(expect.Value(os.ReadFile(r.Trace))(t)); got != want.String() {
		t.Errorf("recorded:\n%s\nwritten:\n%s", got, want.String())
	}
	expect.Slice(t, said, []string{"another file took its name, and follows it", "it was cut, and is read from its beginning again"}, "what was said")
	// Another file of that name is no continuation.
	expect.OK(t, os.Remove(path))
	want.Reset()
	grow(strings.Repeat("something else\n", 100))
	said = nil
	before := expect.Value(os.Stat(r.Trace))(t).Size()
	r, end = open()
	until(t, r, int(before)+want.Len())
	end()
	if len(said) != 1 || !strings.Contains(said[0], "another file") {
		t.Errorf("said %q", said)
	}
}

// TestStreams takes what comes through a pipe until it ends, and through connections one after the other, of which one breaks.
func TestStreams(t *testing.T) {
	in, out := io.Pipe()
	r := expect.Value(Open(newLake(t), "x", "trace"))(t)
	ended := make(chan error, 1)
	go func() { ended <- Follow(t.Context(), NewStream(in), r, Options{}) }()
	var want strings.Builder
	for i := range 2000 {
		line := fmt.Sprintf("line %d\n", i)
		want.WriteString(line)
		expect.Value(io.WriteString(out, line))(t)
	}
	expect.OK(t, out.Close())
	expect.OK(t, <-ended)
	expect.Equal(t, text(t, r), want.String(), "what came through a pipe")
	expect.OK(t, r.Remove())

	s, at, err := Listen("tcp", "127.0.0.1:0")
	expect.OK(t, err)
	r = expect.Value(Open(newLake(t), "x", "trace"))(t)
	end := followed(t, s, r)
	want.Reset()
	for i := range 3 {
		c := expect.Value(net.Dial("tcp", at.String()))(t)
		line := fmt.Sprintf("from connection %d\n", i)
		want.WriteString(line)
		expect.Value(io.WriteString(c, line))(t)
		until(t, r, want.Len())
		c.(*net.TCPConn).SetLinger(0) // as where the sender is killed
		expect.OK(t, c.Close())
	}
	end()
	if got := string(expect.Value(os.ReadFile(r.Trace))(t)); got != want.String() {
		t.Errorf("came: %q", got)
	}
}

// TestIdle sees that a trace of which nothing comes any more ends by itself.
func TestIdle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "still.txt")
	expect.OK(t, os.WriteFile(path, []byte("a line\n"), 0o666))
	r := expect.Value(Open(newLake(t), "x", "still.txt"))(t)
	s := expect.Value(OpenFile(path, r, func(string) {}))(t)
	var told int64
	expect.OK(t, Follow(t.Context(), s, r, Options{Idle: 100 * time.Millisecond, Tell: func(length int64) { told = length }}))
	expect.Equal(t, text(t, r), "a line\n", "recorded")
	expect.Equal(t, told, 7, "told")
}

// pieces is a source that has what remains of a text, as much as is asked for.
type pieces struct{ *bytes.Reader }

func (pieces) Close() error { return nil }

// TestRoom sees that room is asked for before each block is written, and for all of its bytes.
func TestRoom(t *testing.T) {
	r := expect.Value(Open(newLake(t), "x", "trace"))(t)
	whole := int64(5*mostBlock/2 + 1)
	var asked int64
	room := func(n int64) {
		expect.Equal(t, expect.Value(os.Stat(r.Trace))(t).Size(), asked, "bytes on disk, when more are asked for")
		asked += n
	}
	expect.OK(t, Follow(t.Context(), pieces{bytes.NewReader(make([]byte, whole))}, r, Options{Room: room}))
	expect.Equal(t, asked, whole, "bytes that were asked for")
	expect.OK(t, r.Close())
}
