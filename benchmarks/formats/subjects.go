package main

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest"
)

// subject is a format that is measured, by a trace of one kind.
type subject struct {
	testTrace
	name   string // of the format in the tables: the name of the format, and its variant
	format schema.Format
}

// testTrace is a trace that is made for a measurement.
// Its make function must write a trace without defects, as reading it counts losses and fails on any.
type testTrace struct {
	variant string // tells traces of one format apart; "" where there is one
	path    string // path of the trace in the folder of its files; "." for the folder itself
	make    func(f *folder, events int)
	goal    goal
	peers   []peer
}

// goal is what a reader should reach on one core; zero where nothing was asked.
// Binary formats are held to events, since their records are small and alike; JSON to bytes, as the size of an event
// is up to its writer.
// Goals are of one core, so that they do not depend on how many a machine has.
type goal struct{ eventsPerSec, bytesPerSec float64 }

var (
	binaryGoal = goal{eventsPerSec: 5e6}
	jsonGoal   = goal{bytesPerSec: 300e6}
)

// peer is another program that reads the same trace. TRACE and FOLDER stand for paths.
// The command must read the whole trace and need no terminal.
type peer struct {
	name    string
	command []string
}

// The parsers of JSON that are at hand everywhere: what a script pays before it has looked at anything.
var (
	jq         = peer{"jq empty", []string{"jq", "empty", "TRACE"}}
	python     = peer{"python json", []string{"python3", "-c", "import json, sys; json.load(open(sys.argv[1]))", "TRACE"}}
	pythonLine = peer{"python json", []string{"python3", "-c", "import json, sys\nfor line in open(sys.argv[1]): json.loads(line)", "TRACE"}}
)

// testTraces are the traces of every format that a Reader reads, by the name of the format. The texts that Parsers read
// are measured as part of ingest, by benchmarks/run.sh.
var testTraces = map[string][]testTrace{
	"otf1": {{"", "trace.otf", makeOTF1, binaryGoal, []peer{
		{"otfprint", []string{"otfprint", "TRACE"}}, {"otfprint -s", []string{"otfprint", "-s", "TRACE"}}}}},
	"otf2": {{"", "trace.otf2", makeOTF2, binaryGoal, []peer{
		{"otf2-print", []string{"otf2-print", "TRACE"}}, {"otf2-print --silent", []string{"otf2-print", "--silent", "TRACE"}}}}},
	"ctf": {{"", ".", makeCTF, binaryGoal, []peer{
		{"babeltrace2", []string{"babeltrace2", "TRACE"}}, {"babeltrace2 -o dummy", []string{"babeltrace2", "-o", "dummy", "TRACE"}}}}},
	"babeltrace": {{"", "trace.txt", makeBabeltrace, goal{}, nil}},
	"uftrace": {{"", ".", makeUftrace, binaryGoal, []peer{
		{"uftrace dump", []string{"uftrace", "dump", "--no-pager", "-d", "TRACE"}}, {"uftrace report", []string{"uftrace", "report", "--no-pager", "-d", "TRACE"}}}}},
	"uftrace-stream": {{"", "trace", makeUftraceStream, goal{}, nil}},
	"uftrace-dump":   {{"", "trace.txt", makeUftraceDump, goal{}, nil}},
	"rawlog":         {{"binary", "trace.log", makeRawBinary, goal{}, nil}, {"text", "trace.log", makeRawText, goal{}, nil}},
	"kieker":         {{"binary", ".", makeKiekerBinary, goal{}, nil}, {"text", ".", makeKiekerText, goal{}, nil}},
	"kieker-stream":  {{"", "trace", makeKiekerStream, goal{}, nil}},
	"etf":            {{"", "trace.etf", makeETF, goal{}, nil}},
	"otlp":           {{"protobuf", "traces.pb", makeOTLPBinary, goal{}, nil}, {"json", "traces.json", makeOTLPText, jsonGoal, []peer{jq, pythonLine}}},
	"jaeger":         {{"", "traces.json", makeJaeger, jsonGoal, []peer{jq, python}}},
	"spans":          {{"", "spans.csv", makeSpanTable, goal{}, nil}},
	"zipkin":         {{"", "traces.json", makeZipkin, jsonGoal, []peer{jq, python}}},
	"chrome": {
		{"X", "trace.json", makeCompletes, jsonGoal, []peer{jq, python}},
		{"B E", "trace.json", makeBegins, jsonGoal, []peer{jq, python}},
		{"exported", "trace.json", makeChrome, jsonGoal, []peer{jq, python}},
	},
}

// subjects are all traces of all formats, in the order in which the formats are listed.
var subjects = subjectsOf(ingest.Formats())

// subjectsOf finds the traces of formats. A format without a trace here is not measured yet.
func subjectsOf(formats []schema.Format) (all []subject) {
	for _, f := range formats {
		for _, t := range testTraces[f.Name] {
			name := f.Name
			if t.variant != "" {
				name += " " + t.variant
			}
			all = append(all, subject{t, name, f})
		}
	}
	return all
}
