package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
)

// pages are what a reader asks of a run and its comparison, in the order in which a browser does.
var pages = []string{
	"/api/lake", "/api/run/a/lanes", "/api/run/a/window?from=0&to=3000000&pixels=1600&depths=64&lanes=0-39&most=1500",
	"/api/run/a/messages?from=0&to=3000000&pixels=1600&depths=64&lanes=0-39&most=1500", "/api/run/a/fragments", "/api/run/a/critical",
	"/api/run/a/durations", "/api/run/a/signals", "/api/comparison/ab", "/api/comparison/ab/verdict", "/api/query/self-time", "/report/ab", "/report/a",
}

// serve starts the server, asks it for the pages, and ends it. A page may be refused; the server may not fail.
func (p *player) serve(ctx context.Context) played {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	c, said := p.prepared(ctx, []string{"analyze", "serve"}, p.memory)
	out, err := c.StdoutPipe()
	if err != nil {
		return played{fault: err.Error()}
	}
	if err := c.Start(); err != nil {
		return played{fault: err.Error()}
	}
	asked := ask(ctx, bufio.NewReader(out))
	c.Process.Signal(os.Interrupt) // it may have ended already
	did := p.judged(c, said.String(), c.Wait(), ctx.Err())
	// What the server could not answer is told only where it did not end with the sentence, which explains it.
	if asked != nil && !did.ended && did.fault == "" {
		did.fault = asked.Error()
	}
	return did
}

// ask gets the pages from the address that the server prints.
func ask(ctx context.Context, printed *bufio.Reader) error {
	address, err := printed.ReadString('\n')
	if err != nil {
		return fmt.Errorf("no address: %w", err)
	}
	at, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client := &http.Client{Jar: jar}
	for _, page := range append([]string{"/?" + at.RawQuery}, pages...) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at.Host+page, nil)
		if err != nil {
			return err
		}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
		if answer.StatusCode >= http.StatusInternalServerError && !strings.Contains(string(body), "--memory") {
			return fmt.Errorf("%s: %s: %s", page, answer.Status, body)
		}
	}
	return nil
}
