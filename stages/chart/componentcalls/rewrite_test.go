package componentcalls_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/componentcalls"
	"github.com/tracelake/tracelake/testdata/expect"
)

// trace makes blocks of lines "THREAD COMPONENT >|<|* FUNCTION [!|?id]"; times count up.
type trace struct {
	keys  []schema.EventKey
	marks []schema.MessageMark
}

func (tr *trace) block(text string) *schema.Block {
	b := new(schema.Block)
	if tr.marks == nil {
		tr.marks = []schema.MessageMark{{}, {Direction: schema.Send, Series: "own", Label: "own"}, {Direction: schema.Receive, Series: "own", Label: "own"}}
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		k := schema.EventKey{Lifeline: f[0], Component: f[1], Function: f[3], Kind: schema.Kind(strings.Index("><*", f[2]))}
		at := -1
		for j := range tr.keys {
			if tr.keys[j] == k {
				at = j
			}
		}
		if at < 0 {
			at = len(tr.keys)
			tr.keys = append(tr.keys, k)
		}
		mark, id := schema.NoMark, int64(schema.NoValue)
		if len(f) > 4 {
			mark = uint32(1 + strings.Index("!?", f[4][:1]))
			fmt.Sscan(f[4][1:], &id)
		}
		b.TimeNs = append(b.TimeNs, int64(10*i))
		b.Key, b.Mark, b.MessageID = append(b.Key, uint32(at)), append(b.Mark, mark), append(b.MessageID, id)
	}
	return b
}

// told writes a block of a Rewriter.
func told(c *componentcalls.Rewriter, b *schema.Block) string {
	var out strings.Builder
	for i, k := range b.Key {
		key, mark := c.Keys().At(k), c.Marks()[b.Mark[i]]
		fmt.Fprintf(&out, "%d %s %s %c %s", b.TimeNs[i], key.Lifeline, key.Component, "><*"[key.Kind], key.Function)
		if b.Mark[i] != schema.NoMark {
			fmt.Fprintf(&out, " %c%s%d", " !?"[mark.Direction], mark.Series, b.MessageID[i])
		}
		out.WriteByte('\n')
	}
	for _, n := range b.Notes {
		fmt.Fprintf(&out, "note %d %s\n", n.Row, n.Value)
	}
	return out.String()
}

func crossed(c *componentcalls.Rewriter, tr *trace, b *schema.Block, number int) string {
	out := new(schema.Block)
	c.Rewrite(b, out, number, schema.EventKeys(tr.keys), tr.marks)
	return told(c, out)
}

func cross(text string) string {
	c, tr := componentcalls.New(), new(trace)
	b := tr.block(text)
	return crossed(c, tr, b, 0)
}

func TestStories(t *testing.T) {
	for _, story := range []struct{ what, trace, want string }{
		{"a call between components is four rows", `
T a > f
T b > g
T b < g
T a < f`, `
0 a/T a > f
10 a/T a > g !call1
10 b/T b > g ?call1
20 b/T b < g !return2
20 a/T a < g ?return2
30 a/T a < f`},
		{"a call within a component stays", `
T a > f
T a > g
T a < g
T a < f`, `
0 a/T a > f
10 a/T a > g
20 a/T a < g
30 a/T a < f`},
		{"a callback comes back to the lifeline that waits", `
T a > f
T b > g
T a > h
T a < h
T b < g
T a < f`, `
0 a/T a > f
10 a/T a > g !call1
10 b/T b > g ?call1
20 b/T b > h !call2
20 a/T a > h ?call2
30 a/T a < h !return3
30 b/T b < h ?return3
40 b/T b < g !return4
40 a/T a < g ?return4
50 a/T a < f`},
		{"threads are apart, and a message of the trace's own stands behind the call's", `
T a > f
U b > g
T b > g ?7
T b * g !8
T b < g !9
U b < g
T a < f`, `
0 a/T a > f
10 b/U b > g
20 a/T a > g !call1
20 b/T b > g ?call1
20 b/T b * g ?own7
30 b/T b * g !own8
40 b/T b < g !return2
40 b/T b * g !own9
40 a/T a < g ?return2
50 b/U b < g
60 a/T a < f`},
		{"a lifeline without threads keeps its name, an exit without a call stays as it is", `
a a > f
a a < f
a a < f`, `
0 a a > f
10 a a < f
20 a a < f`},
	} {
		expect.Equal(t, cross(story.trace), strings.TrimLeft(story.want, "\n")+"\n", "%s", story.what)
	}
}

