package uftrace

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// BenchmarkRead reads a million records each of four threads: random walks through 60 functions, 100 ns apart.
func BenchmarkRead(b *testing.B) {
	const records = 1 << 20
	rng := rand.New(rand.NewPCG(5, 5))
	threads := make([][]byte, 4)
	for i := range threads {
		var stack []uint64
		for n := range records {
			time := uint64(1000 + n*100 + rng.IntN(100))
			word := uint64(checkValue)
			if len(stack) == 0 || len(stack) < 20 && rng.IntN(2) == 0 {
				stack = append(stack, 0x401000+uint64(rng.IntN(60))*16)
				word |= kindEntry
			} else {
				word |= kindExit
			}
			word |= uint64(len(stack)-1)<<depthShift | stack[len(stack)-1]<<addressShift
			if word&kindBits == kindExit {
				stack = stack[:len(stack)-1]
			}
			threads[i] = binary.LittleEndian.AppendUint64(threads[i], time)
			threads[i] = binary.LittleEndian.AppendUint64(threads[i], word)
		}
	}
	dir := b.TempDir()
	symbols := ""
	for i := range 60 {
		symbols += fmt.Sprintf("%x t f%d\n", 0x1000+16*i, i)
	}
	for name, file := range folder(threads...) {
		data := file.Data
		if name == "d/prog.sym" {
			data = []byte(symbols)
		}
		expect.OK(b, os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666))
	}
	b.SetBytes(16 * records * 4)
	benchmark(b, dir, ".", Format(), records*4)
}

// BenchmarkFolder reads the folder that TRACELAKE_UFTRACE names, to be compared with the command dump on it.
func BenchmarkFolder(b *testing.B) {
	dir := os.Getenv("TRACELAKE_UFTRACE")
	if dir == "" {
		b.Skip("TRACELAKE_UFTRACE names no folder of data")
	}
	benchmark(b, dir, ".", Format(), 0)
}

func benchmark(b *testing.B, dir, path string, format schema.Format, want int) {
	readertest.Benchmark(b, format, func() *schema.Reading {
		reading := readingOf(os.DirFS(dir), path)
		reading.Memory = 256 << 20
		return reading
	}, want)
}

// BenchmarkDump reads the text of dump, a million lines of two threads.
func BenchmarkDump(b *testing.B) {
	const lines = 1 << 20
	var text []byte
	for n := range lines {
		word := []string{"[entry]", "[exit ]"}[n%2]
		text = fmt.Appendf(text, "%5d.%09d %6d: %s function%d(401%03x) depth: 3\n", 3552, n%(lines/2), 8732+n/(lines/2), word, n/2%60, n/2%60*16)
	}
	dir := b.TempDir()
	expect.OK(b, os.WriteFile(filepath.Join(dir, "dump.txt"), text, 0o666))
	b.SetBytes(int64(len(text)))
	benchmark(b, dir, "dump.txt", DumpFormat(), lines)
}
