package ingest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/gzip"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/jaeger"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/spantable"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/stages/ingest/zipkin"
	"github.com/tracelake/tracelake/testdata/expect"
)

// account is what became of the records of a trace: how many stand in events, and how many in losses, by kind. What a reader invents is
// left out.
type account map[string]int64

// String shows what is not 0.
func (a account) String() string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(a)) {
		if a[kind] != 0 {
			out = append(out, fmt.Sprint(kind, " ", a[kind]))
		}
	}
	return strings.Join(out, ", ")
}

// accountOf reads a trace. Of losses there are those by which a record has no event.
func accountOf(t *testing.T, format schema.Format, text []byte) account {
	t.Helper()
	reading := readertest.Reading(fstest.MapFS{"trace": {Data: text}}, "trace")
	reading.Memory = 64 << 20
	got := readertest.Read(format, reading)
	expect.OK(t, got.Err)
	out := make(account)
	for _, e := range got.Events {
		switch {
		case e.Key.Synthetic || e.Key.ExecutionType == "sampled":
		case e.Key.Kind == schema.Enter:
			out["start"]++
		case e.Key.Kind == schema.Exit:
			out["end"]++
		}
		if e.Mark.Direction == schema.Receive && e.Mark.Label != "synchronisation" {
			out["receive"]++
		}
	}
	for _, l := range got.Ledger.Losses("") {
		switch l.Reason {
		case schema.SkippedRecord.Name, schema.MissingDuration.Name, schema.NegativeDuration.Name, schema.BadRecord.Name,
			schema.UnknownRecord.Name, schema.UnsupportedTime.Name, schema.DuplicateCall.Name:
			out[strings.TrimSpace(l.Reason+" "+l.Kind())] += l.Count
		case schema.UnmatchedExit.Name: // a record of an end without a name, which has no event; with one it has
			out["end"] += l.Count
		}
	}
	return out
}

// isProfile says that an event is a part of a profile of V8, whose samples are calls of another kind.
func isProfile(e map[string]any) bool { return e["name"] == "Profile" || e["name"] == "ProfileChunk" }

// hasNumber says that a counter has a value, which is a piece of a signal.
func hasNumber(args map[string]any) bool {
	for _, v := range args {
		if _, is := v.(float64); is {
			return true
		}
	}
	return false
}

// chromeAccount counts the events of a trace in the Trace Event Format by what their phases say.
func chromeAccount(t *testing.T, text []byte) account {
	t.Helper()
	var document struct {
		TraceEvents []map[string]any
		Samples     []any
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		// Lists may be cut short: they get their end, and a comma before it goes.
		whole := regexp.MustCompile(`,?\s*\]?\s*$`).ReplaceAll(text, []byte("]"))
		expect.OK(t, json.Unmarshal(whole, &document.TraceEvents))
	} else {
		expect.OK(t, json.Unmarshal(text, &document))
	}
	out := account{"skipped_record sample": int64(len(document.Samples))}
	for _, e := range document.TraceEvents {
		phase, _ := e["ph"].(string)
		dur, hasDur := e["dur"].(float64)
		args, _ := e["args"].(map[string]any)
		if e["flow_in"] == true && strings.Contains("XB", phase) {
			out["receive"]++
		}
		switch {
		case phase == "M" || phase == "P" && isProfile(e) || phase == "C" && hasNumber(args):
		case phase == "X" && args["count"] != nil && args["avg ms"] != nil: // a total of clang
		case phase == "X" && !hasDur:
			out["missing_duration"]++
		case phase == "X" && dur < 0:
			out["negative_duration"]++
		case strings.Contains("XiIRnTp", phase):
			out["start"]++
			out["end"]++
		case strings.Contains("BbS", phase):
			out["start"]++
		case strings.Contains("EeF", phase):
			out["end"]++
		case strings.Contains("ft", phase):
			out["receive"]++
		case phase != "s":
			kind := map[string]string{"C": "counter", "P": "sample", "c": "clock synchronisation", "O": "object", "N": "object", "D": "object",
				"V": "memory dump", "v": "memory dump", "(": "context", ")": "context"}[phase]
			out["skipped_record "+kind]++
		}
	}
	return out
}

