// Command kubernetes is a Kubernetes for tests on one machine: the API server and the job controller of Kubernetes over an embedded etcd,
// and nodes that run the command of a pod as a process, without containers.
//
//	kubernetes control DIR PORT   the control plane, whose state is in DIR and outlives it; writes DIR/kubeconfig when it is ready
//	kubernetes node DIR NAME      a node, for as long as its process lives
//
// It is a module of its own, so that the product does not depend on Kubernetes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kubernetes:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(args) == 3 && args[0] == "control" {
		port, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return control(ctx, args[1], port)
	}
	if len(args) == 3 && args[0] == "node" {
		return node(ctx, args[1], args[2])
	}
	return fmt.Errorf("usage: kubernetes control DIR PORT | kubernetes node DIR NAME")
}
