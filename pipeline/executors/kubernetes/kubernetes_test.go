package kubernetes

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// write writes a file of a test and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	expect.OK(t, os.WriteFile(path, []byte(text), 0o755))
	return path
}

// TestKubeconfig sees that the current context is found over several files, of which the first one that names something holds, and that a token
// comes from the file, from another file beside it, or from a program, which is asked once while its answer is good.
func TestKubeconfig(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "token", "from-file\n")
	plugin := write(t, dir, "plugin", `#!/bin/sh
echo >>`+dir+`/asked
echo '{"status": {"token": "'$WORD-$1'", "expirationTimestamp": "2100-01-01T00:00:00Z"}}'
`)
	first := write(t, dir, "first", `
current-context: work
clusters: [{name: there, cluster: {server: "https://first.example/", insecure-skip-tls-verify: true}}]
contexts: [{name: work, context: {cluster: there, user: somebody, namespace: traces}}]
`)
	for name, c := range map[string]struct{ user, token string }{
		"token":  {`{token: plain}`, "plain"},
		"file":   {`{tokenFile: token}`, "from-file"},
		"plugin": {fmt.Sprintf(`{exec: {apiVersion: client.authentication.k8s.io/v1, command: %s, args: [last], env: [{name: WORD, value: first}]}}`, plugin), "first-last"},
	} {
		second := write(t, dir, "second", "current-context: other\nclusters: [{name: there, cluster: {server: https://second.example}}]\nusers: [{name: somebody, user: "+c.user+"}]\n")
		client, err := fromFiles([]string{first, filepath.Join(dir, "missing"), second})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if token, err := client.token(); err != nil || token != c.token || client.Server != "https://first.example" || client.Namespace != "traces" {
				t.Errorf("%s: %s in %s by %q, %v", name, client.Server, client.Namespace, token, err)
			}
		}
	}
	if asked := expect.Value(os.ReadFile(filepath.Join(dir, "asked")))(t); len(asked) != 1 {
		t.Errorf("the program was asked %d times", len(asked))
	}
	for text, want := range map[string]string{
		"current-context: gone": `the current context "gone" is not there`,
		"current-context: a\ncontexts: [{name: a, context: {cluster: b}}]":                                 "names the cluster b, which is not there",
		"current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nclusters: [{name: b}]": "names the user c, who is not there",
		"current-context: [": "[1:18]",
		"current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nclusters: [{name: b, cluster: {certificate-authority-data: YWJj}}]\nusers: [{name: c}]": "authority cannot be read",
	} {
		if _, err := fromFiles([]string{write(t, dir, "wrong", text)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// ownPod is a pod as a cluster tells of it, shortened.
const ownPod = `{"metadata": {"name": "night-1", "uid": "u"}, "status": {"phase": "Running"}, "spec": {
	"nodeName": "n7", "serviceAccountName": "tracelake", "priority": 0, "restartPolicy": "OnFailure", "initContainers": [{"name": "fetch"}],
	"volumes": [{"name": "lake", "persistentVolumeClaim": {"claimName": "lake"}}, {"name": "kube-api-access-x7", "projected": {}}],
	"containers": [
		{"name": "analyze", "image": "site/tracelake:7", "args": ["run"], "livenessProbe": {}, "terminationMessagePolicy": "File", "resources": {"limits": {"cpu": "1"}}, "env": [{"name": "TRACELAKE_LAKE", "value": "/lake"}],
		 "volumeMounts": [{"name": "lake", "mountPath": "/lake"}, {"name": "kube-api-access-x7", "mountPath": "/var/run/secrets"}]},
		{"name": "proxy"}]}}`

// TestManifest sees the Job that is sent for a stage, whose pods are like the one in which the analysis runs.
func TestManifest(t *testing.T) {
	var own Pod
	expect.OK(t, json.Unmarshal([]byte(ownPod), &own))
	p := expect.Value(own.again("/opt/analyze"))(t)
	if p.Lake("/here") != "/lake" || (Pod{}).Lake("/here") != "/here" {
		t.Error("the lake is at", p.Lake("/here"))
	}
	o := &order{what: "call_paths", key: "k", args: []string{literal("$(PATH)"), index + "/3"}, completions: 3, parallelism: 8, bytes: 100 << 20, attempts: 3}
	text := expect.Value(json.MarshalIndent(expect.Value(o.manifest(p))(t), "", " "))(t)
	if want := expect.Value(os.ReadFile("testdata/job.json"))(t); string(text)+"\n" != string(want) {
		t.Errorf("the Job is\n%s", text)
	}
	if again := expect.Value(json.MarshalIndent(expect.Value(o.manifest(p))(t), "", " "))(t); string(again) != string(text) {
		t.Error("the template was changed when it was used")
	}
	other := *o
	other.key = "l"
	if o.name() == other.name() {
		t.Error("two orders have one name:", o.name())
	}
}

// TestRefusals sees that a server which is out of order is asked again, and that a refusal says what lacks.
func TestRefusals(t *testing.T) {
	var asked int
	answers := []int{503, 429, 500, 403}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(answers[min(asked, len(answers)-1)])
		asked++
		fmt.Fprint(w, `{"kind": "Status", "message": "jobs.batch is forbidden", "reason": "Forbidden"}`)
	}))
	defer server.Close()
	j := &Jobs{Client: newClient(server.URL, "default", nil, nil), Patience: time.Minute}
	_, err := j.pods(context.Background(), "a")
	if err == nil || asked != 4 || !strings.Contains(err.Error(), "jobs.batch is forbidden") || !strings.Contains(err.Error(), "needs a role") {
		t.Errorf("asked %d times: %v", asked, err)
	}
	answers, asked, j.Patience = []int{503}, 0, 0
	if _, err := j.pods(context.Background(), "a"); err == nil || asked == 0 || asked > 2 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	if err := j.Client.do(context.Background(), http.MethodGet, core, "pods", url.Values{}, nil, nil); !isCode(err, 503) {
		t.Error(err)
	}
}

// TestWaitingFor sees why pods do not start, and that of many which fail the worst is told.
func TestWaitingFor(t *testing.T) {
	read := func(text string) (pods []pod) {
		expect.OK(t, json.Unmarshal([]byte(text), &pods))
		return pods
	}
	unschedulable := `{"metadata": {"name": "a"}, "status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "message": "0/3 nodes have 9Ti"}]}}`
	creating := `{"metadata": {"name": "b"}, "status": {"phase": "Pending", "containerStatuses": [{"state": {"waiting": {"reason": "ContainerCreating"}}}]}}`
	running := `{"metadata": {"name": "c"}, "status": {"phase": "Running"}}`
	for text, want := range map[string]string{
		"[" + unschedulable + "]":                 "pod a finds no node: 0/3 nodes have 9Ti",
		"[" + creating + "]":                      "",
		"[" + unschedulable + "," + running + "]": "",
	} {
		if got := waitingFor(read(text)); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	failed := `{"metadata": {"name": "d"}, "status": {"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": %d, "reason": "%s", "message": "last words\n"}}}]}}`
	pods := read("[" + fmt.Sprintf(failed, 2, "Error") + "," + fmt.Sprintf(failed, 137, "OOMKilled") + "," + fmt.Sprintf(failed, 1, "Error") + "]")
	if got := endingOf(pods); got.exit != 137 || got.said != "pod d ended with exit code 137: OOMKilled last words" {
		t.Error(got)
	}
	if got := endingOf(nil); got.exit == 0 {
		t.Error("a Job without pods did not end well:", got)
	}
}
