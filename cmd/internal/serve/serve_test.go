package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/pipeline/views"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// trace is two components; a calls b and waits for it. The function of b has a name that would be markup.
const trace = `0.000000000 e a > main
0.000000100 e a > ask !q1
0.000000200 f b > <b>&amp;</script> ?q1
0.000000900 f b < <b>&amp;</script> !r1
0.000001000 e a < ask ?r1
0.000002000 e a < main
`

// newLake makes a lake with run r1, analyzed, and r2, of which there are no tables but those of an ingest.
func newLake(t testing.TB) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(filepath.Join(t.TempDir(), "lake"), true))(t)
	for _, run := range []string{"r1", "r2"} {
		path := filepath.Join(t.TempDir(), run+".tmsctrace")
		expect.OK(t, os.WriteFile(path, []byte(strings.ReplaceAll(trace, "? q1", "?q1")), 0o600))
		detect := func(string, []byte) (schema.Format, error) { return text.Tmsctrace(), nil }
		_, _, err := ingest.Run(t.Context(), ingest.Job{
			Lake: l, Run: run, Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Labels: map[string]string{"side": "<i>"},
		})
		expect.OK(t, err)
	}
	analyze(t, l, "r1")
	return l
}

// analyze runs all stages of a run.
func analyze(t testing.TB, l *lake.Lake, run string) {
	stages := expect.Value(pipeline.Order(plan.Stages(plan.Options{Constraints: constraints.Defaults()}), plan.Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 1}
	expect.Value(e.Run(t.Context(), []lake.Partition{lake.Run(run)}))(t)
}

// start serves a lake, and returns its address and a client that is admitted.
func start(t testing.TB, l *lake.Lake) (address, token string, client *http.Client) {
	t.Helper()
	return startWith(t, l, func(*command) {})
}

// startWith does so with flags.
func startWith(t testing.TB, l *lake.Lake, flags func(*command)) (address, token string, client *http.Client) {
	t.Helper()
	f := &command{Globals: &console.Globals{Lake: "lake", Memory: 512 << 20, Jobs: 1}}
	flags(f)
	token = newToken()
	s := httptest.NewServer(f.server(t.Context(), l, token, "127.0.0.1").Handler)
	t.Cleanup(s.Close)
	jar := &oneCookie{}
	client = &http.Client{Transport: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r := expect.Value(client.Get(s.URL + "/?token=" + token))(t)
	r.Body.Close()
	expect.Equal(t, r.StatusCode, http.StatusSeeOther, "with the token")
	expect.Equal(t, r.Header.Get("Location"), "/", "the way on")
	jar.cookie = r.Cookies()[0]
	if !jar.cookie.HttpOnly || jar.cookie.SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is %s", jar.cookie)
	}
	return s.URL, token, client
}

// oneCookie sends a cookie along with every request.
type oneCookie struct{ cookie *http.Cookie }

func (c *oneCookie) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.cookie != nil {
		r = r.Clone(r.Context())
		r.AddCookie(c.cookie)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// read returns the code and the body of an answer.
func read(t testing.TB, client *http.Client, address string) (int, string) {
	t.Helper()
	r := expect.Value(client.Get(address))(t)
	defer r.Body.Close()
	return r.StatusCode, string(expect.Value(io.ReadAll(r.Body))(t))
}

// TestWhoIsAnswered plays requests of strangers: other users of the machine, pages of other sites, names that were made to point here.
func TestWhoIsAnswered(t *testing.T) {
	address, token, admitted := start(t, newLake(t))
	stranger := &http.Client{CheckRedirect: admitted.CheckRedirect}
	for _, c := range []struct {
		name, method, path string
		client             *http.Client
		host               string
		header             [2]string
		want               int
	}{
		{"the page", "GET", "/", admitted, "", [2]string{}, 200},
		{"without a cookie", "GET", "/api/lake", stranger, "", [2]string{}, 403},
		{"with another token", "GET", "/?token=" + token[:len(token)-1] + "_", stranger, "", [2]string{}, 403},
		{"with no token", "GET", "/?token=", stranger, "", [2]string{}, 403},
		{"a name that was made to point here", "GET", "/api/lake", admitted, "evil.example", [2]string{}, 403},
		{"the same with a port", "GET", "/", admitted, "evil.example:80", [2]string{}, 403},
		{"the same with the token", "GET", "/?token=" + token, stranger, "evil.example", [2]string{}, 403},
		{"an address that is not of this machine", "GET", "/", admitted, "10.0.0.1:8080", [2]string{}, 403},
		{"localhost through a tunnel", "GET", "/", admitted, "localhost:9999", [2]string{}, 200},
		{"the loopback of IPv6", "GET", "/", admitted, "[::1]:80", [2]string{}, 200},
		{"a page of another site", "GET", "/api/lake", admitted, "", [2]string{"Origin", "http://evil.example"}, 403},
		{"a page without an origin", "GET", "/api/lake", admitted, "", [2]string{"Origin", "null"}, 403},
		{"a link on another site", "GET", "/api/lake", admitted, "", [2]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a page of another port", "GET", "/api/lake", admitted, "", [2]string{"Sec-Fetch-Site", "same-site"}, 403},
		{"a page of this server", "GET", "/api/lake", admitted, "", [2]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"the file of --open", "GET", "/?token=" + token, stranger, "", [2]string{"Sec-Fetch-Site", "cross-site"}, 200},
		{"a link on another site to the lake, with its headers alone", "GET", "/", admitted, "", [2]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"something that writes", "POST", "/api/lake", admitted, "", [2]string{}, 405},
		{"something that removes", "DELETE", "/api/run/r1/lanes", admitted, "", [2]string{}, 405},
		{"a page that there is not", "GET", "/etc/passwd", admitted, "", [2]string{}, 404},
		{"a file above", "GET", "/assets/..%2f..%2fweb.go", admitted, "", [2]string{}, 404},
		{"the script", "GET", "/assets/serve.js", admitted, "", [2]string{}, 200},
	} {
		r := expect.Value(http.NewRequest(c.method, address+c.path, nil))(t)
		if c.host != "" {
			r.Host = c.host
		}
		if c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		got := expect.Value(c.client.Do(r))(t)
		got.Body.Close()
		expect.Equal(t, got.StatusCode, c.want, "%s", c.name)
		if p := got.Header.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: the policy is %q", c.name, p)
		}
		expect.Equal(t, got.Header.Get("Access-Control-Allow-Origin"), "", "%s: who else may read", c.name)
	}
}

// TestLinks follows links on other sites: they get the document, which has nothing of the lake in it, and nothing else.
func TestLinks(t *testing.T) {
	address, _, _ := start(t, newLake(t))
	for _, c := range []struct {
		path, site, mode, dest string
		want                   int
	}{
		{"/", "cross-site", "navigate", "document", 200},
		{"/", "same-site", "navigate", "document", 200},
		{"/report/x", "cross-site", "navigate", "document", 200},
		{"/", "cross-site", "navigate", "iframe", 403},
		{"/", "cross-site", "no-cors", "document", 403},
		{"/", "same-origin", "navigate", "document", 403}, // without the cookie, and from no other site
		{"/api/lake", "cross-site", "navigate", "document", 403},
		{"/assets/serve.js", "cross-site", "navigate", "document", 403},
	} {
		r := expect.Value(http.NewRequest(http.MethodGet, address+c.path, nil))(t)
		r.Header.Set("Sec-Fetch-Site", c.site)
		r.Header.Set("Sec-Fetch-Mode", c.mode)
		r.Header.Set("Sec-Fetch-Dest", c.dest)
		got := expect.Value(http.DefaultClient.Do(r))(t)
		body := string(expect.Value(io.ReadAll(got.Body))(t))
		got.Body.Close()
		expect.Equal(t, got.StatusCode, c.want, "%s %s %s %s", c.path, c.site, c.mode, c.dest)
		if strings.Contains(body, "r1") || c.want == 200 && !strings.Contains(body, stranger) {
			t.Errorf("%s %s: %s", c.path, c.site, body)
		}
	}
}

// TestAnswers holds answers against what they must say.
func TestAnswers(t *testing.T) {
	address, _, client := start(t, newLake(t))
	for _, c := range []struct {
		path string
		code int
		want []string
	}{
		{"/api/lake", 200, []string{`"run":"r1"`, `"missing":""`, `"run":"r2"`, `"missing":"analyze run r2"`, `"query":"slowest-fragments"`, `"side":"\u003ci\u003e"`}},
		{"/api/run/r1/lanes", 200, []string{`"lifeline":"a/e"`, `"lifeline":"b/f"`, `"depths":2`, `"duration_ns":2000`}},
		{"/api/run/r2/lanes", 404, []string{"Run r2 has no table executions: make it with analyze run r2"}},
		{"/api/run/r3/lanes", 404, []string{`The lake has no run "r3"`}},
		{"/api/run/..%2f..%2fr1/lanes", 404, []string{`The lake has no run "../../r1"`}},
		{"/api/run/r1/window?lanes=0,1&depths=9", 200, []string{`"count":[1,1,1]`, `"total":3`, `\u003cb\u003e\u0026amp;\u003c/script\u003e`}},
		{"/api/run/r1/window?lanes=0,1&depths=1&from=150&to=180", 200, []string{`"total":1`, `"start_ns":[0]`}},
		{"/api/run/r1/window?lanes=0-9", 400, []string{"has 2 lanes"}},
		{"/api/run/r1/window?lanes=9-0", 400, []string{"places in the list of lanes"}},
		{"/api/run/r1/window?pixels=0", 400, []string{"a whole number from 1 to 16384"}},
		{"/api/run/r1/window?from=9&to=8", 400, []string{"The window ends before it begins"}},
		{"/api/run/r1/window?version=0", 400, []string{"analyzed again"}},
		{"/api/run/r1/messages?lanes=0,1", 200, []string{`"total":2`, `"pattern":"blocking"`, `"send_ns":100`, `"receive_ns":200`}},
		{"/api/run/r1/execution?id=1&near=150", 200, []string{`"function":"ask"`, `"duration_ns":900`, `"self_ns":900`, `"role":"blocking_call"`}},
		{"/api/run/r1/execution?id=77&near=150", 404, []string{"Run r1 has no execution 77"}},
		{"/api/run/r1/execution?id=1&at=4", 200, []string{`"function":"ask"`}},
		{"/api/run/r1/related?id=0", 200, []string{`"calls":1`, `"callees":[{"execution":1`, `"before":null`, `"messages":[]`}},
		{"/api/run/r1/related?id=1", 200, []string{`"label":"q"`, `"sent":true,"at_start":true`, `"sent":false,"at_start":false`, `"took_ns":100`, `"waits":[{"at_start":true,"kind":"component"`, `"kind":"reply","sender":"b","label":"r","from_ns":900,"to_ns":1000`, `"spare":[{"at_start":true,"slack_ns":0}`}},
		{"/api/run/r1/related?id=77", 404, []string{"Run r1 has no execution 77"}},
		{"/api/run/r1/fragments", 200, []string{`{"fragment":"a.main","initial":true,"total_ns":2000}`}},
		{"/api/run/r1/fragments?most=1", 200, []string{`"fragments":[{"fragment":"a.main","initial":true,"total_ns":2000}],"from":0,"run":"r1","total":2`}},
		{"/api/run/r1/fragments?from=1&most=1", 200, []string{`"fragments":[{"fragment":"b.`, `"from":1,"run":"r1","total":2`}},
		{"/api/run/r1/fragments?from=7", 200, []string{`"fragments":[],"from":2,"run":"r1","total":2`}},
		{"/api/run/r1/fragments?most=0", 400, []string{"a whole number from 1 to 20000"}},
		{"/api/run/r2/fragments", 404, []string{"no table compositions"}},
		{"/api/run/r1/paths?to=a.ask", 200, []string{`"start_ns":[100],"span_ns":[900]`, `"total":1`, `"median":900`, `"category":"communication"`}},
		{"/api/run/r1/paths?to=a.ask&only=occurrences", 200, []string{`{"occurrences":{"number":[1],"seq":[1],"start_ns":[100],"span_ns":[900]},"total":1}`}},
		{"/api/run/r1/paths?to=a.ask&deadline=5", 200, []string{`"missed":{`, `"span_ns":900`}},
		{"/api/run/r1/paths?to=a.ask&deadline=x", 400, []string{"a whole number"}},
		{"/api/run/r1/paths?to=a.nobody", 400, []string{"no such execution"}},
		{"/api/run/r1/paths", 400, []string{"To is missing"}},
		{"/api/run/r1/signals?of=messages&from=0&to=1000&pixels=10", 200, []string{`"greatest":[0,1,0,0,0,0,0,0,0,1]`}},
		{"/api/run/r1/signals?of=nothing", 400, []string{"Of is one of"}},
		{"/api/run/r1/signals?of=wip&from=9&to=9", 400, []string{"ends before it begins"}},
		{"/api/run/r3/signals?of=wip", 404, []string{`no run "r3"`}},
		{"/api/run/r1/clocks", 404, []string{"one clock only"}},
		{"/api/levels/x", 404, []string{`no comparison "x"`}},
		{"/api/history/x", 404, []string{`no comparison "x"`}},
		{"/api/run/r1/path?to=a.main%231", 200, []string{`"component":"b"`, `"message":true`, `"finish_ns":2000`}},
		{"/api/run/r1/path?to=a.man", 400, []string{"no such execution"}},
		{"/api/run/r1/path", 400, []string{"To is missing"}},
		{"/api/run/r2/path?to=a.main", 404, []string{"no table constraints"}},
		{"/api/query/longest-executions?run=r1", 200, []string{`"function":"main"`}},
		{"/api/query/longest-executions?nonsense=1", 400, []string{`has no parameter "nonsense"`}},
		{"/api/query/none", 404, []string{`There is no query "none"`}},
		{"/api/query/longest-executions?run=r1&run=r2", 400, []string{"more than once"}},
		{"/report/r1", 200, []string{`data-resource="report"`, `"run":"r1"`}},
		{"/report/r2", 404, []string{"analyze run r2"}},
		{"/report/x", 404, []string{`The lake has no comparison "x"`}},
		{"/api/comparison/x", 404, []string{`The lake has no comparison "x"`}},
	} {
		code, body := read(t, client, address+c.path)
		expect.Equal(t, code, c.code, "%s: %s", c.path, body)
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q in %s", c.path, want, body)
			}
		}
		if code == 200 && strings.HasPrefix(c.path, "/api/") && !json.Valid([]byte(body)) {
			t.Errorf("%s: no JSON: %s", c.path, body)
		}
	}
}

