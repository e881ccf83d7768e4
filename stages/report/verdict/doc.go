// Package verdict turns the rows of a comparison into documents that say what changed between a baseline and a candidate.
//
// In come the names of the runs, the rules of the comparison and its rows: schema.Change by rank and schema.Finding by
// number. Out goes one document in one of four formats: text for a terminal or a log, Markdown for a comment on a pull
// request, JSON for programs, and JUnit XML for the dashboards of build servers. The package opens no file and reads no
// flag; the same rows give the same bytes.
//
// Two kinds of comparison have a report each:
//
//	Report  runs compared with runs (package verdicts): a verdict on the whole, root causes, and the gate
//	Pooled  tests on pooled samples (Hilbig 2023, section 3.5): steps that changed, and what moved because of them
//
// A Report is read in this order:
//
//	comparison.go  what is compared, and whether there are enough runs for verdicts
//	report.go      the rows, sorted and counted once for all formats
//	causes.go      which findings make root executions slower or faster, and which changes no finding explains
//	whole.go       the verdict on the whole comparison and its sentence
//	gate.go        which words --fail-on knows, what each means, and the exit code
//	sentences.go   counts and open questions as sentences; findings.go: one finding in words
//	text.go, markdown.go, json.go, junit.go, next.go
//
// Durations of findings and changes are per root execution: an execution of a fragment that no message starts. They are
// int64 nanoseconds; relative changes and shares are fractions of one.
package verdict
