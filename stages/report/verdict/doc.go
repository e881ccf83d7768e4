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
// # Words
//
// A root execution is an execution of an initial fragment: one that no message starts. Its run time is what a user waits
// for, so it decides how a verdict is worded.
//
// A change is one subject on both sides: a step of a fragment, a fragment, a metric, a part of the latency of messages, or
// a part of critical paths. It has a verdict of its own. A finding is a root cause: the changes that follow from it carry
// its number, and a change without a number is explained by no finding. Steps wait for other steps and fragments contain
// steps, so one finding usually explains many changes; counting changes instead would count one cause many times.
//
// A finding is minor if its effect is below a hundredth of the greatest one. Minor findings have no say in the verdict on
// the whole and are summed up in a sentence. A change is functional if it is one of what is done, not of how long it takes.
//
// Few runs give no verdicts: differences between runs of one release are often greater than those between releases, and
// one run per side shows nothing of them. What stands out from the noise is then a candidate. A gate may name candidates,
// but they never meet another word.
//
// # Stability
//
// Names of JSON keys, of JUnit suites and cases, the words of the gate and the words of the verdict on the whole are an
// interface: dashboards and scripts depend on them. Sentences may change.
//
// Durations of findings and changes are per root execution: an execution of a fragment that no message starts. They are
// int64 nanoseconds; relative changes and shares are fractions of one.
package verdict
