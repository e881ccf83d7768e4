package otf1

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

var (
	fast    = []string{"curl-8.14.1", "http-fast", "run-01"}
	slow    = []string{"curl-8.14.1", "http-slow20ms", "run-01"}
	netpipe = []string{"netpipe-2ranks"}
	merged  = []string{"variants", "merged-1stream"}
	long    = []string{"variants", "longformat"}
	mergeZ  = []string{"variants", "otfmerge-z"}
	comprZ  = []string{"variants", "otfcompress-z"}
)

// TestRecorded counts what the recordings are known to hold.
func TestRecorded(t *testing.T) {
	for _, c := range []struct {
		parts                         []string
		enters, messages, collectives int
		components                    int
	}{
		{fast, 5959, 0, 0, 92},
		{slow, 6067, 0, 0, 92},
		{merged, 6046, 0, 0, 92},
		{netpipe, 15058, 7424, 196, 3},
		{long, 15058, 7424, 196, 3},
		{mergeZ, 15058, 7424, 196, 3},
		{comprZ, 15058, 7424, 196, 3},
	} {
		out := readRecording(t, c.parts)
		var kinds [3]int
		var directions [schema.Scans + 1]int
		seen := make(map[string]bool)
		for _, e := range out.Events {
			if directions[e.Mark.Direction]++; schema.Couples(e.Mark.Direction) {
				continue
			}
			kinds[e.Key.Kind]++
			seen[e.Key.Component] = true
		}
		if kinds != [3]int{c.enters, c.enters, 0} || directions[schema.Send] != c.messages || directions[schema.Receive] != c.messages {
			t.Errorf("%v: enters, exits, messages %v; sends, receives %v", c.parts, kinds, directions[1:])
		}
		expect.Equal(t, directions[schema.Meets], c.collectives, "%v: parts in barriers", c.parts)
		expect.Equal(t, len(out.Ledger.Losses("")), 0, "%v: losses", c.parts)
		expect.Equal(t, len(seen), c.components, "%v: components", c.parts)
	}
}

// TestSameEvents reads one execution in several layouts.
func TestSameEvents(t *testing.T) {
	want := readRecording(t, netpipe)
	for _, parts := range [][]string{long, mergeZ, comprZ} {
		expect.Slice(t, readRecording(t, parts).Events, want.Events, "%v differs from %v", parts, netpipe)
	}
}

// TestReference compares every event with what the library's own printer says of it.
func TestReference(t *testing.T) {
	program, err := exec.LookPath("otfprint")
	if err != nil {
		t.Skip("otfprint (Debian: libopen-trace-format-dev, openmpi) is not installed; the events were not compared with its output")
	}
	for _, parts := range [][]string{fast, slow, merged, netpipe, long} {
		dir, master := recording(t, parts...)
		print := expect.Value(exec.Command(program, filepath.Join(dir, master)).Output())(t)
		want, functions := printed(t, print)
		got := described(t, readRecording(t, parts, component(byGroup)), functions)
		sortTies(got)
		sortTies(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: %d events, otfprint has %d; first difference %s", parts, len(got), len(want), firstDifference(got, want))
		}
		t.Logf("%v: %d lines compared", parts, len(want))
	}
}

// sortTies puts lines of one time into the order of their processes, whose names are two words: the printer takes
// streams in turns there.
func sortTies(lines []string) {
	slices.SortStableFunc(lines, func(a, b string) int {
		x, y := strings.SplitN(a, " ", 4), strings.SplitN(b, " ", 4)
		m, _ := strconv.ParseInt(x[0], 10, 64)
		n, _ := strconv.ParseInt(y[0], 10, 64)
		return cmp.Or(cmp.Compare(m, n), strings.Compare(x[2], y[2]))
	})
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%d: %s, want %s", i, got[i], want[i])
		}
	}
	return "at the end"
}

var (
	definition = regexp.MustCompile(`\tDef(\w+): stream \d+, \w+ (\d+), name "(.*?)"(?:, group (\d+))?`)
	timer      = regexp.MustCompile(`\tDefTimerResolution: stream \d+, TicksPerSecond (\d+)`)
	printedRow = regexp.MustCompile(`\t(\d+) (Enter|Leave|SendMessage|ReceiveMessage): (.*)`)
	numbers    = regexp.MustCompile(`(\w+) (\d+)`)
)

// printed turns otfprint's output into a line for each enter, leave, send and receive; functions are called by
// group and name.
func printed(t *testing.T, out []byte) (lines []string, functions map[string]string) {
	t.Helper()
	functions = make(map[string]string)
	names, groups := make(map[string]string), make(map[string]string)
	resolution := new(big.Int)
	in := bufio.NewScanner(bytes.NewReader(out))
	for in.Scan() {
		text := in.Text()
		if m := definition.FindStringSubmatch(text); m != nil {
			switch m[1] {
			case "Function":
				functions[m[2]] = groups[m[4]] + " " + m[3]
			case "FunctionGroup":
				groups[m[2]] = m[3]
			case "Process":
				names["p"+m[2]] = m[3]
			case "ProcessGroup":
				names["c"+m[2]] = m[3]
			}
		} else if m := timer.FindStringSubmatch(text); m != nil {
			resolution.SetString(m[1], 10)
		} else if m := printedRow.FindStringSubmatch(text); m != nil {
			field := make(map[string]string)
			for _, n := range numbers.FindAllStringSubmatch(m[3], -1) {
				field[n[1]] = n[2]
			}
			ns, _ := new(big.Int).SetString(m[1], 10)
			ns.Div(ns.Mul(ns, big.NewInt(1e9)), resolution)
			lines = append(lines, line(m[2], ns.String(), field, names, functions))
		}
	}
	return lines, functions
}

