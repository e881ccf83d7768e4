package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/mapping"
	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/stages/chart/componentmodel"
	"github.com/tracelake/tracelake/testdata/expect"
)

// hostingCalls are the calls of the ten components of Figure 7.7. The last is that of a thread in the background, of which a trace knows no caller.
var hostingCalls = []string{
	"HTTPServer > AccessControl", "HTTPServer > UploadManager", "UploadManager > PluginManager", "FileHandler > FileEncrypter", "FileEncrypter > FSWriter",
	"HTTPServer > DirReader", "DirReader > FileReader", "FileReader > FileDecrypter", "PluginManager > FileHandler",
}

// hostingModel is Figure 7.7 as an .arch file, with connections for some of the calls.
func hostingModel(t *testing.T, calls []string) *componentmodel.Model {
	t.Helper()
	interfaces, order := make(map[string]string), []string{}
	add := func(component, text string) {
		if interfaces[component] == "" {
			order = append(order, component)
			interfaces[component] = "  in hosting." + component + ".execute()\n"
		}
		interfaces[component] += text
	}
	var connections strings.Builder
	for _, call := range hostingCalls {
		from, to, _ := strings.Cut(call, " > ")
		add(from, "  out hosting."+from+".to"+to+"()\n")
		add(to, "")
	}
	for _, call := range calls {
		from, to, _ := strings.Cut(call, " > ")
		fmt.Fprintf(&connections, "hosting.%s.to%s -> hosting.%s.execute\n", from, to, to)
	}
	text := ""
	for _, c := range order {
		text += "hosting." + c + " {\n" + interfaces[c] + "}\n"
	}
	path := filepath.Join(t.TempDir(), "hosting.arch")
	expect.OK(t, os.WriteFile(path, []byte(text+connections.String()), 0o600))
	return expect.Value(mapping.Model(path))(t)
}

// TestDeclaredConnections serves the model of Figure 7.7 beside what Kieker's writer sent of that system: each call that is seen runs over the connection of
// the model from the one component to the other, and a call is undeclared when the model lacks its connection.
func TestDeclaredConnections(t *testing.T) {
	sent := expect.Value(os.ReadFile("../../../testdata/traces/kieker/hosting.single"))(t)
	const lacks = 5 // HTTPServer > DirReader
	for name, calls := range map[string][]string{"all": hostingCalls, "one is missing": append(append([]string{}, hostingCalls[:lacks]...), hostingCalls[lacks+1:]...)} {
		m := hostingModel(t, calls)
		frame := watchSentWith(t, sent, 58, func(c *command) { c.model = m })
		f := frame("at=2000000000&interval=2000000000&span=2000000000")
		expect.Equal(t, len(f.Over), len(f.Links), "%s: a connection for each link", name)
		seen := make(map[string]string)
		for i, l := range f.Links {
			if l.From < 0 {
				expect.Equal(t, f.Over[i], undeclared, "%s: what nobody calls", name)
				continue
			}
			over := "undeclared"
			if k := f.Over[i]; k != undeclared {
				over = calls[k]
			}
			seen[strings.ReplaceAll(f.Components[l.From]+" > "+f.Components[l.To], "hosting.", "")] = over
		}
		want := make(map[string]string)
		for _, call := range hostingCalls[:len(hostingCalls)-1] {
			want[call] = call
		}
		if name != "all" {
			want[hostingCalls[lacks]] = "undeclared"
		}
		expect.Deep(t, seen, want, "%s: calls and their connections", name)
	}
}

// TestModelInBrowser looks at the diagram of a model before anything ran, and when a call runs over a connection and another one beside all.
func TestModelInBrowser(t *testing.T) {
	page := browser.New(t, 1300, 1000)
	l := newLake(t)
	m := expect.Value(componentmodel.Read(strings.NewReader(`
a { in main(..) out a.ask(..) }
b { in b.work(..) out b.store(..) }
c { in c.keep(..) }
a.ask -> b.work
b.store -> c.keep
`), "x.arch"))(t)
	address, token, client := startWith(t, l, func(c *command) { c.model = m })
	var listed struct{ Model *shownModel }
	expect.OK(t, json.Unmarshal(get(t, client, address+"/api/live"), &listed))
	expect.Deep(t, listed.Model, &shownModel{
		Components:  []modelled{{"a", []string{"main"}, []string{"a.ask"}}, {"b", []string{"b.work"}, []string{"b.store"}}, {"c", []string{"c.keep"}, []string{}}},
		Connections: []joined{{0, "a.ask", 1, "b.work"}, {1, "b.store", 2, "c.keep"}},
	}, "the model of the page")
	r, d := recording(t, l, "now")
	defer func() {
		expect.OK(t, d.Close())
		expect.OK(t, r.Remove())
	}()
	page.Do(chromedp.Navigate(address + "/?token=" + token))
	page.Do(chromedp.Navigate(address + "/live/now"))
	page.Wait(`document.querySelectorAll(".ebd .part.unseen").length === 3`)
	const wires = `[...document.querySelectorAll(".ebd .wires path")].map((w) => w.dataset.wire + " " + (w.getAttribute("class") ?? "used")).sort().join()`
	expect.Equal(t, browser.Eval[string](page, wires), "a > b unused,b > c unused", "connections before anything ran")
	expect.Equal(t, browser.Eval[int](page, `document.querySelectorAll(".ebd .pin").length`), 5, "ports before anything ran")
	expect.OK(t, d.Take([]byte("0.0 e a > main\n0.1 e a > ask !q1\n0.2 f b > work ?q1\n0.3 f b > tell !q2\n0.4 g a2 > hear ?q2\n0.5 g a2 < hear\n0.6 f b < tell\n0.7 f b < work !r1\n0.8 e a < ask ?r1\n0.9 e a < main\n"), time.Now()))
	page.Wait(wires + ` === "a > b used,b > a2 undeclared,b > c unused"`)
	page.Wait(`document.querySelector(".modelled").textContent.includes("Calls ran over 1 of the 2 connections of the model") && document.querySelector(".modelled b").textContent === "1 not in the model"`)
	expect.Equal(t, browser.Eval[int](page, `document.querySelectorAll(".ebd .part.unseen").length`), 1, "components that did not run")
	page.Quiet()
}

// TestWrongModel sees that a model with a fault ends the command, with file, line and column.
func TestWrongModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wrong.arch")
	expect.OK(t, os.WriteFile(path, []byte("a { out a.ask(..) }\nb { in b.work(..) }\na.ask -> b.walk\n"), 0o600))
	c := Command(&console.Globals{Lake: t.TempDir()}, new(strings.Builder), new(strings.Builder))
	c.SetArgs([]string{"--model", path})
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), path+":3:10: \"b.walk\" is no interface") {
		t.Errorf("a connection to nothing: %v", err)
	}
}
