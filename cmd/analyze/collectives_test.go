package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// rankTrace is the trace of a rank that computes for so long, in us, and then reduces with the other one, which takes until 450 us. Its clock shows 5 s
// more for every rank.
func rankTrace(rank, computeUs int) string {
	at := rank * 5_000_000
	line := func(cat, name string, pid, tid, from, until int, args string) string {
		return fmt.Sprintf(`{"ph":"X","cat":%q,"name":%q,"pid":%d,"tid":%d,"ts":%d,"dur":%d,"args":{%s}}`, cat, name, pid, tid, at+from, until-from, args)
	}
	return fmt.Sprintf(`{"distributedInfo":{"backend":"nccl","rank":%d,"world_size":2},"traceEvents":[`, rank) + strings.Join([]string{
		fmt.Sprintf(`{"ph":"M","name":"process_labels","pid":%d,"args":{"labels":"GPU %d"}}`, rank, rank),
		`{"ph":"M","name":"process_name","pid":900,"args":{"name":"python"}}`,
		line("cpu_op", "step", 900, 1, 0, 470, ""),
		line("cuda_runtime", "cudaLaunchKernel", 900, 1, 2, 5, `"correlation":1`),
		line("cuda_runtime", "cudaLaunchKernel", 900, 1, 6, 9, `"correlation":2`),
		line("cuda_runtime", "cudaDeviceSynchronize", 900, 1, 20, 460, `"correlation":3`),
		line("kernel", "gemm", rank, 7, 10, 10+computeUs, `"correlation":1,"stream":7`),
		line("kernel", "ncclAllReduce", rank, 7, 10+computeUs, 450,
			`"correlation":2,"stream":7,"Collective name":"allreduce","Process Group Name":"0","Process Group Ranks":"[0, 1]"`),
	}, ",\n") + "]}"
}

// TestRanksWaitForTheLast reads the ranks of a program as one run: the early one waits in a collective for what the late one computes, and as both hear
// from each other there, their clocks are known to be apart.
func TestRanksWaitForTheLast(t *testing.T) {
	t.Chdir(t.TempDir())
	for rank, computeUs := range []int{100, 400} {
		expect.OK(t, os.WriteFile(fmt.Sprintf("rank%d.json", rank), []byte(rankTrace(rank, computeUs)), 0o666))
	}
	var told []string
	l := expect.Value(lake.Open("lake", true))(t)
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "job", Paths: []string{"rank0.json", "rank1.json"}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
		Detect: ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, schema.ReadingOptions{}), Find: ingest.FindAmong(readers.Formats(), ingest.AnyFormat),
		Options: schema.ReadingOptions{Clocks: schema.Clocks{Mode: schema.ClocksAuto, Of: "file"}}, Say: func(said string) { told = append(told, said) },
	})
	expect.OK(t, err)
	contains(t, strings.Join(told, "\n"), "the clock of rank1 is 5.00 s ahead", "what is said of clocks")
	answer(t, "run", "--quiet", "job")
	path := answer(t, "critical-path", "job", "--to", "rank0/python.step")
	for _, step := range []string{"rank1/GPU 1.gemm", "rank1/GPU 1 -> rank0/GPU 0.ncclAllReduce by collective", "rank0/GPU 0 -> rank0/python.cudaDeviceSynchronize by synchronisation"} {
		contains(t, path, step, "the path to rank 0")
	}
	if strings.Contains(path, "rank0/GPU 0.gemm") {
		t.Errorf("what the early rank computes is on the path:\n%s", path)
	}
}
