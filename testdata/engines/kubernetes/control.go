package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/pkg/controller/job"
)

// token is what a client shows to be let in.
const token = "a-token-for-tests"

// control runs the control plane until ctx ends.
func control(ctx context.Context, dir string, port int) error {
	store, err := startEtcd(dir)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := writeKey(filepath.Join(dir, "accounts.key")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "tokens.csv"), []byte(token+",tester,1,system:masters\n"), 0o600); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		c := app.NewAPIServerCommand()
		c.SetArgs([]string{
			"--etcd-servers=" + store.Clients[0].Addr().String(),
			"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--cert-dir=" + filepath.Join(dir, "certificates"),
			"--token-auth-file=" + filepath.Join(dir, "tokens.csv"), "--authorization-mode=RBAC",
			"--service-account-issuer=https://kubernetes.example", "--service-account-key-file=" + filepath.Join(dir, "accounts.key"),
			"--service-account-signing-key-file=" + filepath.Join(dir, "accounts.key"),
			"--service-cluster-ip-range=10.0.0.0/24", "--endpoint-reconciler-type=none", "--disable-admission-plugins=ServiceAccount", // for whose accounts nobody cares here
			"--max-requests-inflight=0", "--max-mutating-requests-inflight=0", "--enable-priority-and-fairness=false", "--v=0",
		})
		ended <- c.ExecuteContext(ctx)
	}()
	config := filepath.Join(dir, "kubeconfig")
	if err := writeKubeconfig(config+".new", port); err != nil {
		return err
	}
	client, err := untilReady(ctx, config+".new", ended)
	if err != nil {
		return err
	}
	watched := informers.NewSharedInformerFactory(client, 0)
	jobs, err := job.NewController(ctx, watched.Core().V1().Pods(), watched.Batch().V1().Jobs(), client)
	if err != nil {
		return err
	}
	watched.Start(ctx.Done())
	go jobs.Run(ctx, 2)
	go lifecycle(ctx, client)
	if err := os.Rename(config+".new", config); err != nil {
		return err
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	return err
}

// startEtcd starts the store of the cluster, in a folder of its own.
func startEtcd(dir string) (*embed.Etcd, error) {
	c := embed.NewConfig()
	c.Dir, c.LogLevel, c.UnsafeNoFsync = filepath.Join(dir, "etcd"), "error", true
	c.EnableGRPCGateway = false
	any := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	c.ListenClientUrls, c.ListenPeerUrls = []url.URL{any}, []url.URL{any}
	store, err := embed.StartEtcd(c)
	if err != nil {
		return nil, err
	}
	select {
	case <-store.Server.ReadyNotify():
		return store, nil
	case <-time.After(time.Minute):
		store.Close()
		return nil, fmt.Errorf("etcd is not ready after a minute")
	}
}

// writeKey writes the key by which accounts of services are signed, once.
func writeKey(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}

// writeKubeconfig tells clients where the API server is. It trusts the certificate that the server made for itself.
func writeKubeconfig(path string, port int) error {
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: https://127.0.0.1:%d
    certificate-authority: certificates/apiserver.crt
users:
- name: tester
  user:
    token: %s
contexts:
- name: test
  context: {cluster: test, user: tester, namespace: default}
current-context: test
`, port, token)
	return os.WriteFile(path, []byte(text), 0o600)
}

// clientOf is a client of the cluster that a kubeconfig names.
func clientOf(path string) (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, err
	}
	config.QPS = -1 // as fast as they come
	return kubernetes.NewForConfig(config)
}

// untilReady waits for the API server, which makes itself a certificate first.
func untilReady(ctx context.Context, config string, ended <-chan error) (*kubernetes.Clientset, error) {
	for range 1200 {
		client, err := clientOf(config)
		if err == nil {
			if _, err = client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{}); err == nil {
				return client, nil
			}
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("the API server ended: %w", err)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("the API server is not ready after two minutes")
}

// silence is after how long without a word from a node its pods are given up. Kubernetes waits for minutes.
const silence = 3 * time.Second

// lifecycle stands in for the controllers of nodes, taints and forgotten pods: the pods of a node that says nothing any more fail, with the
// condition that Kubernetes gives them then.
func lifecycle(ctx context.Context, client *kubernetes.Clientset) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
		nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			slog.Warn(err.Error())
			continue
		}
		for _, n := range nodes.Items {
			if time.Since(lastWord(&n)) < silence {
				continue
			}
			if err := giveUp(ctx, client, n.Name); err != nil {
				slog.Warn(err.Error())
			}
		}
	}
}

// lastWord is when a node said last that it lives.
func lastWord(n *corev1.Node) time.Time {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.LastHeartbeatTime.Time
		}
	}
	return n.CreationTimestamp.Time
}

// giveUp has the pods of a node fail, and forgets the node.
func giveUp(ctx context.Context, client *kubernetes.Clientset, name string) error {
	pods, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=" + name})
	if err != nil {
		return err
	}
	for _, p := range pods.Items {
		if p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
			continue
		}
		p.Status.Phase = corev1.PodFailed
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "DeletionByTaintManager", Message: "the node says nothing any more",
			LastTransitionTime: metav1.Now(),
		})
		if _, err := client.CoreV1().Pods(p.Namespace).UpdateStatus(ctx, &p, metav1.UpdateOptions{}); err != nil && !errors.IsConflict(err) && !errors.IsNotFound(err) {
			return err
		}
	}
	err = client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
	if errors.IsNotFound(err) {
		return nil
	}
	return err
}
