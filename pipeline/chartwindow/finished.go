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

	onlyRoots bool
	spare     schema.Executions // memory for the row group that is read next, of which roots are kept
	picked    []int             // positions of the roots of a row group
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

// OnlyRoots makes In pass over executions in others, for those who look at roots alone: a row group then takes the memory of its
// roots. It comes before the first In, and depth is to be among the columns.
func (x *Finished) OnlyRoots() { x.onlyRoots = true }

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
				if err := x.load(one, i); err != nil {
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

// load reads a row group. Where only roots are kept it is read into memory that all files use in turn, and its roots are copied
// to that of the file.
func (x *Finished) load(one *finishedFile, group int) error {
	if !x.onlyRoots {
		return one.reader.Read(group)
	}
	kept, names := *one.rows, one.rows.Names
	*one.rows = x.spare
	one.rows.Names = names
	err := one.reader.Read(group)
	x.spare = *one.rows
	*one.rows = kept
	schema.Reset(one.rows)
	if err != nil {
		return err
	}
	x.picked = x.picked[:0]
	for i, depth := range x.spare.Depth {
		if depth == 0 {
			x.picked = append(x.picked, i)
		}
	}
	schema.AppendPicked(one.rows, &x.spare, x.picked)
	return nil
}
