package mapping

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCompressedSymbols checks that a table of addresses may be compressed as traces are, and that a damaged one is named.
func TestCompressedSymbols(t *testing.T) {
	table := []byte("addr\tfunction\tunit\tline\n0x401000\tmain\tmain.c\t3\n")
	encoder := expect.Value(zstd.NewWriter(nil))(t)
	packed := encoder.EncodeAll(table, nil)
	read := func(data []byte) (Mapping, error) {
		path := filepath.Join(t.TempDir(), "symbols.tsv")
		expect.OK(t, os.WriteFile(path, data, 0o644))
		return Read(ingest.MappingFiles{Symbols: path})
	}
	plain := expect.Value(read(table))(t)
	compressed := expect.Value(read(packed))(t)
	expect.Equal(t, fmt.Sprint(compressed.symbols), fmt.Sprint(plain.symbols), "symbols of a compressed table")
	if plain.symbols == nil || plain.hashes == compressed.hashes {
		t.Errorf("symbols %v; the hashes of both files are %q", plain.symbols, plain.hashes)
	}
	if _, err := read(packed[:len(packed)-5]); err == nil {
		t.Error("a table that was cut off is read as a whole one")
	}
}
