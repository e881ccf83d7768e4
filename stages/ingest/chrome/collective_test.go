package chrome

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// readRank reads the trace of a rank, which is one of several of its run.
func readRank(t *testing.T, text string) (out events) {
	t.Helper()
	r := Format().NewReader(&schema.Reading{
		Traces: []schema.Trace{{FS: fstest.MapFS{"t.json": {Data: []byte(text)}}, Path: "t.json"}}, Memory: 1 << 24, IsPart: true,
		Scratch: func() (schema.Scratch, error) { return new(readertest.Memory), nil }, Ledger: new(schema.Ledger),
	})
	expect.OK(t, r.Read(func(b *schema.Block) (*schema.Block, error) {
		if b == nil {
			return new(schema.Block), nil
		}
		for i := range b.TimeNs {
			out = append(out, event1{r.Keys().At(b.Key[i]), r.Marks()[b.Mark[i]], b.TimeNs[i], b.MessageID[i]})
		}
		b.Reset()
		return b, nil
	}))
	return out
}

// ranked is a program of several ranks, whose clocks are far apart.
type ranked struct {
	*rand.Rand
	lines [][]string // of every rank
	now   []int64    // us, by rank
	done  int64      // collectives so far
	want  []string
}

// collective lets the ranks of a group do something together: each comes when it does, and all leave behind the last.
func (p *ranked) collective(name, group, list string, ranks []int, all bool) {
	var from, until []int64
	last := int64(0)
	for _, r := range ranks {
		p.now[r] += 1 + p.Int64N(50)
		from = append(from, p.now[r])
		last = max(last, p.now[r]-int64(r)*1e6)
	}
	p.done++
	for i, r := range ranks {
		p.now[r] = last + int64(r)*1e6 + 1 + p.Int64N(3)
		until = append(until, p.now[r])
		p.lines[r] = append(p.lines[r], fmt.Sprintf(
			`{"ph":"X","cat":"kernel","name":"nccl%d","pid":%d,"tid":"%s","ts":%d,"dur":%d,"args":{"correlation":%d,"stream":7,"Collective name":%q,"Process Group Name":%q,"Process Group Ranks":%q}}`,
			p.done, r, group, from[i], until[i]-from[i], p.done, name, group, list))
	}
	for i, a := range ranks {
		for k, b := range ranks {
			if all && i != k {
				p.want = append(p.want, fmt.Sprintf("nccl%d %d > %d to %d < %d", p.done, a, from[i]*1000, b, until[k]*1000))
			}
		}
	}
}

// TestCollectives checks that in every collective each rank hears from each other one, in random programs of which every rank knows only itself: of what
// not all wait for, of lists that are cut, and of traces without a rank, nothing is said.
func TestCollectives(t *testing.T) {
	for seed := range uint64(60) {
		p := &ranked{Rand: rand.New(rand.NewPCG(seed, 21))}
		n := 2 + p.IntN(4)
		p.lines, p.now = make([][]string, n), make([]int64, n)
		everybody := p.Perm(n)
		slices.Sort(everybody)
		for r := range n {
			p.now[r] = int64(r) * 1e6
		}
		for range p.IntN(9) {
			list := strings.ReplaceAll(fmt.Sprint(everybody), " ", ", ")
			switch p.IntN(6) {
			case 0:
				p.collective("broadcast", "0", list, everybody, false)
			case 1:
				p.collective("allreduce", "9", "[0, 1, ..., 63]", everybody, false)
			case 2:
				some := everybody[:2]
				p.collective("allreduce", "1", "[0, 1]", some, true)
			default:
				p.collective([]string{"allreduce", "_allgather_base", "barrier"}[p.IntN(3)], "0", list, everybody, true)
			}
		}
		isTold := seed%10 != 9
		if !isTold {
			p.want = nil
		}
		sent, got := map[int64]string{}, []string(nil)
		var received []event1
		for r, lines := range p.lines {
			p.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			where := ""
			if isTold {
				where = fmt.Sprintf(`"distributedInfo":{"backend":"nccl","rank":%d,"world_size":%d},`, r, n)
			}
			for _, e := range readRank(t, `{`+where+`"traceEvents":[`+strings.Join(lines, ",")+`]}`) {
				switch {
				case e.Direction == schema.NoMessage:
				case e.Series != schema.BetweenTraces || e.Label != meetingLabel:
					t.Fatalf("seed %d: message %+v", seed, e)
				case e.Direction == schema.Send:
					sent[e.ID] = fmt.Sprintf("%s %d > %d", e.Function, r, e.TimeNs)
				default:
					e.Label = fmt.Sprint(r)
					received = append(received, e)
				}
			}
		}
		for _, e := range received {
			got = append(got, fmt.Sprintf("%s to %s < %d", sent[e.ID], e.Label, e.TimeNs))
		}
		slices.Sort(got)
		slices.Sort(p.want)
		expect.Slice(t, got, p.want, "seed %d: messages", seed)
		expect.Equal(t, len(sent), len(p.want), "seed %d: what is sent", seed)
	}
}
