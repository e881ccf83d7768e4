package pipeline_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"sync/atomic"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// number is a row of the toy tables.
type number struct {
	N int64 `parquet:"n"`
}

// buckets is how many buckets a toy run has; bucket k holds k+1 rows.
const buckets = 6

var run = lake.Run("toy")

// toyLake is a lake with the table "given" of the run toy.
func toyLake(t *testing.T) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	give(t, l, run, "first trace")
	return l
}

// give commits the table "given" of a partition as if it was made of a trace.
func give(t *testing.T, l *lake.Lake, p lake.Partition, trace string) {
	t.Helper()
	fingerprint := lake.Fingerprint("toy", 1, nil, []lake.Input{{Name: "trace", Fingerprint: trace}})
	s := expect.Value(l.Stage("toy", p, fingerprint))(t)
	m := &lake.Manifest{Table: "given", Stage: "toy", Fingerprint: fingerprint}
	for k := range buckets {
		m.Files = append(m.Files, writeNumbers(t, s, k, k+1))
	}
	expect.OK(t, s.Commit(m))
}

func writeNumbers(t *testing.T, s *lake.Staging, bucket, rows int) lake.File {
	t.Helper()
	f := expect.Value(lake.Write(s, "given", bucket, make([]number, rows)))(t)
	return f
}

// double is a stage that writes every row of a table twice and counts how often it ran.
func double(from, to string, runs *atomic.Int64) pipeline.Stage {
	return pipeline.Stage{
		Name: to, Version: 1, Reads: []string{from}, Writes: []string{to}, BytesPerRow: 1,
		Run: func(t *pipeline.Task) error {
			runs.Add(1)
			rows, err := pipeline.ReadRows[number](t, from)
			if err != nil {
				return err
			}
			t.Ledger.AddMany(schema.BadLine, int64(len(rows)), func() string { return fmt.Sprint(len(rows)) })
			return pipeline.WriteRows(t, to, append(rows, rows...))
		},
	}
}

func engine(l *lake.Lake, stages ...pipeline.Stage) *pipeline.Engine {
	return &pipeline.Engine{Lake: l, Stages: stages, Jobs: 2, Memory: 1 << 20}
}

// exists says whether a table of the toy run does, and checks that its manifest tells the truth.
func exists(t *testing.T, l *lake.Lake, table string) bool {
	t.Helper()
	m := expect.Value(l.Manifest(table, run))(t)
	if m == nil {
		return false
	}
	for _, f := range m.Files {
		checkFile(t, l, f)
	}
	return true
}

func checkFile(t *testing.T, l *lake.Lake, f lake.File) {
	t.Helper()
	data := expect.Value(os.ReadFile(l.Path(f)))(t)
	rows := expect.Value(lake.ReadFile[number](t.Context(), l, f))(t)
	sum := fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
	if f.Bytes != int64(len(data)) || f.Rows != int64(len(rows)) || f.Crc32c != sum {
		t.Errorf("%s: the manifest says %d bytes, %d rows, %s; it has %d, %d, %s", f.Path, f.Bytes, f.Rows, f.Crc32c, len(data), len(rows), sum)
	}
}
