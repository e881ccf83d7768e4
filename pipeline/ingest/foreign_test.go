package ingest_test

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
)

// TestForeignTraces has what people try that is of no format that is read, and what they are told.
func TestForeignTraces(t *testing.T) {
	for head, word := range map[string]string{
		"PERFILE2h\x00\x00\x00": "--to-ctf",
		"prog 10535  1166.383410:     250000 cpu-clock:ppp: \n\t 1f main (/x)\n":                                                "perf script",
		"prog 10535/10536 [003]  1166.383410: cycles:u: \n":                                                                     "perf script",
		"swapper     0 [001] 4242.123456: sched:sched_switch: prev_comm=a\n":                                                    "perf script",
		"go 1.22 trace\x00\x00\x00":                                                                                             "runtime of Go",
		"\x7fELF\x02\x01\x01\x00":                                                                                               "a program",
		`{"meta":{"interval":1,"startTime":17,"processType":0,"stackwalk":1},"libs":[]}`:                                        "Firefox",
		`{"label":"","duration":513.29,"markers":[],"frames":[]}`:                                                               "Firefox",
		`{"version":1,"recording":{"displayName":"Timeline Recording 5","startTime":3.1}}`:                                      "Safari",
		"{\n  \"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n":                                           "speedscope",
		"==21610== NVPROF is profiling process 21610, command: ./a\n":                                                           "nvprof",
		"\"2025-09-01 22:35:12.4\",\"f3af4623ffffbce0e5ef455e0c0af58d\",\"0cf4b3e7093e875e\",\"\"\n":                            "line of headings",
		"shop,2023-12-21T03:22:25Z,2023-12-21T03:23:25Z,5B8EFFF798038103D269B633813FC60C,EEE19B7EC3C1B174,EEE19B7EC3C1B173,f\n": "line of headings",
		"10:00:00.123456 openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3\n":                                                     "strace",
		"1234  1732615200.123456 close(3) = 0\n":                                                                                "strace",
		"# DURATION     TID     FUNCTION\n   1.1 us [ 10457] | f();\n":                                                          "uftrace replay",
		"[00000018032045525400] (+????????????) h a:b: { cpu_id = 2 }, { x = 1 }\n":                                             "--clock-cycles",
		"[10:00:00.000000001] (+?.?????????) h a:b: { 2 }, { 29822, \"x\" }\n":                                                  "--names",
		"[10:00:00.000000001] h a:b: stream.packet.context = { 2 }, event.fields = { 1 }\n":                                     "--names",
		"main;f;g 17\nmain;f 3\n": "no times",
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n": "git lfs pull",
		"<!DOCTYPE html>\n<html><body>404</body></html>\n":                          "a page",
		"a line of a log that says nothing\n":                                       "the first line is",
	} {
		_, err := ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, schema.ReadingOptions{})("file", []byte(head))
		if err == nil || !strings.Contains(err.Error(), word) || !strings.HasPrefix(err.Error(), "file:1:1: no known trace format: ") {
			t.Errorf("%.60q: want a word about %q, got %v", head, word, err)
		}
	}
}
