package executors

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Slurm starts the tasks of a stage as one step of an allocation: a worker a core and as many as fit into the memory of a node, each
// of which does its share of the tasks.
type Slurm struct {
	Job      string    // the allocation's number
	Nodes    string    // those of the allocation, as Slurm lists them: n[1-4]
	Analyze  string    // the program, at the same path on every node
	Flags    []string  // in front of its command
	PerNode  int64     // bytes of memory that a worker may take; 0: as the tasks need
	Out      io.Writer // takes what the workers print
	Programs Programs  // of Slurm
}

// Programs are the names of Slurm's programs.
type Programs struct{ Srun, Sinfo string }

// node is one that lives, as sinfo tells.
type node struct {
	name  string
	cores int
	bytes int64
}

// Launch implements Launch. A node that died stays in the allocation for minutes, and srun goes on choosing it: the step names the
// nodes that live. Variables of the allocation contradict that, so the step does not see them.
func (s *Slurm) Launch(ctx context.Context, w Work) error {
	nodes, err := s.living(ctx)
	if err != nil {
		return err
	}
	if len(nodes) == 0 {
		return fmt.Errorf("no node of %s lives", s.Nodes)
	}
	// All nodes get equally many workers, as a step wants it: as many as the weakest can take.
	perNode := 1 << 20
	var names []string
	for _, n := range nodes {
		names = append(names, n.name)
		perNode = min(perNode, n.cores, int(n.bytes/max(w.Bytes, s.PerNode, 1)))
	}
	perNode = min(max(perNode, 1), (len(w.Tasks)+len(nodes)-1)/len(nodes))
	if few := len(w.Tasks) / perNode; few < len(names) {
		names = names[:max(few, 1)]
	}
	args := []string{
		"--jobid=" + s.Job, "--overlap", "--no-kill", "--kill-on-bad-exit=0", "--quiet", "--input=none",
		"--nodelist=" + strings.Join(names, ","), fmt.Sprintf("--nodes=%d", len(names)),
		fmt.Sprintf("--ntasks=%d", perNode*len(names)), fmt.Sprintf("--ntasks-per-node=%d", perNode), "--mem=0",
		s.Analyze,
	}
	args = append(append(args, s.Flags...), "task", w.Run, w.Stage, FormatTasks(w.Tasks), "--share=-")
	c := command(ctx, s.Out, s.Programs.Srun, args...)
	c.Env = append(slices.DeleteFunc(os.Environ(), ofAllocation), w.Variables()...)
	return c.Run()
}

// ofAllocation says whether a variable describes the allocation as it was when it began.
func ofAllocation(variable string) bool {
	return strings.HasPrefix(variable, "SLURM_") && !strings.HasPrefix(variable, "SLURM_CONF=")
}

// living asks which nodes of the allocation can take a step.
func (s *Slurm) living(ctx context.Context) (nodes []node, err error) {
	lines, err := outputOf(ctx, s.Programs.Sinfo, "--noheader", "--Node", "--nodes="+s.Nodes, "--states=idle,alloc,mix,drng,comp", "--responding", "--format=%N %c %m")
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) != 3 || slices.ContainsFunc(nodes, func(n node) bool { return n.name == fields[0] }) { // a line for each partition
			continue
		}
		cores, _ := strconv.Atoi(fields[1])
		megabytes, _ := strconv.ParseInt(strings.TrimSuffix(fields[2], "+"), 10, 64)
		nodes = append(nodes, node{fields[0], max(cores, 1), megabytes << 20})
	}
	return nodes, err
}
