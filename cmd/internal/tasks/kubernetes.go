package tasks

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/executors/kubernetes"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// indexed is set where a Job of Kubernetes started this process.
const indexed = "JOB_COMPLETION_INDEX"

// jobs finds the cluster, and what pods are made like.
func (f *Elsewhere) jobs(ctx context.Context, lake string) (*kubernetes.Jobs, error) {
	client, err := kubernetes.Connect()
	if err != nil {
		return nil, err
	}
	var pod kubernetes.Pod
	switch {
	case f.pod != "":
		pod, err = kubernetes.PodFromFile(f.pod)
	case kubernetes.InCluster():
		pod, err = f.ownPod(ctx, client)
	default:
		err = console.Usagef("--executor kubernetes outside of a cluster needs --pod FILE, which says the image and how pods find the lake")
	}
	if err != nil {
		return nil, err
	}
	return &kubernetes.Jobs{
		Client: client, Pod: pod, Pods: f.nodes, Attempts: f.attempts, Patience: f.patience, Warn: func(text string) { f.Logger(f.stderr).Warn(text) },
		Flags: []string{"--lake", pod.Lake(lake), "--quiet", "--jobs", "1", "--memory", f.Memory.String()},
	}, nil
}

// ownPod is a pod like that of this process, with the program that has the command task.
func (f *Elsewhere) ownPod(ctx context.Context, client *kubernetes.Client) (kubernetes.Pod, error) {
	program, err := f.Worker()
	if err != nil {
		return nil, err
	}
	return client.OwnPod(ctx, program)
}

// submitPods has a pod for every run analyze it: each runs this command line, and is told which of the runs is its own.
func (f *Elsewhere) submitPods(ctx context.Context, runs []string, undone func() ([]string, error)) error {
	lake, err := stores.Absolute(f.Lake)
	if err != nil {
		return err
	}
	j, err := f.jobs(ctx, lake)
	if err != nil {
		return err
	}
	args := append(os.Args[1:len(os.Args):len(os.Args)], "--lake", j.Pod.Lake(lake), "--quiet", "--element")
	exit, said, err := j.Each(ctx, "night", len(runs), int64(f.Memory), args, func(done int) {
		f.Logger(f.stderr).Info(fmt.Sprintf("%d of %s analyzed", done, texttab.Plural(int64(len(runs)), "run")))
	})
	if err != nil {
		return err
	}
	if exit != 0 {
		f.Logger(f.stderr).Error(said)
		return console.Exit(exit)
	}
	left, err := undone()
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("the Job says that it ended well, but these runs are not analyzed: %s", strings.Join(left, ", "))
	}
	return err
}
