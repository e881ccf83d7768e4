package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"
)

const (
	tick   = 10 * time.Millisecond
	marked = 25 // ticks between two executions of the marker
)

// send sends the trace: in every tick all executions that are due, each after the other on the lane of its component. The n-th execution of the
// marker lasts n ns, from which numbered knows it again.
func (t *trial) send(ctx context.Context, to net.Conn) error {
	defer to.Close()
	began := time.Now()
	var b []byte
	rng := rand.New(rand.NewPCG(1, 1))
	event := func(ns int64, component string, number int, sign string) {
		b = strconv.AppendInt(b, ns/1e9, 10)
		b = append(b, '.')
		for digits := int64(1e8); digits > 0; digits /= 10 {
			b = append(b, '0'+byte(ns/digits%10))
		}
		b = append(append(b, ' '), component...)
		if number >= 0 {
			b = strconv.AppendInt(b, int64(number), 10)
		}
		b = append(b, sign...)
	}
	markers, done, at := int64(0), 0, int64(0) // the time of the trace
	for n := 1; ctx.Err() == nil; n++ {
		due := int(float64(t.rate) * time.Since(began).Seconds())
		if b = b[:0]; n%marked == 0 {
			markers++
			event(at, "marker", -1, " > f\n")
			at += markers
			event(at, "marker", -1, " < f\n")
		}
		step := max(1, (time.Since(began).Nanoseconds()-at)/int64(max(1, due-done)))
		for ; done < due; at, done = at+step, done+1 {
			c := rng.IntN(t.components)
			event(at, "component-", c, " > f\n")
			event(at+step/2, "component-", c, " < f\n")
		}
		if n%marked == 0 {
			t.mu.Lock()
			t.sent[markers] = time.Now()
			t.markers = append(t.markers, t.sent[markers])
			t.mu.Unlock()
		}
		if _, err := to.Write(b); err != nil {
			return fmt.Errorf("the traced system is held up: %w", err)
		}
		time.Sleep(max(0, time.Duration(n)*tick-time.Since(began)))
	}
	fmt.Fprintf(t.out, "%d executions in %.1f s\n", done, time.Since(began).Seconds())
	return nil
}

// numbered is the number of the last execution of the marker that a run has, given how many it has, one after the other, and the sum of their
// times: in a series a run begins with any of them.
func numbered(calls, busyNs int64) int64 {
	if calls == 0 {
		return 0
	}
	return (2*busyNs/calls + calls - 1) / 2
}
