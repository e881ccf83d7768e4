package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/testdata/expect"
)

// requirements is a trace with everything that ETF has, its lines in no order.
const requirements = `F 7 2 4.5 25.125 -0.5 0.25
D 8 2 0 2;weight=0.5, why=data
D 9 2 2 0;
C 2 4.75 7.75 0 1;name=B, id=0
T system=pipeline, seed = 100
TU MILLISECONDS
R 6 100.5 true;name=M1
R 0 1 false;name=CPU
C 0 0 4.75 0 1;name=A, id=0, id=1
C 1 0 4.75 6 3.5 20;name=A
E 70 8;name=out
E 71 4.75;name=in, id=0
D 1 5 70 2;
D 2 8 2 99;
S 7;name=temperature, unit=K
F 7 0 2 40 -1.75 0.0
TS 0;name=t
TSP 0 0 1
`

// told are the tables of things of the run a, a row a line.
func toldThings(t *testing.T, l *lake.Lake) string {
	t.Helper()
	var out strings.Builder
	ctx, all := t.Context(), lake.ScanOptions{}
	attributes := schema.NewAttributes(&schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)})
	expect.OK(t, l.ScanTable(ctx, "attributes", "a", attributes, all, func() error {
		for i, about := range attributes.About {
			fmt.Fprintln(&out, schema.AttributeOfWords[about], attributes.Ref[i], attributes.Texts.Names.Name(attributes.Name[i]), attributes.Texts.Values.Name(attributes.Value[i]))
		}
		return nil
	}))
	fmt.Fprintln(&out, expect.Value(lake.Read[schema.Resource](l, "resources", lake.Run("a")))(t))
	c := new(schema.Claims)
	expect.OK(t, l.ScanTable(ctx, "claims", "a", c, all, func() error {
		for i := range c.ID {
			fmt.Fprintln(&out, "claim", c.Execution[i], c.ID[i], c.Resource[i], c.Amount[i], c.Place[i])
		}
		return nil
	}))
	d := new(schema.Dependencies)
	expect.OK(t, l.ScanTable(ctx, "dependencies", "a", d, all, func() error {
		for i := range d.Type {
			fmt.Fprintln(&out, "dependency", d.Dependency[i], d.Type[i], d.Source[i], d.Target[i], d.SourceNs[i], d.TargetNs[i], d.Weight[i])
		}
		return nil
	}))
	for _, s := range expect.Value(lake.Read[schema.Signal](l, "signals", lake.Run("a")))(t) {
		fmt.Fprintln(&out, "signal", s.Signal, s.Name, s.Origin, *s.Unit, s.StepNs)
	}
	f := new(schema.SignalFragments)
	expect.OK(t, l.ScanTable(ctx, "fragments_of_signals", "a", f, all, func() error {
		for i := range f.Signal {
			fmt.Fprintln(&out, "fragment", f.Signal[i], f.FromNs[i], f.ToNs[i], f.C[i], f.B[i], f.A[i])
		}
		return nil
	}))
	return out.String()
}

// TestThings ingests attributes, resources, claims, dependencies in both orders of time and with events, and signals. A
// dependency of a claim that is not there is none.
func TestThings(t *testing.T) {
	want := `trace -9223372036854775808 system pipeline
trace -9223372036854775808 seed 100
resource 0 name CPU
resource 6 name M1
claim 0 name A
claim 0 id 1
claim 1 name A
event 4 name in
event 4 id 0
claim 5 name B
claim 5 id 0
event 7 name out
dependency 0 weight 0.5
dependency 0 why data
signal 7 name temperature
signal 7 unit K
[{0 CPU 1 false} {6 M1 100.5 true}]
claim 0 0 0 1 NaN
claim 1 1 6 20 3.5
claim 5 2 0 1 NaN
dependency 0 2 2 5 4750000 4750000 0.5
dependency 1 2 6 0 7750000 0 NaN
dependency 2 5 7 5 8000000 4750000 NaN
signal 7 temperature trace K 1000000
fragment 7 0 2000000 40 -1.75 0
fragment 7 2000000 4500000 25.125 -0.5 0.25
`
	for _, memory := range []int64{1 << 30, 1 << 16} {
		j := job(t, write(t, "t.etf", requirements))
		j.Detect = func(string, []byte) (schema.Format, error) { return etf.Format(), nil }
		j.Memory = memory
		run, losses := ingested(t, j)
		expect.Equal(t, run.Events, int64(8), "events")
		expect.Equal(t, toldThings(t, j.Lake), want, "things")
		var reasons []string
		for _, loss := range losses {
			reasons = append(reasons, fmt.Sprint(loss.Count, " ", loss.Reason))
		}
		expect.Slice(t, reasons, []string{"1 received_before_sent", "1 skipped_record", "1 skipped_record", "1 undefined_token"}, "losses")
	}
}

// TestThingsOnly ingests a trace of signals alone, and one without anything that has attributes, whose run has no such tables.
func TestThingsOnly(t *testing.T) {
	ingestETF := func(text string) (ingest.Job, *schema.Run) {
		j := job(t, write(t, "t.etf", text))
		j.Memory, j.Detect = 1<<20, func(string, []byte) (schema.Format, error) { return etf.Format(), nil }
		run, _ := ingested(t, j)
		return j, run
	}
	_, run := ingestETF("S 0;\nF 0 1 3 0 0 0\n")
	expect.Deep(t, []int64{run.Events, run.StartNs, run.DurationNs}, []int64{0, 1e9, 2e9}, "events, start and duration of signals")
	j, _ := ingestETF("E 0 5;\n")
	have := expect.Value(j.Lake.Inventory(lake.Run("a")))(t)
	var tables []string
	for _, m := range have.Tables {
		tables = append(tables, m.Table)
	}
	slices.Sort(tables)
	expect.Slice(t, tables, []string{"annotations", "arrivals", "events", "messages", "runs"}, "tables")
}