// TestNotesFollow puts notes on events and messages whose rows move.
func TestNotesFollow(t *testing.T) {
	c, tr := componentcalls.New(), new(trace)
	b := tr.block("T a > f\nT b > g ?7\nT b < g")
	b.Notes = []schema.Note{
		{Row: schema.NoRow, About: schema.AboutTrace, Value: "trace"}, {Row: 2, About: schema.AboutEvent, Value: "exit"},
		{Row: 1, About: schema.AboutMessage, Value: "message"}, {Row: 1, About: schema.AboutEvent, Value: "enter"},
	}
	got := crossed(c, tr, b, 0)
	if want := "note -1 trace\nnote 4 exit\nnote 3 message\nnote 2 enter\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// TestCutsDoNotMatter crosses a random trace in one block and in many, by one parser and by two.
func TestCutsDoNotMatter(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	var lines []string
	stacks := make(map[string][]string)
	for range 3000 {
		thread := string(rune('T' + random.Intn(3)))
		if s := stacks[thread]; len(s) > 0 && random.Intn(2) == 0 {
			lines = append(lines, thread+" "+strings.Replace(s[len(s)-1], " ", " < ", 1))
			stacks[thread] = s[:len(s)-1]
			continue
		}
		call := fmt.Sprintf("%c f%d", 'a'+random.Intn(4), random.Intn(5))
		stacks[thread] = append(stacks[thread], call)
		lines = append(lines, thread+" "+strings.Replace(call, " ", " > ", 1))
	}
	whole, tr := componentcalls.New(), new(trace)
	text := strings.Join(lines, "\n")
	want := strip(crossed(whole, tr, tr.block(text), 0))
	parts, parsers := componentcalls.New(), []*trace{new(trace), new(trace)}
	got := ""
	for i := 0; i < len(lines); i += 7 {
		number := i % 2
		b := parsers[number].block(strings.Join(lines[i:min(i+7, len(lines))], "\n"))
		got += strip(crossed(parts, parsers[number], b, number))
	}
	expect.Equal(t, got, want, "blocks of seven events, and one block")
	if strings.Count(want, "!call") == 0 || strings.Count(want, "!call") != strings.Count(want, "?call") {
		t.Error("calls are not sent and received")
	}
}

// strip leaves the times out, which depend on the cuts in this test.
func strip(text string) string {
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		_, rest, _ := strings.Cut(line, " ")
		out.WriteString(rest + "\n")
	}
	return out.String()
}

// coded returns the keys of a trace by numbers of their names: a lifeline has one, a function or component a number a key.
func coded(keys []schema.EventKey) schema.KeyList {
	var out schema.CodedKeys
	lifelines := make(map[string]uint32)
	for _, k := range keys {
		on, known := lifelines[k.Lifeline]
		if !known {
			on = out.AddName(k.Lifeline)
			lifelines[k.Lifeline] = on
		}
		out.Add(schema.CodedKey{Lifeline: on, Component: out.AddName(k.Component), Function: out.AddName(k.Function), Kind: k.Kind, Synthetic: k.Synthetic})
	}
	return out
}

// TestCodedKeys rewrites a random trace whose parsers number the names of their keys, and others do not: the events are the same.
func TestCodedKeys(t *testing.T) {
	random := rand.New(rand.NewSource(5))
	plain, numbered, mixed := componentcalls.New(), componentcalls.New(), componentcalls.New()
	parsers := []*trace{new(trace), new(trace)}
	for i := range 300 {
		var lines []string
		for range 5 {
			lines = append(lines, fmt.Sprintf("%c %c %s f%d", 'T'+rune(random.Intn(3)), 'a'+rune(random.Intn(3)), []string{">", "<", "*"}[random.Intn(3)], random.Intn(3)))
		}
		number := 0
		if i > 50 { // at first one parser is alone
			number = random.Intn(2)
		}
		tr := parsers[number]
		b := tr.block(strings.Join(lines, "\n"))
		want := crossed(plain, tr, b, number)
		out := new(schema.Block)
		numbered.Rewrite(b, out, number, coded(tr.keys), tr.marks)
		expect.Equal(t, told(numbered, out), want, "block %d, coded", i)
		keys := coded(tr.keys)
		if number == 1 {
			keys = schema.EventKeys(tr.keys)
		}
		mixed.Rewrite(b, out, number, keys, tr.marks)
		expect.Equal(t, told(mixed, out), want, "block %d, one of two parsers coded", i)
	}
}
