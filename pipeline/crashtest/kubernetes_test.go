package crashtest

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// kubernetes is a cluster of this test: the API server and the job controller of Kubernetes, and nodes that run pods as processes.
type kubernetes struct {
	t        *testing.T
	dir      string
	port     int
	program  string
	pods     string               // a file that says what pods are like
	daemons  map[string]*exec.Cmd // by "control" and the names of the nodes
	analyzes string               // the program in the pods
}

// newKubernetes starts a cluster, or skips the test where its program was not built.
func newKubernetes(t *testing.T) *kubernetes {
	t.Helper()
	built := expect.Value(filepath.Abs("../../bin/engines/kubernetes"))(t)
	if _, err := os.Stat(built); err != nil {
		t.Skip("the Kubernetes of this test is not built: make engines")
	}
	k := &kubernetes{t: t, dir: t.TempDir(), port: freePorts(t, 1)[0], program: built, daemons: make(map[string]*exec.Cmd)}
	t.Cleanup(func() {
		for name := range k.daemons {
			k.kill(name)
		}
		for _, pid := range k.tasks("") {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	k.start("control", "control", k.dir, fmt.Sprint(k.port))
	k.until("the API server answers", func() bool { _, err := os.Stat(filepath.Join(k.dir, "kubeconfig")); return err == nil })
	for n := 1; n <= nodes; n++ {
		k.startNode(fmt.Sprint("n", n))
	}
	t.Setenv("KUBECONFIG", filepath.Join(k.dir, "kubeconfig"))
	k.analyzes, k.pods = filepath.Join(home, "analyze"), filepath.Join(k.dir, "pod.yaml")
	k.describePods("none")
	return k
}

// describePods writes the file that says what pods are like. They have the variables of an object store where the test has one.
func (k *kubernetes) describePods(image string) {
	text := fmt.Sprintf("spec:\n  containers:\n  - name: analyze\n    image: %s\n    command: [%s]\n    env:\n", image, k.analyzes)
	text += "    - {name: POD, value: test}\n"
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "AWS_") {
			text += fmt.Sprintf("    - {name: %s, value: %q}\n", name, value)
		}
	}
	expect.OK(k.t, os.WriteFile(k.pods, []byte(text), 0o666))
}

// start starts a daemon, which leads a group of processes.
func (k *kubernetes) start(name string, args ...string) {
	k.t.Helper()
	daemon := exec.Command(k.program, args...)
	log := expect.Value(os.OpenFile(filepath.Join(k.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666))(k.t)
	defer log.Close()
	daemon.Stdout, daemon.Stderr = log, log
	daemon.Env = append(os.Environ(), "TEST_CLUSTER="+k.dir) // by which its processes are found
	daemon.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	expect.OK(k.t, daemon.Start())
	k.daemons[name] = daemon
}

func (k *kubernetes) startNode(name string) { k.start(name, "node", k.dir, name) }

// kill kills a daemon, and nothing that it started.
func (k *kubernetes) kill(name string) {
	k.daemons[name].Process.Kill()
	k.daemons[name].Wait()
}

// until waits for something that comes to be in a while.
func (k *kubernetes) until(what string, is func() bool) {
	k.t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(k.dir, "control.log"))
	k.t.Fatalf("after a minute not yet: %s\n%s", what, log[max(0, len(log)-4000):])
}

// tasks lists the processes of pods that do tasks, on one node or on all.
func (k *kubernetes) tasks(node string) []int {
	return processes(func(line, environment string) bool {
		return strings.Contains(line, "\x00task\x00") && strings.Contains(environment, "\x00KUBERNETES_NODE="+node) && strings.Contains(environment, "\x00TEST_CLUSTER="+k.dir+"\x00")
	})
}

// jobs is how many Jobs of the cluster have not ended; -1 if it does not say. One that has ended may be that of an analysis that was killed:
// where its tasks were done before the next analysis asked for them, Kubernetes deletes it after an hour (ttlSecondsAfterFinished).
func (k *kubernetes) jobs() int {
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // it is our own
	request := expect.Value(http.NewRequest("GET", fmt.Sprintf("https://127.0.0.1:%d/apis/batch/v1/jobs", k.port), nil))(k.t)
	request.Header.Set("Authorization", "Bearer a-token-for-tests")
	response, err := client.Do(request)
	if err != nil {
		return -1
	}
	defer response.Body.Close()
	var list struct {
		Items []struct {
			Status struct{ CompletionTime *time.Time }
		}
	}
	if json.NewDecoder(response.Body).Decode(&list) != nil {
		return -1
	}
	going := 0
	for _, j := range list.Items {
		if j.Status.CompletionTime == nil {
			going++
		}
	}
	return going
}

// analysis starts an analysis of the runs of a lake in pods.
func (k *kubernetes) analysis(lake string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	return program(lake, append([]string{"analyze", "run", "--executor", "kubernetes", "--pod", k.pods, "--memory", "1GiB"}, args...)...)
}

// TestKubernetes sees that an analysis in the pods of a cluster makes the bytes of one process: with a Job for every stage, and with a pod for
// every run, in a folder and in an object store, ingests, too; also when tasks or a node are killed, when the API server ends and is started again, or the analysis itself.
func TestKubernetes(t *testing.T) {
	if testing.Short() {
		t.Skip("a Kubernetes of four nodes takes half a minute")
	}
	k := newKubernetes(t)
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
	for _, how := range [][]string{{"--nodes", "8"}, {"--array", "--nodes", "2"}} {
		lake := copyLake(t, ingested)
		program, said := k.analysis(lake, how...)
		expect.OK(t, program.Start())
		is(strings.Join(how, " "), lake, want, program, said)
	}
	k.ingests(t, laketest.Hashes(t, ingested))
	k.onObjects(t, want)
	wantOne := analyzedOne(t, ingested) // faults meet the tasks of one run
	for _, fault := range []struct {
		what  string
		bring func()
	}{
		{"tasks are killed", func() {
			for _, pid := range k.tasks("") {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}},
		{"a node is killed", func() {
			lost := k.tasks("n1")
			k.kill("n1")
			for _, pid := range lost {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}},
		{"the API server and the controller are killed", func() { k.kill("control"); k.start("control", "control", k.dir, fmt.Sprint(k.port)) }},
	} {
		lake := copyLake(t, ingested)
		program, said := k.analysis(lake, "--nodes", "8", "a")
		expect.OK(t, program.Start())
		k.until("tasks run", func() bool { return len(k.tasks("")) > 0 })
		fault.bring()
		is(fault.what, lake, wantOne, program, said)
	}
	k.startNode("n1")
	lake := copyLake(t, ingested)
	program, _ := k.analysis(lake, "--nodes", "8", "a")
	expect.OK(t, program.Start())
	k.until("tasks run", func() bool { return len(k.tasks("")) > 0 })
	program.Process.Kill()
	program.Wait()
	again, said := k.analysis(lake, "--nodes", "8", "a")
	expect.OK(t, again.Start())
	is("the analysis is killed and started again", lake, wantOne, again, said)
	k.until("no Job goes on", func() bool { return k.jobs() == 0 })
}

// ingests ingests the runs in pods, while tasks are killed.
func (k *kubernetes) ingests(t *testing.T, want map[string]string) {
	t.Helper()
	lake := filepath.Join(t.TempDir(), "lake")
	stop := killTasks(func() []int { return k.tasks("") })
	ingestBoth(t, lake, elsewhereFlags("kubernetes", "--pod", k.pods, "--nodes", "8")...)
	if killed := stop(); killed == 0 {
		t.Error("no task of an ingest was killed")
	}
	laketest.CheckSame(t, "an ingest in pods", laketest.Hashes(t, lake), want)
}

// onObjects makes the same lake in an object store that fails now and then, with a Job for every stage while tasks are killed, and with a pod
// for every run.
func (k *kubernetes) onObjects(t *testing.T, want map[string]string) {
	t.Helper()
	store := objecttest.Start(t)
	k.describePods("none")
	store.Fail(storm())
	for _, how := range [][]string{{"--nodes", "8"}, {"--array", "--nodes", "2"}} {
		name := "pods" + how[0]
		lake := objects(name)
		if how[0] == "--array" {
			ingestBoth(t, lake)
		} else {
			ingestBoth(t, lake, elsewhereFlags("kubernetes", "--pod", k.pods, "--nodes", "8")...)
		}
		stop := func() int { return 1 }
		if how[0] == "--nodes" {
			stop = killTasks(func() []int { return k.tasks("") })
		}
		program, said := k.analysis(lake, how...)
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

// TestPodsThatCannotStart sees that an image that is not there is told, and that pods which do not find the lake say so.
func TestPodsThatCannotStart(t *testing.T) {
	if testing.Short() {
		t.Skip("a Kubernetes of four nodes takes half a minute")
	}
	k := newKubernetes(t)
	lake := filepath.Join(t.TempDir(), "lake")
	must(t, lake, "ingest", "--run", "a", smallTraceFile(t))
	k.describePods("missing/analyze:1")
	program, said := k.analysis(lake, "--patience", "6s")
	if err := program.Run(); exitCode(t, err) != 1 || !strings.Contains(said.String(), "there is no image missing/analyze:1") {
		t.Errorf("%v: %s", err, said)
	}
	text := fmt.Sprintf("spec:\n  containers:\n  - {name: analyze, image: none, command: [%s], env: [{name: TRACELAKE_LAKE, value: /nowhere}]}\n", k.analyzes)
	expect.OK(t, os.WriteFile(k.pods, []byte(text), 0o666))
	program, said = k.analysis(lake, "--patience", "1s", "--attempts", "1")
	if err := program.Run(); exitCode(t, err) != 1 || !strings.Contains(said.String(), "/nowhere") {
		t.Errorf("%v: %s", err, said)
	}
}

// smallTraceFile writes a trace of a few events.
func smallTraceFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "small.txt")
	expect.OK(t, os.WriteFile(path, []byte(small(1)), 0o666))
	return path
}
