package lake_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// leftovers are what killed processes left behind before an operation, by its name.
var leftovers = map[string]func(map[string][]byte){
	"open again": func(files map[string][]byte) { files["_lake.json."+lake.EndedAttempt()+".new"] = nil },
	"stage": func(files map[string][]byte) {
		o := &lake.Origin{Stage: "test", Version: 2}
		files["_work/run=a/test-0123456789abcdef/plan.json"] = []byte("of other options")
		files["_work/run=a/test-"+o.Fingerprint()[:16]+"/"+lake.EndedAttempt()+"/half"] = nil
	},
	"tidy": func(files map[string][]byte) {
		files["numbers/run=a/part-00000-01234567.parquet"] = nil
		files["numbers/run=gone/bucket=3/part-00000-01234567.parquet"] = nil
		files["_lock"] = nil
		files["_manifests/run=a.json."+lake.EndedAttempt()+".new"] = nil
		files["_leases/run=b.1."+lake.EndedAttempt()+".commit"] = nil
		files["_work/run=b/test-0123456789abcdef/"+lake.EndedAttempt()+"/half"] = nil
	},
	"recover": func(files map[string][]byte) {
		files["_leases/run=a.1.json"], files["_leases/run=a.2.json"] = ended(1), ended(2)
		files["_leases/run=a.2."+lake.EndedAttempt()+".commit"] = nil
		files["numbers/run=a/part-00000-01234567.parquet"] = nil
	},
	"remains": func(files map[string][]byte) { files["numbers/run=gone/part-00000-01234567.parquet"] = nil },
}

// answered is the answer of an operation that returns a value, as text.
func answered[T any](value T, err error) (string, error) { return fmt.Sprint(value), err }

// looked are the steps of looking into a lease, in a folder, and of releasing one, which may fail: then the lease expires.
func looked(lease string) string {
	name := "_leases/run=" + lease + ".json"
	return "stamp " + name + "; open " + name + "; read " + name
}

func released(lease string) string { return looked(lease) + "; remove _leases/run=" + lease + ".json" }

// inObjectsOnly is the same in a store of objects, where one step reads a lease with its stamp.
func inObjectsOnly(steps string) string {
	return regexp.MustCompile(`stamp \S+; open \S+; read`).ReplaceAllString(steps, "read")
}

// discarded is what a commit gets over when it is done: what is staged is left, and the lease.
var discarded = looked("a.1") + "; list _leases; " + released("a.1")

// recovered is what a successor gets over: a lease that it cannot read counts as one that changed, and as one that is held, so that it waits.
var recovered = looked("a.1") + "; " + looked("a.2") + "; open _leases/run=a.2.json; read _leases/run=a.2.json; " +
	looked("a.1") + "; " + looked("a.2") + "; " + released("a.3")

// recordOfTask is a record of a task that cannot be read, or files of it: the task is done again.
const recordOfTask = " _work/run=a/test*/done-00000.json; "

var opening = []operation{
	{name: "open", do: func(t *testing.T, c *trial) (string, error) {
		_, err := lake.OpenStorage(c.storage, true)
		return "", err
	}},
	{name: "open again", do: func(t *testing.T, c *trial) (string, error) {
		_, err := lake.OpenStorage(c.storage, true)
		return "", err
	}},
}

