package serve

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/mapping"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/pipeline/views"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/stages/chart/componentmodel"
)

// command is analyze serve with its flags.
type command struct {
	*console.Globals
	stdout, stderr io.Writer

	listen string
	open   bool
	sql    bool
	file   string // of the component model; "" for none
	model  *componentmodel.Model
}

// Command returns the command.
func Command(g *console.Globals, stdout, stderr io.Writer) *cobra.Command {
	f := &command{Globals: g, stdout: stdout, stderr: stderr}
	c := &cobra.Command{
		Use: "serve", Short: "Show the lake in a browser: runs, comparisons, queries, timelines",
		Long: `Serves pages of the lake to a browser on this machine, until it is interrupted. What other commands commit meanwhile shows
without a restart. It reads the lake and writes nothing.

The address that it prints has a token, which the browser keeps as a cookie: other users of this machine, and pages of other sites,
get no answer. After it was opened once, links to pages of the same server work wherever they stand, until it ends: the next one has another token.
Without --listen nobody reaches it from another machine; from there, use ssh -L 8080:127.0.0.1:PORT.

A link in a comment of a build cannot work before that first visit. It would have to carry the token, which then lets in whoever reads
the comment and reaches the port. For such readers, keep the file that analyze report writes with the build: it needs no server, and
what stands behind # in a link to it opens the same page.

With --model the diagram of a run under /live/ has the components, interfaces and connections of a component model before anything of
them ran, and marks calls for which the model has no connection. The file is that of ingest --model, with connections at its end, as
in shop.Cart.pay -> shop.Bank.charge. A call runs over one whose components have the names of those in the trace and whose second
interface is the function that is called.

Of the metrics under /live/, the share of critical paths is there for runs whose table critical_steps was made, with
analyze run RUN --stage critical_steps.`,
		Example: `  analyze serve --open
  analyze serve --lake nightly --listen 127.0.0.1:8080 --memory 512MiB
  analyze serve --sql --open
  analyze serve --model shop.arch --open`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return console.Usagef("flags only, no arguments; see analyze serve --help")
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context()) },
	}
	p := c.Flags()
	p.StringVar(&f.listen, "listen", "127.0.0.1:0", "address and port; port 0 is any that is free")
	p.BoolVar(&f.open, "open", false, "open the page in the browser")
	p.BoolVar(&f.sql, "sql", false, "answer SQL that readers of the pages write: questions that only select rows, from files of the lake alone")
	p.StringVar(&f.file, "model", "", "a component model, whose connections are drawn; see ingest help models")
	return c
}

// lastWait is how long requests under way may take to end after an interrupt. Those of queries are cancelled at once.
const lastWait = 300 * time.Millisecond

// run serves until ctx ends, which is how one ends it, and no failure.
func (f *command) run(ctx context.Context) error {
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return console.Usagef("--listen %s: write ADDRESS:PORT, such as 127.0.0.1:8080", f.listen)
	}
	if f.file != "" {
		if f.model, err = mapping.Model(f.file); err != nil {
			return err
		}
	}
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	if ip := net.ParseIP(host); !(ip != nil && ip.IsLoopback() || host == "localhost") && !f.Quiet {
		fmt.Fprintf(f.stderr, "analyze: --listen %s is reached from other machines, and what is sent is not encrypted\n", f.listen)
	}
	debug.SetGCPercent(garbagePercent)
	debug.SetMemoryLimit(f.cacheBytes() + besideCache + emptyHeap)
	empty := make([]byte, emptyHeap)
	defer runtime.KeepAlive(empty)
	token := newToken()
	address := "http://" + shown(listener.Addr(), host) + "/?token=" + url.QueryEscape(token)
	if _, err := fmt.Fprintln(f.stdout, address); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := f.server(ctx, l, token, host)
	memory.Unmap()
	if f.open {
		defer f.openBrowser(address)()
	}
	return serve(ctx, server, listener)
}

// mostCache is how many bytes are kept of what is decoded, however much memory there is: the tiles of a run of 50 million events, and
// some row groups of its executions.
const mostCache = 152 << 20

// garbagePercent is how much garbage the process may hold beside the cache, in percent of it. It is less than Go's 100, since the cache
// stays as it is for long.
const garbagePercent = 30

// besideCache is what the process may take beside the cache before garbage is collected at once, however little there is of it: what a window of all
// lanes is made of, and row groups that are being decoded.
const besideCache = 72 << 20

// emptyHeap is memory that counts as in use, and of which there is not a page, as nothing is written to it. Without it garbage would be collected
// at every second MB while the cache is empty, as where pages look at a system that runs.
const emptyHeap = 24 << 20

// cacheBytes is how many bytes are kept of what is decoded.
func (f *command) cacheBytes() int64 { return min(f.TaskMemory()/2, mostCache) }

// server returns the server of a lake.
func (f *command) server(ctx context.Context, l *lake.Lake, token, host string) *http.Server {
	s := f.site(ctx, l)
	console.Ease(ctx, s.underWay.giveUp)
	return &http.Server{
		Handler:           &guard{token: token, listen: host, next: s.routes()},
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // a browser that leaves is no event
	}
}

// site is what the pages of a lake share.
func (f *command) site(ctx context.Context, l *lake.Lake) *site {
	return &site{life: ctx, lake: l, memory: f.TaskMemory(), jobs: f.Jobs, globals: f.Globals, cache: views.NewCache(f.cacheBytes()), querying: make(chan struct{}, 1), free: f.sql, model: f.model}
}

// serve serves until ctx ends.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	group, ended := workers.WithContext(ctx)
	group.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ended.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWait)
		defer cancel()
		if server.Shutdown(late) != nil {
			return server.Close()
		}
		return nil
	})
	return group.Wait()
}

// shown is the address as a browser on this machine reaches it.
func shown(at net.Addr, host string) string {
	_, port, _ := net.SplitHostPort(at.String())
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// openBrowser opens the address. It goes through a file that only this user can read, since the arguments of programs are shown to all
// users of a machine. The function that is returned removes the file.
func (f *command) openBrowser(address string) (remove func()) {
	dir, err := process.Folder("serve")
	if err == nil {
		remove = func() { process.RemoveFolder(dir) }
		page := filepath.Join(dir, "open.html")
		text := `<!doctype html><html lang="en"><title>Tracelake</title><meta http-equiv="refresh" content="0;url=` + html.EscapeString(address) + `"></html>`
		if err = os.WriteFile(page, []byte(text), 0o600); err == nil {
			program := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
			if program == "" {
				program = "xdg-open"
			}
			err = exec.Command(program, page).Start()
		}
	} else {
		remove = func() {}
	}
	if err != nil {
		fmt.Fprintf(f.stderr, "analyze: the browser does not open (%v): open the address above\n", err)
	}
	return remove
}
