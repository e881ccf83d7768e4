package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// places is how many pods a node runs at a time.
const places = 2

// agent is what runs the pods of a node, and chooses them, too: there is no scheduler.
type agent struct {
	client *kubernetes.Clientset
	name   string
	logs   string // the folder of what pods print

	mu      sync.Mutex
	running map[types.UID]context.CancelFunc // pods
}

// node runs pods until ctx ends.
func node(ctx context.Context, dir, name string) error {
	client, err := clientOf(filepath.Join(dir, "kubeconfig"))
	if err != nil {
		return err
	}
	a := &agent{client: client, name: name, logs: filepath.Join(dir, "logs"), running: make(map[types.UID]context.CancelFunc)}
	if err := os.MkdirAll(a.logs, 0o755); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := a.live(ctx); err != nil {
			slog.Warn(name + ": " + err.Error())
		} else if err := a.look(ctx); err != nil {
			slog.Warn(name + ": " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

// live says that the node lives.
func (a *agent) live(ctx context.Context) error {
	nodes := a.client.CoreV1().Nodes()
	n, err := nodes.Get(ctx, a.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		n, err = nodes.Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: a.name}}, metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	if len(n.Status.Conditions) > 0 && time.Since(lastWord(n)) < time.Second {
		return nil
	}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.Now(), Reason: "Lives"}}
	_, err = nodes.UpdateStatus(ctx, n, metav1.UpdateOptions{})
	return err
}

// look ends pods that are to end, and takes new ones while it has places.
func (a *agent) look(ctx context.Context) error {
	pods, err := a.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	there := make(map[types.UID]bool)
	for i := range pods.Items {
		p := &pods.Items[i]
		there[p.UID] = p.DeletionTimestamp == nil
		switch {
		case p.Spec.NodeName == a.name && p.DeletionTimestamp != nil && !a.runs(p.UID):
			now := int64(0)
			if err := a.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil && !apierrors.IsNotFound(err) {
				return err
			}
		case p.Spec.NodeName == a.name && p.DeletionTimestamp == nil && p.Status.Phase == corev1.PodPending && !a.runs(p.UID):
			a.start(ctx, p) // which was bound before this process began
		case p.Spec.NodeName == "" && p.DeletionTimestamp == nil && a.count() < places && len(p.Spec.SchedulingGates) == 0:
			binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: p.Name, Namespace: p.Namespace}, Target: corev1.ObjectReference{Kind: "Node", Name: a.name}}
			if err := a.client.CoreV1().Pods(p.Namespace).Bind(ctx, binding, metav1.CreateOptions{}); err != nil {
				continue // another node was faster
			}
			a.start(ctx, p)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for uid, end := range a.running {
		if !there[uid] {
			end()
		}
	}
	return nil
}

func (a *agent) runs(uid types.UID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.running[uid] != nil
}

func (a *agent) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.running)
}

// start runs a pod beside the others.
func (a *agent) start(ctx context.Context, p *corev1.Pod) {
	inner, end := context.WithCancel(ctx)
	a.mu.Lock()
	a.running[p.UID] = end
	a.mu.Unlock()
	go func() {
		defer func() {
			end()
			a.mu.Lock()
			delete(a.running, p.UID)
			a.mu.Unlock()
		}()
		a.run(inner, p)
	}()
}

// run runs the command of a pod's only container. An image that is named missing cannot be had.
func (a *agent) run(ctx context.Context, p *corev1.Pod) {
	container := &p.Spec.Containers[0]
	if strings.HasPrefix(container.Image, "missing") {
		a.tell(ctx, p, corev1.PodPending, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "there is no image " + container.Image}})
		<-ctx.Done()
		return
	}
	environment := map[string]string{}
	for _, v := range container.Env {
		value := v.Value
		if v.ValueFrom != nil && v.ValueFrom.FieldRef != nil {
			value = field(p, v.ValueFrom.FieldRef.FieldPath)
		}
		environment[v.Name] = value
	}
	expand := func(words []string) (out []string) {
		for _, w := range words {
			for name, value := range environment {
				w = strings.ReplaceAll(w, "$("+name+")", value)
			}
			out = append(out, w)
		}
		return out
	}
	words := append(expand(container.Command), expand(container.Args)...)
	if len(words) == 0 {
		a.end(p, 127, "the container has no command, and its image is not looked into here")
		return
	}
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Env = append(os.Environ(), "KUBERNETES_NODE="+a.name) // by which tests find the processes of a node
	for name, value := range environment {
		c.Env = append(c.Env, name+"="+value)
	}
	said := filepath.Join(a.logs, p.Name+".log")
	log, err := os.Create(said)
	if err != nil {
		a.end(p, 128, err.Error())
		return
	}
	defer log.Close()
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	a.tell(ctx, p, corev1.PodRunning, corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}})
	code := 0
	if err := c.Run(); err != nil {
		code = 128
		if failed := new(exec.ExitError); errors.As(err, &failed) {
			if code = failed.ExitCode(); code < 0 { // by a signal
				code = 128 + int(failed.Sys().(syscall.WaitStatus).Signal())
			}
		}
	}
	if ctx.Err() == nil {
		a.end(p, code, lastWords(said))
	}
}

// lastWords are the end of what a pod printed: where its terminationMessagePolicy is FallbackToLogsOnError, as much as Kubernetes keeps of it.
func lastWords(path string) string {
	text, _ := os.ReadFile(path)
	return string(text[max(0, len(text)-2048):])
}

// field returns a field of a pod, as far as Jobs name such.
func field(p *corev1.Pod, path string) string {
	for key, value := range p.Annotations {
		if path == "metadata.annotations['"+key+"']" {
			return value
		}
	}
	for key, value := range p.Labels {
		if path == "metadata.labels['"+key+"']" {
			return value
		}
	}
	if path == "metadata.name" {
		return p.Name
	}
	return ""
}

// end tells how a pod ended, until the API server has heard it.
func (a *agent) end(p *corev1.Pod, code int, message string) {
	phase, reason := corev1.PodSucceeded, "Completed"
	if code != 0 {
		phase, reason = corev1.PodFailed, "Error"
	}
	state := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: int32(code), Reason: reason, Message: message, FinishedAt: metav1.Now()}}
	for range 600 {
		if err := a.tell(context.Background(), p, phase, state); err == nil || apierrors.IsNotFound(err) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// tell writes the state of a pod and of its container.
func (a *agent) tell(ctx context.Context, p *corev1.Pod, phase corev1.PodPhase, state corev1.ContainerState) error {
	pods := a.client.CoreV1().Pods(p.Namespace)
	now, err := pods.Get(ctx, p.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if now.UID != p.UID || now.Status.Phase == corev1.PodFailed {
		return apierrors.NewNotFound(corev1.Resource("pods"), p.Name)
	}
	now.Status.Phase = phase
	now.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: now.Spec.Containers[0].Name, Image: now.Spec.Containers[0].Image, State: state}}
	if _, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("pod %s: %w", p.Name, err)
	}
	return nil
}
