package main

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/ctf"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/jaeger"
	"github.com/tracelake/tracelake/stages/ingest/kieker"
	"github.com/tracelake/tracelake/stages/ingest/otf1"
	"github.com/tracelake/tracelake/stages/ingest/otf2"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/rawlog"
	"github.com/tracelake/tracelake/stages/ingest/uftrace"
	"github.com/tracelake/tracelake/stages/ingest/zipkin"
)

// subject is a format that is measured.
type subject struct {
	name   string // of the format in the tables
	trace  string // path of the trace in the folder of its files; "." for the folder itself
	make   func(f *folder, events int)
	format schema.Format
	goal   goal
	peers  []peer
}

// goal is what a reader should reach on one core; zero where nothing was asked.
type goal struct{ eventsPerSec, bytesPerSec float64 }

var (
	binaryGoal = goal{eventsPerSec: 5e6}
	jsonGoal   = goal{bytesPerSec: 300e6}
)

// peer is another program that reads the same trace. TRACE and FOLDER stand for paths.
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

// subjects are all formats, in the order of the tables.
var subjects = []subject{
	{"otf1", "trace.otf", makeOTF1, otf1.Format(), binaryGoal, []peer{
		{"otfprint", []string{"otfprint", "TRACE"}}, {"otfprint -s", []string{"otfprint", "-s", "TRACE"}}}},
	{"otf2", "trace.otf2", makeOTF2, otf2.Format(), binaryGoal, []peer{
		{"otf2-print", []string{"otf2-print", "TRACE"}}, {"otf2-print --silent", []string{"otf2-print", "--silent", "TRACE"}}}},
	{"ctf", ".", makeCTF, ctf.Format(), binaryGoal, []peer{
		{"babeltrace2", []string{"babeltrace2", "TRACE"}}, {"babeltrace2 -o dummy", []string{"babeltrace2", "-o", "dummy", "TRACE"}}}},
	{"uftrace", ".", makeUftrace, uftrace.Format(), binaryGoal, []peer{
		{"uftrace dump", []string{"uftrace", "dump", "--no-pager", "-d", "TRACE"}}, {"uftrace report", []string{"uftrace", "report", "--no-pager", "-d", "TRACE"}}}},
	{"rawlog binary", "trace.log", makeRawBinary, rawlog.Format(), goal{}, nil},
	{"rawlog text", "trace.log", makeRawText, rawlog.Format(), goal{}, nil},
	{"kieker binary", ".", makeKiekerBinary, kieker.Format(), goal{}, nil},
	{"kieker text", ".", makeKiekerText, kieker.Format(), goal{}, nil},
	{"etf", "trace.etf", makeETF, etf.Format(), goal{}, nil},
	{"otlp protobuf", "traces.pb", makeOTLPBinary, otlp.Format(), goal{}, nil},
	{"otlp json", "traces.json", makeOTLPText, otlp.Format(), jsonGoal, []peer{jq, pythonLine}},
	{"jaeger", "traces.json", makeJaeger, jaeger.Format(), jsonGoal, []peer{jq, python}},
	{"zipkin", "traces.json", makeZipkin, zipkin.Format(), jsonGoal, []peer{jq, python}},
	{"chrome X", "trace.json", makeCompletes, chrome.Format(), jsonGoal, []peer{jq, python}},
	{"chrome B E", "trace.json", makeBegins, chrome.Format(), jsonGoal, []peer{jq, python}},
	{"chrome exported", "trace.json", makeChrome, chrome.Format(), jsonGoal, []peer{jq, python}},
}
