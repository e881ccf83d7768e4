package kubernetes

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// manifest is a Job of the group batch/v1, as it is sent.
type manifest struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   metadata `json:"metadata"`
	Spec       jobSpec  `json:"spec"`
}

type metadata struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// jobSpec is what of a Job's wishes is used. Each index is a pod of its own, tried again by itself.
type jobSpec struct {
	Mode         string        `json:"completionMode"`
	Completions  int           `json:"completions"`
	Parallelism  int           `json:"parallelism"`
	PerIndex     int           `json:"backoffLimitPerIndex"`
	Policy       failurePolicy `json:"podFailurePolicy"`
	KeptSeconds  int           `json:"ttlSecondsAfterFinished"`
	PodTemplate  any           `json:"template"`
	Replacements string        `json:"podReplacementPolicy"`
}

type failurePolicy struct {
	Rules []failureRule `json:"rules"`
}

type failureRule struct {
	Action       string         `json:"action"`
	OnExitCodes  *exitCodes     `json:"onExitCodes,omitempty"`
	OnConditions []podCondition `json:"onPodConditions,omitempty"`
}

type exitCodes struct {
	Operator string `json:"operator"`
	Values   []int  `json:"values"`
}

type podCondition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

// wrongUsage is the exit code of a command line that no repetition makes right.
const wrongUsage = 2

// kept is for how many seconds a Job that has ended stays where nobody is there any more to delete it.
const kept = 3600

// index is what Kubernetes puts into the place of it: the number of the pod in its Job, from 0.
const index = "$(JOB_COMPLETION_INDEX)"

// order is what a Job is to do.
type order struct {
	what        string            // it is part of the name, as the stage
	key         string            // which says all that makes it another one
	args        []string          // of the program; index stands for the number of the pod
	completions int               // pods that have to end well
	parallelism int               // pods at a time
	bytes       int64             // of memory that a pod asks for, where the template asks for nothing itself
	attempts    int               // at each of them
	annotations map[string]string // for people
}

// name is the same for the same order, so that a process that is started again finds the Job of the one before.
func (o *order) name() string {
	sum := sha256.Sum256([]byte(o.key))
	what := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, o.what)
	return "tracelake-" + what[:min(len(what), 30)] + "-" + hex.EncodeToString(sum[:6])
}

// manifest writes the order as a Job whose pods are like p. A pod that ends with exit code 2 is not tried again, and one that was disturbed
// by the loss of its node does not count as tried.
func (o *order) manifest(p Pod) (*manifest, error) {
	template := Pod(deepCopy(map[string]any(p)).(map[string]any))
	container, err := template.container()
	if err != nil {
		return nil, err
	}
	if _, has := container["command"]; !has {
		container["command"] = []any{"analyze"}
	}
	container["args"] = o.args
	if _, has := container["terminationMessagePolicy"]; !has {
		container["terminationMessagePolicy"] = "FallbackToLogsOnError" // so that its last words are told
	}
	if _, has := container["resources"]; !has {
		container["resources"] = map[string]any{"requests": map[string]any{"cpu": "1", "memory": fmt.Sprintf("%dMi", o.bytes>>20+baseMiB)}}
	}
	spec := template["spec"].(map[string]any)
	spec["restartPolicy"] = "Never" // without it there is no policy for failures
	meta := map[string]any{"labels": map[string]any{}}
	if given, is := template["metadata"].(map[string]any); is {
		for _, field := range []string{"labels", "annotations"} {
			if value, has := given[field]; has {
				meta[field] = value
			}
		}
	}
	labels, is := meta["labels"].(map[string]any)
	if !is {
		return nil, fmt.Errorf("metadata.labels of the pod are no names with values")
	}
	labels[nameLabel] = "tracelake"
	return &manifest{
		APIVersion: "batch/v1", Kind: "Job",
		Metadata: metadata{Name: o.name(), Labels: map[string]string{nameLabel: "tracelake"}, Annotations: o.annotations},
		Spec: jobSpec{
			Mode: "Indexed", Completions: o.completions, Parallelism: max(min(o.parallelism, o.completions), 1), PerIndex: max(o.attempts-1, 0),
			Policy: failurePolicy{[]failureRule{
				{Action: "FailIndex", OnExitCodes: &exitCodes{"In", []int{wrongUsage}}},
				{Action: "Ignore", OnConditions: []podCondition{{"DisruptionTarget", "True"}}},
			}},
			KeptSeconds: kept, PodTemplate: map[string]any{"metadata": meta, "spec": spec}, Replacements: "Failed",
		},
	}, nil
}

// baseMiB is what a process takes beside the memory of its task.
const baseMiB = 128

// nameLabel is the label by which Kubernetes wants programs to be known.
const nameLabel = "app.kubernetes.io/name"

// literal is an argument in which Kubernetes puts nothing in the place of anything.
func literal(arg string) string { return strings.ReplaceAll(arg, "$(", "$$(") }