// TestReportsAreKept asks for a report again before and after what it shows has changed.
func TestReportsAreKept(t *testing.T) {
	l := newLake(t)
	s := &site{life: t.Context(), lake: l, memory: 1 << 30, jobs: 1, globals: &console.Globals{Lake: l.Dir, Memory: 1 << 30, Jobs: 1}, cache: views.NewCache(1 << 20), querying: make(chan struct{}, 1)}
	first := expect.Value(s.reportOf(t.Context(), "r1"))(t)
	if again := expect.Value(s.reportOf(t.Context(), "r1"))(t); again != first {
		t.Error("the report is made anew though nothing has changed")
	}
	analyze(t, l, "r2")
	if again := expect.Value(s.reportOf(t.Context(), "r1"))(t); again != first {
		t.Error("the report is made anew though another run has changed")
	}
	z := expect.Value(gzip.NewReader(bytes.NewReader(first.packed)))(t)
	expect.Equal(t, string(expect.Value(io.ReadAll(z))(t)), string(first.plain), "what is sent with gzip")
	expect.OK(t, l.Drop(t.Context(), lake.Run("r1")))
	if _, err := s.reportOf(t.Context(), "r1"); err == nil {
		t.Error("the report of a run that was dropped is shown")
	}
}

// TestFollowsTheLake analyzes a run while its lake is served.
func TestFollowsTheLake(t *testing.T) {
	l := newLake(t)
	other := expect.Value(lake.Open(l.Dir, false))(t)
	address, _, client := start(t, l)
	_, before := read(t, client, address+"/api/lake/state")
	code, _ := read(t, client, address+"/api/run/r2/lanes")
	expect.Equal(t, code, 404, "before the analysis")
	analyze(t, other, "r2")
	_, after := read(t, client, address+"/api/lake/state")
	if before == after {
		t.Error("the state is the same")
	}
	code, _ = read(t, client, address+"/api/run/r2/lanes")
	expect.Equal(t, code, 200, "after it")
}

