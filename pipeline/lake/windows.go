package lake

import (
	"context"
	"sort"

	"github.com/tracelake/tracelake/schema"
)

// Part is the rows from From to To-1 of a row group of a bucket.
type Part struct {
	Bucket   int
	Rows     *schema.Events
	From, To int
}

// ScanWindows goes through the events of several buckets side by side, in windows of the trace: f gets the events whose sequence
// numbers are from lo to hi-1, which are at most so many, bucket by bucket. That takes no merge: who wants the events of a window in
// their order has an array of it. The files of a bucket stand together. All tables have the same names. Memory is a row group of every bucket.
func (l *Lake) ScanWindows(
	ctx context.Context, files []File, names *schema.Names, most int64, o ScanOptions, f func(lo, hi int64, parts []Part) error,
) error {
	g := &bucketMerger{by: "seq", out: &schema.Events{Names: names}}
	defer g.close()
	if _, err := g.open(l, files, o.Columns); err != nil {
		return err
	}
	var parts []Part
	for ctx.Err() == nil {
		lo, hi, any := g.window(most)
		if !any {
			return nil
		}
		parts = parts[:0]
		rows := int64(0)
		for _, b := range g.buckets {
			from, left := b.next, (*b.keys)[b.next:]
			b.next += sort.Search(len(left), func(i int) bool { return left[i] >= hi })
			if b.next > from {
				parts = append(parts, Part{b.number, b.rows.(*schema.Events), from, b.next})
				rows += int64(b.next - from)
			}
		}
		if err := f(lo, hi, parts); err != nil {
			return err
		}
		if o.Meter != nil {
			o.Meter.Advance(rows)
		}
		for _, b := range g.buckets {
			if b.next == len(*b.keys) {
				if err := b.load(); err != nil {
					return err
				}
			}
		}
	}
	return ctx.Err()
}

// window is the next sequence numbers of which all buckets have the rows in hand, at most so many; any is false at the end.
func (g *bucketMerger) window(most int64) (lo, hi int64, any bool) {
	for _, b := range g.buckets {
		keys := *b.keys
		if b.next == len(keys) {
			continue
		}
		first, end := keys[b.next], keys[len(keys)-1]+1
		if !any {
			lo, hi, any = first, end, true
		}
		lo, hi = min(lo, first), min(hi, end)
	}
	return lo, min(hi, lo+most), any
}
