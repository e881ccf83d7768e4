package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/goccy/go-yaml"
)

// Pod is what pods are made like: a PodTemplateSpec of Kubernetes, or a Pod, as it is written. Fields that Kubernetes has and this program does
// not know stay as they are.
type Pod map[string]any

// PodFromFile reads a file of YAML or JSON.
func PodFromFile(path string) (Pod, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var p Pod
	if err := yaml.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, false))
	}
	if _, err := p.container(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// OwnPod is a pod like the one in which this process runs: its image, volumes, account and wishes. It runs a program.
func (c *Client) OwnPod(ctx context.Context, program string) (Pod, error) {
	name, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	var own Pod
	err = c.do(ctx, http.MethodGet, core, "pods/"+name, nil, nil, &own)
	if isCode(err, http.StatusNotFound) {
		return nil, fmt.Errorf("there is no pod %s in the namespace %s, after which others could be made: name a file (--pod)", name, c.Namespace)
	}
	if err != nil {
		return nil, err
	}
	return own.again(program)
}

// again is a template for pods like one that runs: without what the cluster added to it, what belongs to that one pod alone, and the memory that
// it asks for, as tasks ask for theirs.
func (p Pod) again(program string) (Pod, error) {
	container, err := p.container()
	if err != nil {
		return nil, err
	}
	for _, field := range []string{"args", "ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "stdin", "tty", "resources", "terminationMessagePolicy"} {
		delete(container, field)
	}
	container["command"] = []any{program}
	spec := p["spec"].(map[string]any)
	spec["containers"] = []any{container}
	for _, field := range []string{"nodeName", "hostname", "subdomain", "initContainers", "ephemeralContainers", "priority", "preemptionPolicy", "schedulingGates"} {
		delete(spec, field)
	}
	var injected []string
	if volumes, is := spec["volumes"].([]any); is {
		spec["volumes"], injected = withoutInjected(volumes)
	}
	if mounts, is := container["volumeMounts"].([]any); is {
		container["volumeMounts"] = without(mounts, injected)
	}
	return Pod{"spec": spec}, nil
}

// withoutInjected leaves out the volumes with tokens, which the cluster adds to every pod anew, and names them.
func withoutInjected(volumes []any) (kept []any, injected []string) {
	for _, v := range volumes {
		volume, _ := v.(map[string]any)
		name, _ := volume["name"].(string)
		if len(name) > len("kube-api-access-") && name[:len("kube-api-access-")] == "kube-api-access-" {
			injected = append(injected, name)
			continue
		}
		kept = append(kept, v)
	}
	return kept, injected
}

// without leaves out the mounts of some volumes.
func without(mounts []any, volumes []string) (kept []any) {
	for _, m := range mounts {
		mount, _ := m.(map[string]any)
		injected := false
		for _, name := range volumes {
			injected = injected || mount["name"] == name
		}
		if !injected {
			kept = append(kept, m)
		}
	}
	return kept
}

// container is the first of the pod, which does the work.
func (p Pod) container() (map[string]any, error) {
	spec, is := p["spec"].(map[string]any)
	if !is {
		return nil, errors.New("a pod has a field spec with its containers, as in {spec: {containers: [{name: analyze, image: IMAGE}]}}")
	}
	containers, _ := spec["containers"].([]any)
	if len(containers) == 0 {
		return nil, errors.New("spec.containers has no container: the first one does the work")
	}
	container, is := containers[0].(map[string]any)
	if !is {
		return nil, errors.New("spec.containers[0] is no container: it needs a name and an image")
	}
	return container, nil
}

// LakeVariable is the variable of a container by which a pod says where it finds the lake, if not at the path of this process.
const LakeVariable = "TRACELAKE_LAKE"

// Lake is the folder of the lake as pods find it.
func (p Pod) Lake(here string) string {
	container, err := p.container()
	if err != nil {
		return here
	}
	variables, _ := container["env"].([]any)
	for _, v := range variables {
		variable, _ := v.(map[string]any)
		if value, is := variable["value"].(string); is && variable["name"] == LakeVariable {
			return value
		}
	}
	return here
}

// deepCopy copies maps and lists of a pod, so that a change of one is none of the other.
func deepCopy(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for k, v := range value {
			out[k] = deepCopy(v)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, v := range value {
			out[i] = deepCopy(v)
		}
		return out
	}
	return value
}
