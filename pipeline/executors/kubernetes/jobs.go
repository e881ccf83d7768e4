package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/pipeline/executors"
)

// Jobs makes Jobs of a cluster and waits for them.
type Jobs struct {
	Client   *Client
	Pod      Pod           // what pods are made like
	Pods     int           // at a time
	Flags    []string      // in front of the program's command
	Attempts int           // at a pod that fails
	Patience time.Duration // with a cluster that does not answer, or does not start pods
	Warn     func(string)  // takes a sentence
}

// Launch does tasks of a stage by a Job whose pods do a share of them each. It implements executors.Launch.
func (j *Jobs) Launch(ctx context.Context, w executors.Work) error {
	pods := min(len(w.Tasks), max(j.Pods, 1))
	tasks := executors.FormatTasks(w.Tasks)
	o := &order{
		what: w.Stage, key: strings.Join([]string{w.Lake, w.Run, w.Stage, w.Fingerprint, tasks}, "\x00"),
		completions: pods, parallelism: pods, bytes: w.Bytes, attempts: j.Attempts,
		annotations: map[string]string{"tracelake/run": w.Run, "tracelake/stage": w.Stage, "tracelake/tasks": tasks},
	}
	for _, arg := range append(slices.Clone(j.Flags), "task", w.Run, w.Stage, tasks, "--share") {
		o.args = append(o.args, literal(arg))
	}
	o.args = append(o.args, fmt.Sprintf("%s/%d", index, pods))
	ended, err := j.do(ctx, o, nil)
	switch {
	case err != nil:
		return err
	case ended.exit == wrongUsage:
		return &executors.FinalError{Err: errors.New(ended.said)}
	case ended.exit != 0:
		return errors.New(ended.said)
	}
	return nil
}

// Each does n things by a Job of a pod each: args with the number of the thing behind them. Done is told when more of them have ended well.
// It returns the greatest exit code of a pod, with its last words.
func (j *Jobs) Each(ctx context.Context, what string, n int, bytes int64, args []string, done func(int)) (exit int, said string, err error) {
	o := &order{
		what: what, key: strings.Join(append([]string{what, fmt.Sprint(n)}, args...), "\x00"),
		completions: n, parallelism: j.Pods, bytes: bytes, attempts: j.Attempts,
	}
	for _, arg := range args {
		o.args = append(o.args, literal(arg))
	}
	o.args = append(o.args, index)
	ended, err := j.do(ctx, o, done)
	return ended.exit, ended.said, err
}

// ending is how a Job ended: 0 and nothing if well.
type ending struct {
	exit int    // the greatest exit code of a pod that counted
	said string // its last words
}

// lookAgain is how often a Job is asked for, and whyNot how often its pods are when none gets ready.
const (
	lookAgain = 250 * time.Millisecond
	whyNot    = 5 * time.Second
)

// do makes a Job, or finds that of a process before, waits for its end, and deletes it.
func (j *Jobs) do(ctx context.Context, o *order, done func(int)) (ending, error) {
	m, err := o.manifest(j.Pod)
	if err != nil {
		return ending{}, err
	}
	if err := j.make(ctx, m); err != nil {
		return ending{}, err
	}
	ended, err := j.wait(ctx, m.Metadata.Name, done)
	// Pods of a Job that is given up must end, too, even when ctx has ended.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if failed := j.delete(last, m.Metadata.Name); failed != nil && err == nil && j.Warn != nil {
		j.Warn(fmt.Sprintf("the Job %s stays where it is, for %d seconds: %v", m.Metadata.Name, kept, failed))
	}
	return ended, err
}