// TestEndsAtOnce ends a server while a request is under way.
func TestEndsAtOnce(t *testing.T) {
	begun := make(chan bool)
	ctx, cancel := context.WithCancel(t.Context())
	s := &http.Server{BaseContext: func(net.Listener) context.Context { return ctx }}
	s.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begun <- true
		<-r.Context().Done()
		time.Sleep(time.Minute) // something that does not hear
	})
	listener := expect.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	ended := make(chan error)
	go func() { ended <- serve(ctx, s, listener) }()
	go http.Get("http://" + listener.Addr().String())
	<-begun
	cancel()
	expect.OK(t, <-ended)
}

// TestPrintsItsAddress runs the command as a user does.
func TestPrintsItsAddress(t *testing.T) {
	l := newLake(t)
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	f := &command{Globals: &console.Globals{Lake: l.Dir, Memory: 512 << 20, Jobs: 1}, stdout: out, stderr: io.Discard, listen: "127.0.0.1:0"}
	ended := make(chan error)
	go func() { ended <- f.run(ctx) }()
	line := make([]byte, 200)
	n := expect.Value(in.Read(line))(t)
	at := expect.Value(url.Parse(strings.TrimSpace(string(line[:n]))))(t)
	r := expect.Value(http.Get(at.String()))(t) // without a place for cookies, the way on leads nowhere
	r.Body.Close()
	expect.Equal(t, r.StatusCode, 403, "without the cookie")
	if len(at.Query().Get("token")) < 40 {
		t.Errorf("the token of %s is short", at)
	}
	cancel()
	expect.OK(t, <-ended)
	f.listen = "nowhere"
	if err := f.run(t.Context()); err == nil || !strings.Contains(err.Error(), "ADDRESS:PORT") {
		t.Errorf("--listen nowhere: %v", err)
	}
}

