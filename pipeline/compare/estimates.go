package compare

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
)

// estimates are the estimates of all subjects, in a file of the disk: they are written by the ranks of their subjects, which are known
// when all else is, and would be a sixth of what a comparison holds until then. Nil keeps none.
type estimates struct {
	file   schema.Scratch
	out    *bufio.Writer
	size   int64
	of     []estimatesOf     // by position among the subjects
	texts  schema.Dictionary // of quantities and families
	record []byte
	failed error // the first failure
}

// estimatesOf says where the estimates of a subject lie.
type estimatesOf struct {
	offset int64
	number int
}

// estimateBytes is the size of an estimate in the file: its two texts as codes, and its numbers.
const estimateBytes = 2*4 + 12*8

// keepEstimates opens a file for estimates. Whoever opens it closes it.
func keepEstimates(t *pipeline.Task) (*estimates, error) {
	file, err := t.Scratch()
	if err != nil {
		return nil, err
	}
	return newEstimates(file), nil
}

func newEstimates(file schema.Scratch) *estimates {
	return &estimates{file: file, out: bufio.NewWriterSize(io.NewOffsetWriter(file, 0), 1<<16)}
}

// close gives up the file.
func (e *estimates) close() { e.file.Close() }

// err is the first failure to write or to read.
func (e *estimates) err() error { return e.failed }

// fail keeps the first failure.
func (e *estimates) fail(err error) {
	if e.failed == nil {
		e.failed = err
	}
}

// put keeps the estimates of the subject at a position. Positions ascend.
func (e *estimates) put(position int, list []schema.Estimate) {
	if e == nil {
		return
	}
	for len(e.of) <= position {
		e.of = append(e.of, estimatesOf{})
	}
	e.of[position] = estimatesOf{e.size, len(list)}
	for i := range list {
		e.record = e.append(e.record[:0], &list[i])
		if _, err := e.out.Write(e.record); err != nil {
			e.fail(err)
		}
		e.size += int64(len(e.record))
	}
}

// append appends an estimate but for its rank.
func (e *estimates) append(to []byte, of *schema.Estimate) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(e.texts.Code(of.Quantity)))
	to = binary.LittleEndian.AppendUint32(to, uint32(e.texts.Code(of.Family)))
	quantile := math.NaN()
	if of.Quantile != nil {
		quantile = *of.Quantile
	}
	to = binary.LittleEndian.AppendUint64(to, uint64(of.RunsNeeded))
	for _, v := range [...]float64{
		quantile, of.Base, of.Cand, of.Ratio, of.RatioLo, of.RatioHi, of.Margin, of.DF, of.P, of.Q, of.EquivalenceP,
	} {
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(v))
	}
	return to
}

// read returns the estimate in a record.
func (e *estimates) read(record []byte) schema.Estimate {
	out := schema.Estimate{
		Quantity:   e.texts.Name(schema.Code(binary.LittleEndian.Uint32(record))),
		Family:     e.texts.Name(schema.Code(binary.LittleEndian.Uint32(record[4:]))),
		RunsNeeded: int64(binary.LittleEndian.Uint64(record[8:])),
	}
	var quantile float64
	rest := record[16:]
	for _, v := range [...]*float64{
		&quantile, &out.Base, &out.Cand, &out.Ratio, &out.RatioLo, &out.RatioHi, &out.Margin, &out.DF, &out.P, &out.Q, &out.EquivalenceP,
	} {
		*v, rest = math.Float64frombits(binary.LittleEndian.Uint64(rest)), rest[8:]
	}
	if !math.IsNaN(quantile) {
		out.Quantile = &quantile
	}
	return out
}

// byRank hands out the estimates by the ranks of their subjects, whose positions are given: an iter.Seq. It ends early after a failure.
func (e *estimates) byRank(positions []int32) func(yield func(schema.Estimate) bool) {
	return func(yield func(schema.Estimate) bool) {
		if err := e.out.Flush(); err != nil {
			e.fail(err)
		}
		var memory []byte
		for i, position := range positions {
			if int(position) >= len(e.of) || e.failed != nil {
				continue
			}
			of := e.of[position]
			memory = append(memory[:0], make([]byte, of.number*estimateBytes)...)
			if _, err := e.file.ReadAt(memory, of.offset); err != nil {
				e.fail(err)
				return
			}
			for rest := memory; len(rest) > 0; rest = rest[estimateBytes:] {
				estimate := e.read(rest)
				estimate.Rank = int64(i + 1)
				if !yield(estimate) {
					return
				}
			}
		}
	}
}