func line(kind, ns string, field, names, functions map[string]string) string {
	switch kind {
	case "Enter":
		return fmt.Sprintf("%s %s enter %s", ns, names["p"+field["process"]], functions[field["function"]])
	case "Leave":
		return fmt.Sprintf("%s %s leave", ns, names["p"+field["process"]])
	case "SendMessage":
		return fmt.Sprintf("%s %s sends to %s %s/%s", ns, names["p"+field["sender"]], names["p"+field["receiver"]], names["c"+field["group"]], field["type"])
	}
	return fmt.Sprintf("%s %s receives from %s %s/%s", ns, names["p"+field["receiver"]], names["p"+field["sender"]], names["c"+field["group"]], field["type"])
}

// described turns the events of a reading into the same lines. The peer is the lifeline at a message's other end.
func described(t *testing.T, out *outcome, functions map[string]string) (lines []string) {
	t.Helper()
	ends := make(map[string]string)
	for _, e := range out.Events {
		if e.Mark.Direction != schema.NoMessage {
			ends[strconv.Itoa(int(e.Mark.Direction))+" "+strconv.FormatInt(e.ID, 10)] = e.Key.Lifeline
		}
	}
	for _, e := range out.Events {
		if schema.Couples(e.Mark.Direction) { // no row of its own in the trace
			continue
		}
		message := ""
		if d := e.Mark.Direction; d != schema.NoMessage {
			verb := [...]string{"", "sends to", "receives from"}[d]
			message = fmt.Sprintf("%d %s %s %s %s", e.Ns, e.Key.Lifeline, verb, ends[strconv.Itoa(int(3-d))+" "+strconv.FormatInt(e.ID, 10)], e.Mark.Label)
		}
		call := fmt.Sprintf("%d %s enter %s %s", e.Ns, e.Key.Lifeline, e.Key.Component, e.Key.Function)
		if e.Key.Kind == schema.Exit {
			call = fmt.Sprintf("%d %s leave", e.Ns, e.Key.Lifeline)
		}
		pair := []string{call, message}
		if e.Key.Kind == schema.Exit {
			pair = []string{message, call}
		}
		for _, text := range pair {
			if text != "" {
				lines = append(lines, text)
			}
		}
	}
	return lines
}

// TestStoredReceiveTimes compares how messages were matched with the receive time that VampirTrace stored beside
// each send.
func TestStoredReceiveTimes(t *testing.T) {
	dir, _ := recording(t, netpipe...)
	out := readRecording(t, netpipe)
	sent, received := make(map[int64]int64), make(map[int64]int64)
	for _, e := range out.Events {
		switch e.Mark.Direction {
		case schema.Send:
			sent[e.ID] = e.Ns
		case schema.Receive:
			received[e.ID] = e.Ns
		}
	}
	stored := storedReceives(t, dir, 0x950428de)
	var pairs [][2]int64
	for id, ns := range sent {
		if received[id] < ns {
			t.Fatalf("message %d is received before it is sent", id)
		}
		pairs = append(pairs, [2]int64{ns, received[id]})
	}
	slices.SortFunc(pairs, comparePairs)
	slices.SortFunc(stored, comparePairs)
	if !slices.Equal(pairs, stored) || len(pairs) != 7424 {
		t.Errorf("%d messages of %d as stored", len(pairs), len(stored))
	}
}

func comparePairs(a, b [2]int64) int { return slices.Compare(a[:], b[:]) }

// storedReceives are the send time and the stored receive time of each send, in nanoseconds.
func storedReceives(t *testing.T, dir string, resolution int64) (pairs [][2]int64) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.events"))
	for _, file := range files {
		now, stored := int64(0), int64(-1)
		for _, text := range strings.Split(string(readertest.Load(t, file)), "\n") {
			if key, value, ok := strings.Cut(text, "Y8V"); ok && key == "K1" {
				stored, _ = strconv.ParseInt(value, 16, 64)
			} else if strings.HasPrefix(text, "S") {
				pairs = append(pairs, [2]int64{scaled(now, resolution), scaled(stored, resolution)})
			} else if tick, err := strconv.ParseInt(text, 16, 64); err == nil && hexDigit[text[0]] < 16 {
				now = tick
			}
		}
	}
	return pairs
}

func scaled(ticks, resolution int64) int64 {
	n := new(big.Int).Mul(big.NewInt(ticks), big.NewInt(1e9))
	return n.Div(n, big.NewInt(resolution)).Int64()
}