// insist repeats a request until it is answered, or patience ends.
func (j *Jobs) insist(ctx context.Context, request func() error) error {
	began := time.Now()
	for {
		err := request()
		switch {
		case !mayPass(err) || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case time.Since(began) > j.Patience:
			return fmt.Errorf("for %s: %w", time.Since(began).Round(time.Second), err)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
}

// make makes a Job. One of the same name is of a process before: where it goes on it is taken over, and one that has ended makes room.
func (j *Jobs) make(ctx context.Context, m *manifest) error {
	for {
		err := j.insist(ctx, func() error { return j.Client.do(ctx, http.MethodPost, batch, "jobs", nil, m, nil) })
		if !isCode(err, http.StatusConflict) {
			return err
		}
		var there job
		err = j.insist(ctx, func() error {
			return j.Client.do(ctx, http.MethodGet, batch, "jobs/"+m.Metadata.Name, nil, nil, &there)
		})
		switch {
		case isCode(err, http.StatusNotFound): // it went meanwhile
			continue
		case err != nil:
			return err
		case there.ended() == "" && there.Metadata.Deleted == nil:
			return nil
		}
		if err := j.delete(ctx, m.Metadata.Name); err != nil {
			return err
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// delete deletes a Job with its pods. One that is not there is deleted.
func (j *Jobs) delete(ctx context.Context, name string) error {
	err := j.insist(ctx, func() error {
		return j.Client.do(ctx, http.MethodDelete, batch, "jobs/"+name, url.Values{"propagationPolicy": {"Background"}}, nil, nil)
	})
	if isCode(err, http.StatusNotFound) {
		return nil
	}
	return err
}

// job is what of a Job's state is looked at.
type job struct {
	Metadata struct {
		Deleted *time.Time `json:"deletionTimestamp"`
	} `json:"metadata"`
	Status struct {
		Conditions []struct {
			Type    string `json:"type"`
			Status  string `json:"status"`
			Message string `json:"message"`
		} `json:"conditions"`
		Ready     int `json:"ready"`
		Succeeded int `json:"succeeded"`
	} `json:"status"`
}

// ended is how a Job has ended, Complete or Failed; nothing: it has not.
func (j *job) ended() string {
	for _, c := range j.Status.Conditions {
		if c.Status == "True" && (c.Type == "Complete" || c.Type == "Failed") {
			return c.Type
		}
	}
	return ""
}

// wait waits for the end of a Job.
func (j *Jobs) wait(ctx context.Context, name string, done func(int)) (ending, error) {
	stuck, looked, told, succeeded := time.Now(), time.Now(), "", 0
	for {
		var now job
		if err := j.insist(ctx, func() error { return j.Client.do(ctx, http.MethodGet, batch, "jobs/"+name, nil, nil, &now) }); err != nil {
			return ending{}, err
		}
		if now.Status.Succeeded != succeeded && done != nil {
			done(now.Status.Succeeded)
		}
		if how := now.ended(); how == "Complete" {
			return ending{}, nil
		} else if how == "Failed" {
			pods, err := j.pods(ctx, name)
			return endingOf(pods), err
		}
		// Pods that wait for something that does not come are told, and given up at last.
		if now.Status.Ready > 0 || now.Status.Succeeded != succeeded {
			stuck = time.Now()
		}
		succeeded = now.Status.Succeeded
		if time.Since(stuck) > whyNot && time.Since(looked) > whyNot {
			pods, err := j.pods(ctx, name)
			if err != nil {
				return ending{}, err
			}
			looked = time.Now()
			why := waitingFor(pods)
			if why != "" && why != told && j.Warn != nil {
				j.Warn(why)
			}
			if told = why; why == "" {
				stuck = time.Now() // they run, but are not yet said to be ready
			} else if time.Since(stuck) > j.Patience {
				return ending{}, fmt.Errorf("for %s no pod started: %s", time.Since(stuck).Round(time.Second), why)
			}
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return ending{}, ctx.Err()
		}
	}
}

// pod is what of a pod's state is looked at.
type pod struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Status struct {
		Phase      string `json:"phase"`
		Conditions []struct {
			Type    string `json:"type"`
			Status  string `json:"status"`
			Reason  string `json:"reason"`
			Message string `json:"message"`
		} `json:"conditions"`
		Containers []struct {
			State struct {
				Waiting *struct {
					Reason  string `json:"reason"`
					Message string `json:"message"`
				} `json:"waiting"`
				Terminated *struct {
					ExitCode int    `json:"exitCode"`
					Reason   string `json:"reason"`
					Message  string `json:"message"`
				} `json:"terminated"`
			} `json:"state"`
		} `json:"containerStatuses"`
	} `json:"status"`
}

// pods lists those of a Job.
func (j *Jobs) pods(ctx context.Context, name string) ([]pod, error) {
	var list struct {
		Items []pod `json:"items"`
	}
	query := url.Values{"labelSelector": {"batch.kubernetes.io/job-name=" + name}}
	err := j.insist(ctx, func() error { return j.Client.do(ctx, http.MethodGet, core, "pods", query, nil, &list) })
	return list.Items, err
}

// endingOf is the worst that became of pods.
func endingOf(pods []pod) ending {
	worst := ending{1, "a pod failed, and is not there any more to say why"}
	for _, p := range pods {
		for _, c := range p.Status.Containers {
			end := c.State.Terminated
			if end == nil || end.ExitCode == 0 || end.ExitCode < worst.exit {
				continue
			}
			said := strings.TrimSpace(end.Message)
			if said == "" || end.Reason == "OOMKilled" {
				said = strings.TrimSpace(end.Reason + " " + said)
			}
			worst = ending{end.ExitCode, fmt.Sprintf("pod %s ended with exit code %d: %s", p.Metadata.Name, end.ExitCode, said)}
		}
	}
	return worst
}

// waitingFor says what pods wait for that do not start; nothing if some run.
func waitingFor(pods []pod) (why string) {
	for _, p := range pods {
		if p.Status.Phase == "Running" {
			return ""
		}
		for _, c := range p.Status.Conditions {
			if c.Type == "PodScheduled" && c.Status == "False" {
				why = fmt.Sprintf("pod %s finds no node: %s", p.Metadata.Name, c.Message)
			}
		}
		for _, c := range p.Status.Containers {
			if w := c.State.Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
				why = fmt.Sprintf("pod %s waits: %s: %s", p.Metadata.Name, w.Reason, w.Message)
			}
		}
	}
	return why
}