// FuzzAddresses asks for any address: no answer has a file that no manifest names, and none is a failure of the server.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{
		"/api/sql?q=SELECT+1", "/api/run/r1/attributes", "/api/run/r1/lanes?by=function", "/api/run/r1/window?by=function&packed=1&lanes=0", "/api/run/r1/window?by=attribute:..%2f..%2fsecret.txt", "/api/comparison/..%2fsecret.txt/verdict",
		"/", "/assets/serve.js", "/assets/../secret.txt", "/api/run/r1/lanes", "/api/run/%2e%2e%2fsecret.txt/lanes", "/api/run/r1/window?lanes=0-1&depths=3&from=1&to=9",
		"/api/run/r1/execution?id=0&near=0", "/api/run/r1/path?to=@0", "/api/comparison/..%2f..%2fsecret.txt", "/secret.txt", "//secret.txt", "/api/query/runs?x=1", "/?token=x",
		"/api/run/r1/messages?lanes=0-1&most=1", "/api/run/r1=x/lanes", "/api/run/r1/related?id=1", "/api/run/r1/paths?to=a.ask&deadline=7", "/api/run/r1/fragments", "/api/run/r1/signals?of=wip", "/api/run/..%2fsecret.txt/clocks", "/api/history/..%2f..%2fsecret.txt", "/api/run/r1%00/lanes", "/api/run/r1/window?from=-9223372036854775808&to=9223372036854775807",
	} {
		f.Add(seed)
	}
	// A name that leads to secret.json from where the lake describes its runs and comparisons, and from where runs are recorded.
	for _, name := range []string{"x%2f..%2f..%2fsecret", "x%2f..%2f..%2f..%2fsecret", "..%2fsecret", "secret"} {
		for _, address := range []string{
			"/report/NAME", "/live/NAME", "/api/live/NAME/frame", "/api/live/NAME/frames", "/api/live/r1/frame?against=NAME", "/api/frames?page=1+NAME", "/api/comparison/NAME", "/api/comparison/NAME/verdict",
			"/api/levels/NAME", "/api/history/NAME", "/api/query/NAME", "/api/run/NAME/lanes", "/api/run/NAME/window?lanes=0", "/api/run/NAME/attributes", "/api/run/NAME/messages?lanes=0", "/api/run/NAME/execution?id=0",
			"/api/run/NAME/related?id=0", "/api/run/NAME/path?to=@0", "/api/run/NAME/paths?to=a.ask", "/api/run/NAME/fragments", "/api/run/NAME/signals?of=wip", "/api/run/NAME/behaviours?item=id",
			"/api/run/NAME/difference?from=r1", "/api/run/r1/difference?from=NAME", "/api/run/NAME/critical?of=claims:0", "/api/run/NAME/durations", "/api/run/r1/durations?with=NAME", "/api/run/NAME/histograms?of=wip",
			"/api/run/NAME/checks", "/api/run/NAME/stretches", "/api/run/NAME/clocks", "/api/run/r1/window?lanes=0&difference=NAME",
		} {
			f.Add(strings.ReplaceAll(address, "NAME", name))
		}
	}
	l := newLake(f)
	const secret = "what nobody may read"
	for _, at := range []string{"secret.txt", "../secret.txt", "events/secret.txt", "_manifests/secret.json", "secret.json", "../secret.json"} {
		expect.OK(f, os.WriteFile(filepath.Join(l.Dir, at), []byte(secret), 0o600))
	}
	c := &command{Globals: &console.Globals{Lake: "lake", Memory: 512 << 20, Jobs: 1}}
	g := c.server(f.Context(), l, "token", "127.0.0.1").Handler.(*guard)
	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse("http://127.0.0.1" + address)
		if err != nil || strings.HasPrefix(u.Path, "/api/query/") && u.RawQuery == "" { // queries are slow, and the others suffice
			return
		}
		r := &http.Request{Method: "GET", URL: u, Host: "127.0.0.1", Header: http.Header{}, Proto: "HTTP/1.1"}
		r.AddCookie(&http.Cookie{Name: g.cookie(), Value: "token"})
		ctx := t.Context()
		if strings.HasSuffix(u.Path, "/frames") { // a stream ends with its request
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r.WithContext(ctx))
		if body := w.Body.String(); strings.Contains(body, secret) || w.Code >= 500 {
			t.Errorf("%q: %d %s", address, w.Code, body)
		}
	})
}

// TestPlaces reads lists of lanes.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{"": "[]", "3": "[3]", "0-2,7": "[0 1 2 7]", "0-4095": "4096 places"} {
		all, err := places(text)
		got := fmt.Sprint(all)
		if len(all) > 100 {
			got = fmt.Sprint(len(all), " places")
		}
		expect.OK(t, err)
		expect.Equal(t, got, want, "%q", text)
	}
	for _, text := range []string{"x", "1-", "-1", "2-1", "0-4096", "0-2147483648", "0-4095,1", ","} {
		if all, err := places(text); err == nil {
			t.Errorf("%q: %v", text, all)
		}
	}
}
