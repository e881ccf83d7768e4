package spans

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// kinds are the words of a story.
var kinds = map[string]Kind{"-": Unspecified, "internal": Internal, "server": Server, "client": Client, "producer": Producer, "consumer": Consumer}

// parseLines reads the spans of a story, a line each:
//
//	trace id parent kind service[@instance] name start end [follows] [link=trace/id]...
//
// Ids are numbers or "-", times are numbers or "?".
func parseLines(c *Collector, r io.Reader, file string) error {
	in := bufio.NewScanner(r)
	for line := int64(1); in.Scan(); line++ {
		f := strings.Fields(in.Text())
		if len(f) == 0 {
			continue
		}
		service, instance, _ := strings.Cut(f[4], "@")
		s := Span{
			Trace: TraceID{0, number(f[0])}, ID: number(f[1]), Parent: number(f[2]), Kind: kinds[f[3]],
			Service: c.Code([]byte(service)), Instance: c.Code([]byte(instance)), Name: c.Code([]byte(f[5])),
			StartNs: instant(f[6]), EndNs: instant(f[7]), Follows: len(f) > 8 && f[8] == "follows",
		}
		for _, more := range f[8:] {
			if to, is := strings.CutPrefix(more, "link="); is {
				trace, id, _ := strings.Cut(to, "/")
				if err := c.AddLink(TraceID{0, number(trace)}, number(id), &s, func(err error) *schema.SyntaxError {
					return &schema.SyntaxError{File: file, Line: line, Col: 1, Err: err}
				}); err != nil {
					return err
				}
			}
		}
		if err := c.Add(s, func(err error) *schema.SyntaxError {
			return &schema.SyntaxError{File: file, Line: line, Col: 1, Err: err}
		}); err != nil {
			return err
		}
	}
	return in.Err()
}

// number is 0 where there is none.
func number(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}

// instant is Unknown where there is none.
func instant(s string) int64 {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	return Unknown
}

// collected is what a reader gave out, with the keys and marks in place of their numbers.
type collected struct {
	events []got
	losses []schema.Loss
}

type got struct {
	timeNs int64
	key    schema.EventKey
	mark   schema.MessageMark
	id     int64
}

func (g got) String() string {
	s := fmt.Sprintf("%d %s %s %s", g.timeNs, g.key.Lifeline, []string{">", "<", "="}[g.key.Kind], g.key.Function)
	if g.mark.Direction != schema.NoMessage {
		s += fmt.Sprintf(" %s%s%d %s", []string{"", "!", "?", "opens ", "waits for "}[g.mark.Direction], g.mark.Series, g.id, g.mark.Label)
	}
	return s
}

func readWith(t testing.TB, parse Parse, text string, reading schema.Reading) collected {
	t.Helper()
	out := expect.Value(tryRead(parse, text, reading))(t)
	return out
}

func tryRead(parse Parse, text string, reading schema.Reading) (out collected, err error) {
	out, _, err = readAll(parse, text, reading)
	return out, err
}

func readAll(parse Parse, text string, reading schema.Reading) (out collected, r schema.Reader, err error) {
	reading.Traces = []schema.Trace{{FS: fstest.MapFS{"story": {Data: []byte(text)}}, Path: "story"}}
	reading.Ledger = new(schema.Ledger)
	if reading.Scratch == nil {
		reading.Scratch = func() (schema.Scratch, error) { return new(readertest.Memory), nil }
	}
	r = NewReader(&reading, parse)
	block := new(schema.Block)
	err = r.Read(func(full *schema.Block) (*schema.Block, error) {
		if full != nil {
			keys, marks := r.Keys(), r.Marks()
			for i, k := range full.Key {
				out.events = append(out.events, got{full.TimeNs[i], keys.At(k), marks[full.Mark[i]], full.MessageID[i]})
			}
		}
		block.Reset()
		return block, nil
	})
	out.losses = reading.Ledger.Losses("")
	return out, r, err
}

func story(t testing.TB, text string) collected {
	return readWith(t, parseLines, text, schema.Reading{})
}

func (c collected) String() string {
	var s strings.Builder
	for _, e := range c.events {
		fmt.Fprintln(&s, e)
	}
	for _, l := range c.losses {
		fmt.Fprintf(&s, "%d %s %s\n", l.Count, l.Reason, l.FirstPosition)
	}
	return s.String()
}
