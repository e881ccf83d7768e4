package ingest

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// amend writes a bucket's events once more, with the peers that became known late and without the rows
// that were discarded. Few traces need it: a message must stay under way for a whole row group of its
// sender's bucket, or a call for ever under --incomplete discard.
// The rows keep their order; the new file replaces the old one in the manifest, and the old one goes with the
// staging area.
func amend(staging *lake.Staging, f lake.File, groupRows int, late []wellformed.Patch, drops []int64, codes *wellformed.CodeTables) (lake.File, error) {
	ev := schema.NewEvents()
	in, err := staging.Reader(f, ev)
	if err != nil {
		return f, err
	}
	defer in.Close()
	kept := schema.NewEvents()
	kept.Names = ev.Names // so that rows are copied as codes
	out, err := staging.CreateTable("events", f.Bucket, amendedPart, kept)
	if err != nil {
		return f, err
	}
	out.SetGroupRows(groupRows)
	defer out.Abandon()
	peers := make(map[int64]uint32, len(late))
	for _, p := range late {
		peers[p.Seq] = p.Peer
	}
	for {
		more, err := in.Next()
		if err != nil {
			return f, err
		}
		if !more {
			break
		}
		patch(ev, peers, codes)
		drops = keep(kept, ev, drops)
		if err := out.WriteFull(kept); err != nil {
			return f, err
		}
	}
	if err := out.Finish(kept); err != nil {
		return f, err
	}
	return out.File, nil
}

// patch sets the peers of rows that became known late, by their sequence numbers.
// Without late peers it costs nothing; otherwise it looks up every row.
func patch(ev *schema.Events, peers map[int64]uint32, codes *wellformed.CodeTables) {
	if len(peers) == 0 {
		return
	}
	for i, seq := range ev.Seq {
		if peer, late := peers[seq]; late {
			ev.Peer[i] = optionalCode(&ev.Names.Components, codes.Component(peer))
		}
	}
}

// amendedPart is the part number of a bucket that was written once more.
const amendedPart = 2

// optionalCode returns the code of a name, or NoCode for no name.
func optionalCode(d *schema.Dictionary, name string) schema.Code {
	if name == "" {
		return schema.NoCode
	}
	return d.Code(name)
}

// keep appends to kept the rows of a row group but those in drops, and returns the drops beyond it.
// The rows between two drops are copied at once. Rows and drops are in the order of their sequence numbers.
func keep(kept, ev *schema.Events, drops []int64) []int64 {
	from, n := 0, len(ev.Seq)
	for len(drops) > 0 {
		at, found := slices.BinarySearch(ev.Seq, drops[0])
		if !found {
			break
		}
		schema.AppendRows(kept, ev, from, at)
		from, drops = at+1, drops[1:]
	}
	schema.AppendRows(kept, ev, from, n)
	return drops
}