var writing = []operation{
	{name: "stage", do: func(t *testing.T, c *trial) (string, error) {
		s, all, err := versioned(c, 2)
		if err != nil {
			return "", err
		}
		if err := s.StorePlan("a plan"); err != nil {
			return "", err
		}
		var plan string
		planned, err := c.lake.Planned("test", run, &plan)
		if err != nil {
			return "", err
		}
		w, err := planned.Spill("spilled")
		if err != nil {
			return "", err
		}
		w.WriteString("spilled bytes")
		spilled, err := w.Finish(0)
		if err != nil {
			return "", err
		}
		bytes, err := planned.ReadSpill(spilled, 2, 5, nil)
		if err != nil {
			return "", err
		}
		rows, err := lake.ReadStaged[number](context.Background(), s, all[1].Files[0])
		if err != nil {
			return "", err
		}
		ev, n := schema.NewEvents(), 0
		if err := s.Scan(all[0].Files[1], ev, func() { n += len(ev.Seq) }); err != nil {
			return "", err
		}
		return fmt.Sprint(plan, string(bytes), rows, n), s.Discard()
	}},
	{name: "commit", without: discarded, do: func(t *testing.T, c *trial) (string, error) { return "", commitVersioned(c, 2) }},
	{name: "commit all", without: discarded, do: func(t *testing.T, c *trial) (string, error) {
		s, all, err := versioned(c, 3)
		if err != nil {
			return "", err
		}
		return "", s.CommitAll(all[1])
	}},
	{name: "commit again", without: discarded, do: func(t *testing.T, c *trial) (string, error) { return "", commitVersioned(c, 1) }},
	{name: "mark done", without: "open _work/run=a/test*/failed-00000.json; open" + recordOfTask + "read" + recordOfTask +
		"open _work/run=a/test*/*/numbers/run=a/bucket=0/part-00000*.parquet; open _work/run=a/test*/*/numbers/run=a/bucket=1/part-00000*.parquet", withoutObjects: "read _work/run=a/test*/failed-00000.json; read" + recordOfTask +
		"open numbers/run=a/bucket=0/part-00000*.parquet; open numbers/run=a/bucket=1/part-00000*.parquet", do: func(t *testing.T, c *trial) (string, error) {
		s, all, err := versioned(c, 2)
		if err != nil {
			return "", err
		}
		if err := s.MarkFailed(0, "it failed"); err != nil {
			return "", err
		}
		if err := s.MarkDone(0, lake.Done{Files: map[string][]lake.File{"numbers": all[1].Files}}); err != nil {
			return "", err
		}
		// The same by another attempt, which finds the record.
		return "", s.Attempt().MarkDone(0, lake.Done{Answer: []byte("another")})
	}},
	{name: "measured", do: func(t *testing.T, c *trial) (string, error) {
		if err := c.lake.StoreMeasured("test", run, lake.Measured{Fingerprint: "known", Tasks: []*lake.Cost{{CPUNs: 7}}}); err != nil {
			return "", err
		}
		m, err := c.lake.Measured("test", run, "known")
		if err != nil {
			return "", err
		}
		return fmt.Sprint(m.Tasks[0].CPUNs), nil
	}},
	{name: "drop tables", without: released("a.1"), do: func(t *testing.T, c *trial) (string, error) {
		return "", c.lake.DropTables(context.Background(), run, "numbers")
	}},
	{name: "drop", without: released("a.1"), do: func(t *testing.T, c *trial) (string, error) { return "", c.lake.Drop(context.Background(), run) }},
	{name: "tidy", without: released("a.1") + "; " + released("b.1") + "; " + released("gone.1"), withoutObjects: "changed numbers/run=a/part-00000*.parquet; " + inObjectsOnly(released("a.1")+"; "+released("b.1")) +
		"; changed numbers/run=gone/bucket=3/part-00000*.parquet; " + inObjectsOnly(released("gone.1")), do: func(t *testing.T, c *trial) (string, error) {
		_, err := c.lake.Tidy(context.Background())
		return "", err
	}},
	{name: "recover", without: recovered, withoutObjects: inObjectsOnly(looked("a.1") + "; " + looked("a.2") + "; " + looked("a.1") + "; " + looked("a.2") + "; " + released("a.3")), do: func(t *testing.T, c *trial) (string, error) { return "", c.lake.Recover(run) }},
}

