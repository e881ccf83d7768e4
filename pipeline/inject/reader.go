package inject

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Keys implements schema.Reader.
func (tr *trace) Keys() schema.KeyList { return schema.EventKeys(tr.keys) }

// Marks implements schema.Reader.
func (tr *trace) Marks() []schema.MessageMark { return tr.marks }

// Read implements schema.Reader: the events by their changed times, each with its further messages behind it.
func (tr *trace) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	block, err := emit(nil)
	if err != nil {
		return err
	}
	for _, e := range tr.inTime() {
		end := len(tr.seq)
		if int(e)+1 < len(tr.row) {
			end = int(tr.row[e+1])
		}
		for row := int(tr.row[e]); row < end; row++ {
			block.TimeNs, block.Key = append(block.TimeNs, tr.changedNs[e]), append(block.Key, tr.key[row])
			block.Mark, block.MessageID = append(block.Mark, tr.mark[row]), append(block.MessageID, tr.id[row])
		}
		if len(block.Key) >= schema.BlockEvents {
			if block, err = emit(block); err != nil {
				return err
			}
		}
	}
	_, err = emit(block)
	return err
}

// inTime returns the events in the order of their changed times, and of equal times in that of the trace. Events of a lifeline keep
// their order also where its times run back: none comes before one that the trace has before it.
func (tr *trace) inTime() []int32 {
	latest := make([]int64, len(tr.stacks)) // by lifeline
	turn, order := make([]int64, len(tr.row)), make([]int32, len(tr.row))
	begun := make([]bool, len(tr.stacks))
	for e, l := range tr.lifeline {
		turn[e], order[e] = tr.changedNs[e], int32(e)
		if begun[l] {
			turn[e] = max(turn[e], latest[l])
		}
		latest[l], begun[l] = turn[e], true
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(turn[a], turn[b]) })
	return order
}
