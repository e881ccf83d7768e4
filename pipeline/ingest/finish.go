package ingest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// leadingPart and streamPart are the part numbers of a bucket's files: the events invented before the
// start of the trace, and the trace.
const leadingPart, streamPart = 0, 1

// groupsFor returns the rows of a row group of events and of messages. A row group of every bucket is in memory while the
// trace is read, and a message takes twice the room of an event.
func groupsFor(buckets int) wellformed.Groups {
	rows := lake.GroupRows(buckets)
	return wellformed.Groups{Rows: rows, Messages: rows / 4}
}

// finish writes what is left once the whole trace is woven.
// The order matters: the files of events and messages are closed first, then amended, as an amendment reads them.
// The description comes after, because it counts what the chart has found.
func (in *intake) finish(staging *lake.Staging, outcome *wellformed.Outcome) (map[string][]lake.File, *schema.Run, error) {
	files, err := in.store.close()
	if err != nil {
		return nil, nil, err
	}
	if files["events"], err = in.complete(staging, files["events"], outcome); err != nil {
		return nil, nil, err
	}
	if in.things != nil {
		if err := in.things.finish(files); err != nil {
			return nil, nil, err
		}
	}
	run, err := in.describeIn(staging, files, outcome)
	return files, run, err
}

// describeAndCommit writes the tables about the run, and commits all.
func (in *intake) describeAndCommit(staging *lake.Staging, files map[string][]lake.File, outcome *wellformed.Outcome) (*schema.Run, []schema.Loss, error) {
	run, err := in.describeIn(staging, files, outcome)
	if err != nil {
		return nil, nil, err
	}
	return in.keep(staging, files, run)
}

// made is what the commit has to know of a trace that was woven beside the files.
type made struct {
	Run    *schema.Run
	Hash   string
	Groups [][]int // of buckets
	Losses []schema.Loss
}

// made returns it when the whole trace is woven.
func (in *intake) made(run *schema.Run) made {
	return made{run, in.hashed(), in.places.groups(), in.ledger.Losses(StageName)}
}

// keep commits all tables.
func (in *intake) keep(staging *lake.Staging, files map[string][]lake.File, run *schema.Run) (*schema.Run, []schema.Loss, error) {
	m := in.made(run)
	return run, m.Losses, in.commit(staging, files, m)
}

// describeIn writes the tables about the run and adds their files.
func (in *intake) describeIn(staging *lake.Staging, files map[string][]lake.File, outcome *wellformed.Outcome) (*schema.Run, error) {
	// The table runs has one row; annotations have as many as the trace has notes, often none. Both exist for
	// every run, so that readers need not ask.
	run := in.describe(outcome)
	described, err := lake.Write(staging, "runs", lake.NoBucket, []schema.Run{*run})
	if err != nil {
		return nil, err
	}
	files["runs"] = []lake.File{described}
	said, err := lake.Write(staging, "annotations", lake.NoBucket, outcome.Annotations)
	if err != nil {
		return nil, err
	}
	files["annotations"] = []lake.File{said}
	return run, in.describeClocks(staging, files)
}

// describeClocks writes by how much the clocks of the trace were corrected, where they were, and tells of it.
func (in *intake) describeClocks(staging *lake.Staging, files map[string][]lake.File) error {
	bounds, said := in.clocksFound()
	if in.Say != nil {
		for _, sentence := range said {
			in.Say(sentence)
		}
	}
	if len(bounds) == 0 {
		return nil
	}
	table, err := lake.Write(staging, "clock_bounds", lake.NoBucket, bounds)
	files["clock_bounds"] = []lake.File{table}
	return err
}

// complete adds the events before the start of the trace and amends the buckets that need it.
// Events that were invented for calls which began before the trace lie in part 0 of a bucket, so that they are
// read before the trace itself.
func (in *intake) complete(staging *lake.Staging, files []lake.File, outcome *wellformed.Outcome) ([]lake.File, error) {
	var all []lake.File
	for bucket, rows := range outcome.Leading {
		if rows.Len() == 0 {
			continue
		}
		f, err := writeLeading(staging, bucket, rows, outcome.CodeTables)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	for _, f := range files {
		// A bucket is written once more only if something became known late or was discarded.
		late, drops := outcome.Late[f.Bucket], outcome.Drops[f.Bucket]
		if len(late)+len(drops) > 0 {
			var err error
			if f, err = amend(staging, f, in.store.groups.Rows, late, drops, outcome.CodeTables); err != nil {
				return nil, err
			}
		}
		all = append(all, f)
	}
	sortFiles(all)
	return all, nil
}

// writeLeading writes the events that precede the trace in a bucket. They fit into one table: there is at most one
// for every open call.
func writeLeading(staging *lake.Staging, bucket int, rows *wellformed.Rows, codes *wellformed.CodeTables) (lake.File, error) {
	ev := schema.NewEvents()
	codes.Events(rows, ev)
	f, err := staging.CreateTable("events", bucket, leadingPart, ev)
	if err != nil {
		return lake.File{}, err
	}
	err = f.Finish(ev)
	return f.File, err
}

// describe returns the row of the run. Its counts are those of the chart, after completion and discarding, and not
// those of the input.
func (in *intake) describe(outcome *wellformed.Outcome) *schema.Run {
	if in.things != nil && outcome.Events == 0 { // a trace of signals alone
		outcome.StartNs, outcome.EndNs = in.things.fromNs, in.things.toNs
	}
	return &schema.Run{
		Source: in.sourceText(), Format: in.format.Name, Sha256: in.hashed(), Labels: in.Labels,
		Lines: in.lines, Events: outcome.Events, Executions: outcome.Calls, Messages: outcome.Exchanges,
		Components: int64(outcome.CodeTables.Components()), StartNs: outcome.StartNs, DurationNs: outcome.EndNs - outcome.StartNs,
	}
}

// inBuckets are the tables of a run that lie in buckets from the beginning.
var inBuckets = []string{"events", "messages", "arrivals", "couplings"}

// commit makes the run exist. Tables that were derived from a run of the same name go at the same instant, so that nobody
// takes them for this one's.
// Everything is staged under a preliminary fingerprint; files get the name of the real one as they are moved.
func (j *Job) commit(staging *lake.Staging, files map[string][]lake.File, of made) error {
	have, err := j.Lake.Inventory(lake.Run(j.Run))
	if err != nil {
		return err
	}
	// The hash of the standard input is known only here.
	if err := j.checkReplace(j.standingOf(have, of.Hash)); err != nil {
		return err
	}
	origin := j.origin(of.Hash)
	// (1) Describe the tables. All have one fingerprint.
	var manifests []*lake.Manifest
	for _, table := range slices.Sorted(maps.Keys(files)) {
		m := origin.Manifest(table, nil)
		for _, f := range files[table] {
			m.Files = append(m.Files, staging.Retag(f, m.Fingerprint))
		}
		if slices.Contains(inBuckets, table) {
			m.Groups = of.Groups
		}
		if table == "runs" {
			m.Losses = of.Losses // they stand once, with the description of the run
			m.Folder = j.folder()
		}
		manifests = append(manifests, m)
	}
	// (2) Move the files into their places and replace all that the run had.
	return staging.CommitAll(manifests...)
}

// sortFiles brings files into the order in which they are read: by bucket, then by part.
func sortFiles(files []lake.File) {
	slices.SortFunc(files, func(a, b lake.File) int {
		return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Path, b.Path))
	})
}
