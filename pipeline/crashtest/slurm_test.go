package crashtest

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/testdata/expect"
)

// cluster is a Slurm of this test: a controller and nodes that are processes of this machine.
type cluster struct {
	t        *testing.T
	dir      string
	programs map[string]int // numbers of the processes of its daemons
}

// nodes is how many nodes a cluster has.
const nodes = 4

// newCluster starts a Slurm, or skips the test where there is none, or no right to start one.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: make engines", program)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("the daemons of Slurm start jobs in the name of others, for which they need to be root")
	}
	// Names of sockets are short, and munged wants folders that only its user can write.
	dir := expect.Value(process.FolderIn("/run", "slurm"))(t)
	c := &cluster{t: t, dir: dir, programs: make(map[string]int)}
	t.Cleanup(c.end)
	key := make([]byte, 1024)
	rand.Read(key)
	expect.OK(t, os.WriteFile(filepath.Join(dir, "munge.key"), key, 0o400))
	expect.OK(t, os.MkdirAll(filepath.Join(dir, "state"), 0o700))
	host, _, _ := strings.Cut(expect.Value(os.Hostname())(t), ".")
	ports := freePorts(t, nodes+1)
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[2]s(127.0.0.1)
SlurmctldPort=%[3]d
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge.sock
SlurmUser=root
SlurmdUser=root
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/%%n
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/%%n.pid
SlurmctldLogFile=%[1]s/slurmctld.log
SlurmdLogFile=%[1]s/%%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=5
`, dir, host, ports[0])
	for n := 1; n <= nodes; n++ {
		conf += fmt.Sprintf("NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 RealMemory=4000\n", n, host, ports[n])
	}
	conf += "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
	expect.OK(t, os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(conf), 0o600))
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	in := func(name string) string { return filepath.Join(dir, name) }
	c.start("munged", "--force", "--foreground", "--key-file="+in("munge.key"), "--socket="+in("munge.sock"), "--pid-file="+in("munged.pid"),
		"--log-file="+in("munged.log"), "--seed-file="+in("munged.seed"))
	c.until("munged listens", func() bool { _, err := os.Stat(in("munge.sock")); return err == nil })
	c.start("slurmctld", "-D")
	for n := 1; n <= nodes; n++ {
		c.startNode(n)
	}
	c.until("all nodes are idle", func() bool { return c.idle() == nodes })
	return c
}

// freePorts finds ports of this machine that nobody listens to.
func freePorts(t *testing.T, n int) (ports []int) {
	for range n {
		l := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// start starts a daemon, which leads a group of processes.
func (c *cluster) start(name string, args ...string) {
	c.t.Helper()
	program := exec.Command(strings.SplitN(name, " ", 2)[0], args...)
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	expect.OK(c.t, program.Start())
	c.programs[name] = program.Process.Pid
	go program.Wait()
}

func (c *cluster) startNode(n int) {
	c.start(fmt.Sprintf("slurmd n%d", n), "-D", "-N", fmt.Sprintf("n%d", n))
}

// kill kills a daemon, and nothing that it started.
func (c *cluster) kill(name string) { syscall.Kill(c.programs[name], syscall.SIGKILL) }

// stop asks a daemon to end, and waits for that.
func (c *cluster) stop(name string) {
	c.t.Helper()
	syscall.Kill(c.programs[name], syscall.SIGTERM)
	c.until(name+" has ended", func() bool { return syscall.Kill(c.programs[name], 0) != nil })
}

// killNode kills a node's daemon and the processes of its jobs.
func (c *cluster) killNode(n int) {
	c.kill(fmt.Sprintf("slurmd n%d", n))
	for _, pid := range processes(func(line, environment string) bool {
		return strings.Contains(environment, fmt.Sprintf("\x00SLURMD_NODENAME=n%d\x00", n)) && strings.Contains(environment, c.dir)
	}) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// processes lists the processes of this machine whose command line and environment are of some kind.
func processes(kind func(line, environment string) bool) (pids []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		line, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		environment, _ := os.ReadFile(filepath.Join(folder, "environ"))
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil && kind(string(line), "\x00"+string(environment)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// idle counts the nodes that wait for work.
func (c *cluster) idle() int {
	out, _ := exec.Command("sinfo", "--noheader", "--Node", "--format=%T").Output()
	return strings.Count(string(out), "idle\n")
}

// until waits for something that comes to be in a while.
func (c *cluster) until(what string, is func() bool) {
	c.t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(c.dir, "slurmctld.log"))
	c.t.Fatalf("after a minute not yet: %s\n%s", what, log)
}

// end kills all processes of the cluster.
func (c *cluster) end() {
	for _, pid := range processes(func(line, environment string) bool { return strings.Contains(environment, "\x00SLURM_CONF="+c.dir) }) {
		if pid != os.Getpid() {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for name := range c.programs {
		c.kill(name)
	}
	time.Sleep(100 * time.Millisecond)
	process.RemoveFolder(c.dir)
}

// onSlurm starts an analysis of the runs of a lake on the nodes of the cluster, outside of any allocation.
func onSlurm(lake string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	return program(lake, append([]string{"analyze", "run", "--executor", "slurm", "--memory", "1GiB"}, args...)...)
}

// tasksOf lists the processes that do tasks of a lake.
func tasksOf(lake string) []int {
	return processes(func(line, _ string) bool {
		return strings.Contains(line, lake) && strings.Contains(line, "\x00task\x00")
	})
}

// TestSlurm sees that an analysis on the nodes of Slurm makes the bytes of one process: in one allocation, and in a job for every run, in a folder
// and in an object store, ingests and a comparison, too; also when tasks or a node are killed, when the controller is killed and starts again, or
// the analysis itself, which is started again then.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("a Slurm of four nodes takes half a minute")
	}
	c := newCluster(t)
	ingested, undisturbed := lakesOfEngines(t)
	want := laketest.Hashes(t, undisturbed)
	is := func(what, lake string, want map[string]string, program *exec.Cmd, said *bytes.Buffer) {
		t.Helper()
		if err := program.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, said)
		}
		must(t, lake, "analyze", "tidy") // of what a killed process left
		laketest.CheckSame(t, what, laketest.Hashes(t, lake), want)
	}
	for _, how := range [][]string{{"--nodes", "4"}, {"--array"}} {
		lake := copyLake(t, ingested)
		program, said := onSlurm(lake, how...)
		expect.OK(t, program.Start())
		is(strings.Join(how, " "), lake, want, program, said)
	}
	c.ingests(t, laketest.Hashes(t, ingested))
	c.onObjects(t, want)
	c.compares(t, undisturbed)
	// Faults in the middle of the work, which meet the tasks of one run.
	wantOne := analyzedOne(t, ingested)
	for _, fault := range []struct {
		what  string
		bring func(lake string)
		mend  func()
	}{
		{"tasks are killed", func(lake string) {
			for _, pid := range tasksOf(lake) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}, func() {}},
		{"a node is killed", func(string) { c.killNode(4) }, func() { c.startNode(4) }},
		{"the controller is stopped", func(string) { c.stop("slurmctld"); c.start("slurmctld", "-D") }, func() {}},
		{"the controller is killed", func(string) { c.kill("slurmctld"); c.start("slurmctld", "-D") }, c.resume},
	} {
		lake := copyLake(t, ingested)
		program, said := onSlurm(lake, "--nodes", "4", "a")
		expect.OK(t, program.Start())
		c.until("tasks run", func() bool { return len(tasksOf(lake)) > 0 })
		fault.bring(lake)
		is(fault.what, lake, wantOne, program, said)
		fault.mend()
		c.until("all nodes are idle", func() bool { return c.idle() == nodes })
	}
	lake := copyLake(t, ingested)
	program, _ := onSlurm(lake, "--nodes", "4", "a")
	expect.OK(t, program.Start())
	c.until("tasks run", func() bool { return len(tasksOf(lake)) > 0 })
	for _, pid := range processes(func(line, _ string) bool { return strings.Contains(line, "slurm\x00") && strings.Contains(line, lake) }) {
		syscall.Kill(pid, syscall.SIGKILL) // here and on the node
	}
	program.Wait()
	again, said := onSlurm(lake, "--nodes", "4", "a")
	expect.OK(t, again.Start())
	is("the analysis is killed and started again", lake, wantOne, again, said)
}

// resume has all nodes take work again that Slurm drained.
func (c *cluster) resume() {
	exec.Command("scontrol", "update", fmt.Sprintf("nodename=n[1-%d]", nodes), "state=resume").Run()
}

// elsewhereFlags have an ingest run in tasks, of which a megabyte of the trace is one.
func elsewhereFlags(executor string, more ...string) []string {
	return append([]string{"--executor", executor, "--task-bytes", "1MiB", "--memory", "1GiB"}, more...)
}

// ingests ingests the runs on the nodes of the cluster, while tasks are killed.
func (c *cluster) ingests(t *testing.T, want map[string]string) {
	t.Helper()
	lake := filepath.Join(t.TempDir(), "lake")
	stop := killTasks(func() []int { return tasksOf(lake) })
	ingestBoth(t, lake, elsewhereFlags("slurm", "--nodes", "4")...)
	if killed := stop(); killed == 0 {
		t.Error("no task of an ingest was killed")
	}
	laketest.CheckSame(t, "an ingest on nodes", laketest.Hashes(t, lake), want)
}

// killTasks kills tasks three times when some run, until it is stopped. Then it says how many it killed.
func killTasks(tasks func() []int) (stop func() int) {
	done, killed := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for rounds := 0; ; {
			select {
			case <-done:
				killed <- n
				return
			case <-time.After(100 * time.Millisecond):
			}
			if pids := tasks(); len(pids) > 0 && rounds < 3 {
				rounds++
				for _, pid := range pids {
					syscall.Kill(pid, syscall.SIGKILL)
					n++
				}
			}
		}
	}()
	return func() int { close(done); return <-killed }
}

// onObjects makes the same lake in an object store, which all nodes reach and which fails now and then, in an allocation while tasks are killed, and
// in a job for every run.
func (c *cluster) onObjects(t *testing.T, want map[string]string) {
	t.Helper()
	store := objecttest.Start(t)
	store.Fail(storm())
	for _, how := range [][]string{{"--nodes", "4"}, {"--array"}} {
		name := "slurm" + how[0]
		lake := objects(name)
		t.Chdir(t.TempDir()) // where the logs of jobs are
		if how[0] == "--array" {
			ingestBoth(t, lake)
		} else {
			ingestBoth(t, lake, elsewhereFlags("slurm", how...)...)
		}
		stop := func() int { return 1 }
		if how[0] == "--nodes" {
			stop = killTasks(func() []int { return tasksOf(lake) })
		}
		program, said := onSlurm(lake, how...)
		if err := program.Run(); err != nil {
			t.Fatalf("in an object store: %v\n%s", err, said)
		}
		if stop() == 0 {
			t.Error("no task was killed in an object store")
		}
		checkStored(t, "in an object store, "+how[0], downloaded(t, store, name), want)
	}
	expect.Equal(t, store.Faults() > 100, true, "many of %d failed requests", store.Faults())
}

// compares compares two runs on the nodes of the cluster.
func (c *cluster) compares(t *testing.T, analyzed string) {
	t.Helper()
	compare := []string{"analyze", "compare", "--base", "a", "--cand", "b"}
	alone, onNodes := copyLake(t, analyzed), copyLake(t, analyzed)
	must(t, alone, compare...)
	must(t, onNodes, append(compare, "--executor", "slurm", "--nodes", "4", "--memory", "1GiB")...)
	laketest.CheckSame(t, "a comparison on nodes", laketest.Hashes(t, onNodes), laketest.Hashes(t, alone))
}
