package chartwindow

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Finished finds executions by the event at which they finish. It keeps one row group of every bucket, so it is quick where
// ranges follow each other, upwards or downwards.
type Finished struct {
	Rows  *schema.Executions // the row group that In hands out, while its f runs
	files []*finishedFile
}

// finishedFile is the executions of one bucket.
type finishedFile struct {
	reader *lake.Reader       // of the bucket's one file
	rows   *schema.Executions // of the row group that is loaded
	loaded int                // its number, or none
	groups []group            // bounds of finish_seq
}

// OpenFinished opens the executions of a run. Only the named columns are read, and finish_seq.
// The caller closes it.
func OpenFinished(l *lake.Lake, m *lake.Manifest, names *schema.Names, wanted ...string) (x *Finished, err error) {
	x = new(Finished)
	for _, f := range m.Files {
		one := &finishedFile{rows: schema.NewExecutions(names), loaded: none}
		if one.reader, err = l.Reader(f, one.rows, append(wanted, "finish_seq")...); err != nil {
			x.Close()
			return nil, err
		}
		x.files = append(x.files, one)
		for i := range one.reader.Groups() {
			lo, hi, ok := one.reader.Stats(i).Ints("finish_seq")
			if !ok {
				lo, hi = -1<<62, 1<<62 // without bounds, a row group is always read
			}
			one.groups = append(one.groups, group{lo: lo, hi: hi + 1})
		}
	}
	return x, nil
}

// Close closes the files.
// The rows of the last row group stay valid.
func (x *Finished) Close() {
	for _, f := range x.files {
		f.reader.Close()
	}
}

// In calls f for every execution that finishes in a range: row i of x.Rows.
// Rows come bucket by bucket, and in the order of their finish within each. A row group costs a read at most once,
// as long as ranges ascend or descend.
func (x *Finished) In(r Range, f func(i int)) error {
	for _, one := range x.files {
		for i, g := range one.groups {
			if g.hi <= r.Lo || g.lo >= r.Hi {
				continue
			}
			if one.loaded != i {
				one.loaded = none
				if err := one.reader.Read(i); err != nil {
					return err
				}
				one.loaded = i
			}
			x.Rows = one.rows
			seqs := one.rows.FinishSeq // ascending: rows are in the order of their finish
			row, _ := slices.BinarySearch(seqs, r.Lo)
			for ; row < len(seqs) && seqs[row] < r.Hi; row++ {
				f(row)
			}
		}
	}
	return nil
}
