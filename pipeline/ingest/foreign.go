package ingest

import (
	"bytes"
	"regexp"
)

// foreign is something that people take for a trace, or that is one which is not read, with what to do about it.
type foreign struct {
	sign  *regexp.Regexp // of the first bytes
	looks string
}

// foreigners are what is known and not read. Texts are known by their first line, JSON by its first bytes.
var foreigners = []foreign{
	{regexp.MustCompile(`^PERFILE2`), "a recording of perf: perf data convert --to-ctf=FOLDER makes a trace of it that is read"},
	{regexp.MustCompile(`^\S.*\s\d+(/\d+)?\s+(\[\d+\]\s+)?\d+\.\d{6,9}:\s+(\d+\s+)?[\w:.*/-]+:`),
		"what perf script prints: perf data convert --to-ctf=FOLDER makes a trace of the recording that is read"},
	{regexp.MustCompile(`^go 1\.\d+ trace\x00`), "a trace of the runtime of Go, which is not read; go build -debug-trace writes one that is"},
	{regexp.MustCompile(`^\x7fELF`), "a program, and no trace; ingest record --help tells how to record it"},
	{regexp.MustCompile(`^\s*\{\s*"meta"\s*:\s*\{[^}]*"(stackwalk|processType|geckoviewVersion|preprocessedProfileVersion)"`),
		"a profile of Firefox, which is not read; of Chrome, Edge and node it is"},
	{regexp.MustCompile(`^\{\s*"label"\s*:\s*"[^"]*"\s*,\s*"duration"\s*:\s*[\d.]+,\s*"markers"`),
		"a profile of Firefox, which is not read; of Chrome, Edge and node it is"},
	{regexp.MustCompile(`^\{\s*"version"\s*:\s*\d+\s*,\s*"recording"\s*:\s*\{\s*"displayName"`),
		"a recording of Safari's timelines, which is not read; of Chrome, Edge and node it is"},
	{regexp.MustCompile(`^\{[^{]*"https://www\.speedscope\.app/file-format-schema\.json"`),
		"a file of speedscope, which is not read; what it was made of may be: Chrome's traces and V8 CPU profiles are"},
	{regexp.MustCompile(`^==\d+== (NVPROF|Profiling)`), "what nvprof prints, which is not read; profiles of PyTorch are, kernels included"},
	{regexp.MustCompile(`^"?[^",]*"?(,"?[^",]*"?)*,"?[0-9a-fA-F]{32}"?,"?[0-9a-fA-F]{16}"?,`),
		"spans without a line of headings: put one before them, as start,trace,span,parent,service,name,duration in the order of the columns"},
	{regexp.MustCompile(`^(\[pid +\d+\] |\d+ +)?(\d\d:\d\d:\d\d(\.\d+)? |\d+\.\d+ )?[a-z_0-9]+\(.*\) += (-?\d|0x|\?)`),
		"what strace prints, which is not read; LTTng records system calls, see ingest record --help"},
	{regexp.MustCompile(`^# DURATION .*FUNCTION`), "what uftrace replay prints: name the folder that uftrace record wrote, or ingest what uftrace dump prints"},
	{regexp.MustCompile(`^\[\d{20}\] `), "what babeltrace2 prints in cycles of a clock: leave out --clock-cycles, or ingest the trace itself"},
	{regexp.MustCompile(`^(\[[\d .:-]+\] (\(\+[\d?.]+\) )?|timestamp = ).*: (stream\.[a-z.]+ = )?\{ `),
		"what babeltrace2 prints without the names of fields: leave out --names, or ingest the trace itself"},
	{regexp.MustCompile(`^[^\s;]+(;[^;]+)+ \d+$`), "stacks with how often each was seen, as flame graphs are drawn of: they have no times"},
	{regexp.MustCompile(`^version https://git-lfs\.github\.com/spec/`), "a pointer of Git LFS, which stands for the file: git lfs pull fetches it"},
	{regexp.MustCompile(`(?i)^\s*<(!doctype )?html`), "a page, and no trace: it may be what a server said instead of sending one"},
}

// foreignLine bounds the bytes of the first line that are looked at.
const foreignLine = 1 << 10

// foreignTrace says what a file is that is of no format that is read, by its first bytes, and what makes a trace of it. It is "" where that is not known.
func foreignTrace(head []byte) string {
	head = head[:min(len(head), foreignLine)]
	if line, _, _ := bytes.Cut(head, []byte{'\n'}); !bytes.HasPrefix(head, []byte{'{'}) { // an object may begin with a line of a brace alone
		head = line
	}
	for _, f := range foreigners {
		if f.sign.Match(head) {
			return f.looks
		}
	}
	return ""
}