var reading = []operation{
	{name: "inventory", do: func(t *testing.T, c *trial) (string, error) { return answered(c.lake.PartitionFiles("run=a")) }},
	{name: "files", do: func(t *testing.T, c *trial) (string, error) { return answered(c.lake.Files()) }},
	{name: "partitions", do: func(t *testing.T, c *trial) (string, error) { return answered(c.lake.Partitions("run")) }},
	{name: "stamps", do: func(t *testing.T, c *trial) (string, error) {
		stamps, err := c.lake.Stamps()
		return fmt.Sprint(len(stamps)), err
	}},
	{name: "newest", do: func(t *testing.T, c *trial) (string, error) { return c.lake.Newest("run", "numbers") }},
	{name: "remains", do: func(t *testing.T, c *trial) (string, error) { return answered(c.lake.Remains(lake.Run("gone"))) }},
	{name: "measured before", do: func(t *testing.T, c *trial) (string, error) {
		m, err := c.lake.Measured("test", run, "known")
		return fmt.Sprint(m != nil), err
	}},
	{name: "rows", do: func(t *testing.T, c *trial) (string, error) {
		return answered(lake.Read[number](c.lake, "numbers", run))
	}},
	{name: "each row", do: func(t *testing.T, c *trial) (string, error) {
		var all []number
		err := lake.ReadEach(c.lake, "numbers", run, func(n *number) { all = append(all, *n) })
		return fmt.Sprint(all), err
	}},
	{name: "rows of buckets", do: func(t *testing.T, c *trial) (string, error) {
		var all []number
		err := lake.ReadBuckets(c.lake, "numbers", run, func(_ int, rows []number) { all = append(all, rows...) })
		return fmt.Sprint(all), err
	}},
	{name: "scan", do: func(t *testing.T, c *trial) (string, error) {
		ev, n := schema.NewEvents(), 0
		err := c.lake.ScanTable(t.Context(), "events", "a", ev, lake.ScanOptions{}, func() error { n += len(ev.Seq); return nil })
		return fmt.Sprint(n), err
	}},
	{name: "scan in order", do: func(t *testing.T, c *trial) (string, error) {
		ev, n := schema.NewEvents(), 0
		err := c.lake.ScanEvents(t.Context(), "a", ev, lake.ScanOptions{}, func() error { n += len(ev.Seq); return nil })
		return fmt.Sprint(n), err
	}},
	{name: "scan what is chosen", do: func(t *testing.T, c *trial) (string, error) {
		ev, n := schema.NewEvents(), 0
		choice := lake.Choice{Columns: []string{"kind"}, Rows: func(_ *schema.Events, _ int, _ bool, wanted []int) []int { return append(wanted, 0) }}
		err := c.lake.ScanChosen(t.Context(), "a", ev, choice, lake.ScanOptions{}, func() error { n += len(ev.Seq); return nil })
		return fmt.Sprint(n), err
	}},
	{name: "scan windows", do: func(t *testing.T, c *trial) (string, error) {
		m, err := c.lake.Table("events", run)
		if err != nil {
			return "", err
		}
		n := 0
		err = c.lake.ScanWindows(t.Context(), m.Files, schema.NewEvents().Names, 7, lake.ScanOptions{}, func(_, _ int64, parts []lake.Part) error {
			for _, p := range parts {
				n += p.To - p.From
			}
			return nil
		})
		return fmt.Sprint(n), err
	}},
	{name: "two readers", do: func(t *testing.T, c *trial) (string, error) {
		m, err := c.lake.Table("events", run)
		if err != nil {
			return "", err
		}
		first, second := schema.NewEvents(), schema.NewEvents()
		r, err := c.lake.Reader(m.Files[0], first)
		if err != nil {
			return "", err
		}
		defer r.Close()
		again, err := c.lake.ReaderOf(m.Files[0], r.Footer(), second, "seq")
		if err != nil {
			return "", err
		}
		defer again.Close()
		if err := errors.Join(r.Read(1), again.Read(2)); err != nil {
			return "", err
		}
		return fmt.Sprint(first.Seq, second.Seq), nil
	}},
	{name: "verify", do: func(t *testing.T, c *trial) (string, error) {
		v, err := c.lake.Verify(t.Context(), nil, nil)
		if err != nil {
			return "", err
		}
		for _, d := range v.Damages { // what cannot be read is damaged
			err = errors.Join(err, fmt.Errorf("%s: %s", d.File, d.Problem))
		}
		return fmt.Sprint(v.Files, v.Bytes, v.Manifests), err
	}},
	{name: "mirror", do: func(t *testing.T, c *trial) (string, error) {
		names, err := c.lake.Mirror(t.Context(), t.TempDir(), []string{"events", "numbers"})
		for _, of := range names {
			slices.Sort(of)
		}
		return fmt.Sprint(names), err
	}},
}

// ended is the lease of a process that has ended, with a token of its own.
func ended(n int) []byte {
	return fmt.Appendf(nil, `{"host":"h","machine":%q,"pid":%d,"started":"1","token":"t%d"}`, lake.Machine, 1<<22+n, n)
}
