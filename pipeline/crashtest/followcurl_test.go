package crashtest

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/testdata/expect"
)

// recordedCurl is the trace that was recorded of a transfer by curl.
func recordedCurl(t *testing.T) []byte {
	t.Helper()
	packed := expect.Value(os.ReadFile(curlTrace))(t)
	z := expect.Value(zstd.NewReader(bytes.NewReader(packed)))(t)
	defer z.Close()
	return expect.Value(io.ReadAll(z))(t)
}

// withinLine is a place in the middle of a trace that lies within a line, behind so many letters of it.
func withinLine(t *testing.T, whole []byte, letters int) int {
	t.Helper()
	middle := len(whole) / 2
	at := middle + bytes.IndexByte(whole[middle:], '\n') + 1 + letters
	if bytes.ContainsRune(whole[at-letters:at+1], '\n') {
		t.Fatalf("a line of the trace has less than %d letters", letters)
	}
	return at
}

// TestFollowCurl grows the trace of curl. Its recorder is killed in the middle and started again. The run is that of the whole trace, byte by byte.
func TestFollowCurl(t *testing.T) {
	t.Parallel()
	whole := recordedCurl(t)
	for _, letters := range []int{0, 4, 20} { // at the end of a line, within its time, within its names
		dir := t.TempDir()
		grows, cut := filepath.Join(dir, "trace"), withinLine(t, whole, letters)
		expect.OK(t, os.WriteFile(grows, nil, 0o666))
		file := expect.Value(os.OpenFile(grows, os.O_APPEND|os.O_WRONLY, 0o666))(t)
		f := follow(t, grows)
		for _, piece := range [][]byte{whole[:cut/3], whole[cut/3 : cut]} {
			expect.Value(file.Write(piece))(t)
		}
		f.recorded(cut)
		expect.OK(t, f.c.Process.Kill())
		f.c.Wait()
		expect.Value(file.Write(whole[cut : cut+1000]))(t) // while nobody records
		f.start(grows)
		f.told("goes on with a recording", "MB")
		for at := cut + 1000; at < len(whole); at += 40_000 {
			expect.Value(file.Write(whole[at:min(at+40_000, len(whole))]))(t)
		}
		expect.OK(t, file.Close())
		f.recorded(len(whole))
		f.end(false)
		f.sameAsIngested("the trace of curl, whose recorder was killed", whole)
	}
}

// TestFollowHalfCurl cuts the trace of curl in half, within a line: a file grows no further, and a connection ends. What was recorded is the run of the half, byte by
// byte, whether the recorder is interrupted or killed.
func TestFollowHalfCurl(t *testing.T) {
	t.Parallel()
	whole := recordedCurl(t)
	half := whole[:withinLine(t, whole, 20)]
	for name, source := range map[string]struct {
		address string
		send    func(f *followed, grows string)
	}{
		"file": {"", func(f *followed, grows string) { expect.OK(t, os.WriteFile(grows, half, 0o666)) }},
		"tcp": {"tcp:127.0.0.1:0", func(f *followed, _ string) {
			to := expect.Value(net.Dial("tcp", strings.TrimSuffix(f.told("sent to tcp:", " "), ";")))(t)
			expect.Value(to.Write(half))(t)
			f.recorded(len(half))
			expect.OK(t, to.(*net.TCPConn).SetLinger(0)) // as of a program that is killed: the connection is reset
			expect.OK(t, to.Close())
		}},
	} {
		for _, killed := range []bool{false, true} {
			grows := filepath.Join(t.TempDir(), "trace")
			expect.OK(t, os.WriteFile(grows, nil, 0o666))
			address := source.address
			if address == "" {
				address = grows
			}
			f := follow(t, address)
			source.send(f, grows)
			f.recorded(len(half))
			f.end(killed)
			f.sameAsIngested("half of the trace of curl, by "+name, half)
		}
	}
}
