package lake

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Choice says which events a scan wants. Only the columns by which it chooses are read of all events.
type Choice struct {
	Columns []string // by which rows are chosen
	// Rows appends the positions of the rows of a row group that are wanted, in their order. Row groups of a bucket come in the order of
	// the trace, and last says that this one is the last of its bucket.
	Rows func(ev *schema.Events, bucket int, last bool, wanted []int) []int
}

// ScanChosen is ScanEvents for the events of a choice. The other columns of a row group are read only where a row of it is wanted, and
// memory is a row group and the wanted rows of a row group of every bucket. The meter counts all rows.
func (l *Lake) ScanChosen(ctx context.Context, run string, into *schema.Events, c Choice, o ScanOptions, f func() error) error {
	m, err := l.Table("events", Run(run))
	if err != nil {
		return err
	}
	columns := o.Columns
	if len(columns) > 0 && !slices.Contains(columns, "seq") {
		columns = append(slices.Clone(columns), "seq")
	}
	merger := &bucketMerger{
		out: into, by: "seq", visit: f,
		chooser: &chooser{
			Choice: c, ctx: ctx, meter: o.Meter, by: &schema.Events{Names: into.Names}, rest: &schema.Events{Names: into.Names},
		},
	}
	defer merger.close()
	return merger.scan(l, m.Files, columns)
}

// chooser chooses rows of row groups, of one bucket at a time.
type chooser struct {
	Choice
	ctx    context.Context
	meter  Meter
	by     *schema.Events // holds the columns by which rows are chosen
	rest   *schema.Events // holds the others
	wanted []int
}

// openChosen opens a file for two readers: of the columns by which rows are chosen, and of the others.
func (b *bucketRows) openChosen(f File) error {
	var rest []string
	for _, c := range b.columns {
		if (len(b.names) == 0 || slices.Contains(b.names, c.Name)) && !slices.Contains(b.chooser.Columns, c.Name) {
			rest = append(rest, c.Name)
		}
	}
	r, err := b.lake.Reader(f, b.chooser.rest, rest...)
	if err != nil {
		return err
	}
	b.reader, b.group = r, 0
	b.choosing, err = r.Beside(b.chooser.by, b.chooser.Columns...)
	return err
}

// readChosen reads the rows of the next row group that are wanted, or says that the file has none any more.
func (b *bucketRows) readChosen() (more bool, err error) {
	c := b.chooser
	schema.Reset(b.rows)
	if b.group == b.choosing.Groups() {
		return false, nil
	}
	if err := c.ctx.Err(); err != nil {
		return false, err
	}
	if err := b.choosing.Read(b.group); err != nil {
		return false, err
	}
	b.group++
	if c.meter != nil {
		c.meter.Advance(b.choosing.Rows())
	}
	c.wanted = c.Rows(c.by, b.number, len(b.files) == 0 && b.group == b.choosing.Groups(), c.wanted[:0])
	if len(c.wanted) == 0 {
		return true, nil
	}
	if err := b.reader.Read(b.group - 1); err != nil {
		return false, err
	}
	schema.AppendPicked(b.rows, c.by, c.wanted)
	schema.AppendPicked(b.rows, c.rest, c.wanted)
	return true, nil
}