// spansAccount counts objects with the member that every span has.
func spansAccount(member string) func(*testing.T, []byte) account {
	return func(t *testing.T, text []byte) account {
		t.Helper()
		var document any
		expect.OK(t, json.Unmarshal(text, &document))
		n := int64(0)
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case []any:
				for _, of := range v {
					walk(of)
				}
			case map[string]any:
				if v[member] != nil {
					n++
				}
				for name, of := range v {
					if name != "references" { // in which a copy of a parent may stand
						walk(of)
					}
				}
			}
		}
		walk(document)
		return account{"start": n, "end": n}
	}
}

// tableAccount counts the lines of a table behind its header.
func tableAccount(t *testing.T, text []byte) account {
	t.Helper()
	n := int64(len(expect.Value(csv.NewReader(bytes.NewReader(text)).ReadAll())(t)) - 1)
	return account{"start": n, "end": n}
}

// TestLossesAccountForRecords counts the records of traces by other means than the readers: each of them is in events, or in losses under
// its kind, and none is in both. Traces of the repository are read in any case, others where there are recordings.
// CTF has its account in TestEventsAreAccountedFor, OTF2 in TestAsPrinted, OTF 1 and uftrace in TestRecorded, texts line by line in FuzzRead.
func TestLossesAccountForRecords(t *testing.T) {
	for _, c := range []struct {
		folder, ending string
		format         schema.Format
		count          func(*testing.T, []byte) account
		traces         int
	}{
		{"chrome/testdata/cases", ".json", chrome.Format(), chromeAccount, 25},
		{"recordings/chrome", ".json.zst", chrome.Format(), chromeAccount, 8},
		{"recordings/chrome/cases", ".json", chrome.Format(), chromeAccount, 25},
		{"third-party/chrome-json", ".json", chrome.Format(), chromeAccount, 25},
		{"third-party/kineto", ".json.gz", chrome.Format(), chromeAccount, 3},
		{"third-party/jaeger", ".json", jaeger.Format(), spansAccount("operationName"), 1},
		{"third-party/zipkin", ".json", zipkin.Format(), spansAccount("traceId"), 5},
		{"third-party/otlp", ".json", otlp.Format(), spansAccount("startTimeUnixNano"), 2},
		{"third-party/nezha", ".csv.zst", spantable.Format(), tableAccount, 5},
	} {
		t.Run(c.folder, func(t *testing.T) {
			folder := c.folder
			if beside, isRecorded := strings.CutPrefix(folder, "recordings"); isRecorded || strings.HasPrefix(folder, "third-party") {
				root := readertest.Recordings(t)
				folder = filepath.Join(root, beside)
				if !isRecorded {
					folder = filepath.Join(root, "..", c.folder)
				}
			}
			read := 0
			expect.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || !strings.HasSuffix(path, c.ending) || read >= 40 {
					return err
				}
				text := plain(t, path)
				if !c.format.IsFile(text[:min(len(text), 1<<22)]) || bytes.HasPrefix(text, []byte("{\"ph\"")) {
					return nil
				}
				read++
				got, want := accountOf(t, c.format, text), c.count(t, text)
				if want["receive"] == 0 || bytes.Contains(text, []byte(`"correlation"`)) {
					delete(got, "receive") // made of parents, or of what a device has done
					delete(want, "receive")
				}
				if n := got[schema.DuplicateCall.Name]; n > 0 {
					got["start"], got["end"], got[schema.DuplicateCall.Name] = got["start"]+n, got["end"]+n, 0
				}
				expect.Equal(t, got.String(), want.String(), "records of %s", strings.TrimPrefix(path, folder))
				return nil
			}))
			if t.Logf("%d traces", read); read < c.traces {
				t.Errorf("%d traces of %d", read, c.traces)
			}
		})
	}
}

// plain returns the bytes of a file that may be packed.
func plain(t *testing.T, path string) []byte {
	t.Helper()
	text := readertest.Load(t, path)
	if strings.HasSuffix(path, ".gz") {
		text = expect.Value(io.ReadAll(expect.Value(gzip.NewReader(bytes.NewReader(text)))(t)))(t)
	}
	return text
}

// TestScratchFilesHaveNoName sees that nothing stays of a scratch file of tests, of which a reader does not close all and a worker that is killed none.
func TestScratchFilesHaveNoName(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := expect.Value(readertest.Reading(nil, "").Scratch())(t)
	defer f.Close()
	expect.Value(f.WriteAt([]byte("text"), 0))(t)
	got := make([]byte, 4)
	expect.Value(f.ReadAt(got, 0))(t)
	expect.Equal(t, string(got), "text", "what was written")
	expect.Slice(t, expect.Value(os.ReadDir(os.TempDir()))(t), nil, "names")
}
