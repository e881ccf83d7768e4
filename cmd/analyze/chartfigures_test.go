package main

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/testdata/expect"
)

// chart is the trace of Jonk et al. 2019, Fig. 3, with all of its 56 records. The first nine and the last are the paper's. The others are made so that Fig. 2
// holds: C_1 goes on with f_2 for long, so that the reply is there before f_3 waits for it, but the second h_1 lasts so long that h_2 has to wait for 0.3.
const chart = `#,Time,Comp.,Func.,Start/Finish,Message,ID,Type
1,0.0,C_1,l,start
2,0.2,C_1,f_1,start,g_1call,id1,send
3,0.3,C_2,g_1,start,g_1call,id1,receive
4,0.4,C_2,g_11,start,h_1trig,id2,send
5,0.5,C_3,h_1,start,h_1trig,id2,receive
6,0.7,C_2,g_11,finish
7,0.8,C_3,h_1,finish
8,0.8,C_1,f_1,finish
9,1.2,C_2,g_12,start,h_2call,id3,send
10,1.3,C_1,f_2,start
11,1.6,C_3,h_2,start,h_2call,id3,receive
12,2.2,C_3,h_2,finish,h_2reply,id4,send
13,2.3,C_2,g_12,finish,h_2reply,id4,receive
14,2.5,C_2,g_1,finish,g_1reply,id5,send
15,3.3,C_1,f_2,finish
16,3.6,C_1,f_3,start
17,3.8,C_1,f_3,finish,g_1reply,id5,receive
18,4.0,C_1,f_4,start
19,5.8,C_1,f_4,finish
20,6.2,C_1,f_1,start,g_1call,id6,send
21,6.3,C_2,g_1,start,g_1call,id6,receive
22,6.4,C_2,g_11,start,h_1trig,id7,send
23,6.5,C_3,h_1,start,h_1trig,id7,receive
24,6.7,C_2,g_11,finish
25,6.8,C_1,f_1,finish
26,7.2,C_2,g_12,start,h_2call,id8,send
27,7.3,C_1,f_2,start
28,8.9,C_3,h_1,finish
29,9.2,C_3,h_2,start,h_2call,id8,receive
30,9.3,C_1,f_2,finish
31,9.6,C_1,f_3,start
32,9.8,C_3,h_2,finish,h_2reply,id9,send
33,9.9,C_2,g_12,finish,h_2reply,id9,receive
34,10.1,C_2,g_1,finish,g_1reply,id10,send
35,10.2,C_1,f_3,finish,g_1reply,id10,receive
36,10.4,C_1,f_4,start
37,12.2,C_1,f_4,finish
38,12.6,C_1,f_1,start,g_1call,id11,send
39,12.7,C_2,g_1,start,g_1call,id11,receive
40,12.8,C_2,g_11,start,h_1trig,id12,send
41,12.9,C_3,h_1,start,h_1trig,id12,receive
42,13.1,C_2,g_11,finish
43,13.2,C_3,h_1,finish
44,13.2,C_1,f_1,finish
45,13.6,C_2,g_12,start,h_2call,id13,send
46,13.7,C_1,f_2,start
47,14.0,C_3,h_2,start,h_2call,id13,receive
48,14.6,C_3,h_2,finish,h_2reply,id14,send
49,14.7,C_2,g_12,finish,h_2reply,id14,receive
50,14.9,C_2,g_1,finish,g_1reply,id15,send
51,15.7,C_1,f_2,finish
52,16.0,C_1,f_3,start
53,16.2,C_1,f_3,finish,g_1reply,id15,receive
54,16.4,C_1,f_4,start
55,18.2,C_1,f_4,finish
56,19.0,C_1,l,finish
`

// wafer is a trace of the exposure loop of Jonk et al. 2019, Fig. 8, in kind, with six setpoint adjustments and a queue of two: R(i-2), C(i), Q(i) on C_1, and
// Step(i), Scan(i) of a second together on the stage. Each C sends C_2 a trigger and then calls it (Fig. 10). C_2 takes 0.7 s for the fifth trigger, else 0.02 s.
func wafer() string {
	type record struct {
		ms   int
		text string
	}
	var all []record
	add := func(ms int, format string, args ...any) { all = append(all, record{ms, fmt.Sprintf(format, args...)}) }
	at, stage := 0, 0
	scanned := make([]int, 7)
	add(0, "C_1 > loop")
	for i := 1; i <= 6; i++ {
		if i > 2 {
			add(at+10, "C_1 > R")
			at = max(at+20, scanned[i-2]+10)
			add(at, "C_1 < R ?result%d", i-2)
		}
		c, model := at+10, 20
		if i == 5 {
			model = 700
		}
		add(c, "C_1 > C")
		add(c+20, "C_1 > update !trigger%d", i)
		add(c+30, "C_2 > model ?trigger%d", i)
		add(c+40, "C_1 < update")
		add(c+60, "C_1 > correct !call%d", i)
		add(c+30+model, "C_2 < model")
		look := max(c+70, c+30+model+10)
		add(look, "C_2 > look_up ?call%d", i)
		add(look+300, "C_2 < look_up !reply%d", i)
		add(look+310, "C_1 < correct ?reply%d", i)
		add(look+460, "C_1 < C")
		add(look+470, "C_1 > Q !queue%d", i)
		add(look+490, "C_1 < Q")
		at = look + 490
		stage = max(stage, look+480)
		add(stage, "stage > Step ?queue%d", i)
		add(stage+400, "stage < Step")
		add(stage+400, "stage > Scan")
		stage += 1000
		add(stage, "stage < Scan !result%d", i)
		scanned[i] = stage
	}
	add(at+10, "C_1 < loop")
	slices.SortStableFunc(all, func(a, b record) int { return a.ms - b.ms })
	var out strings.Builder
	for _, r := range all {
		fmt.Fprintf(&out, "%d.%03d %s\n", r.ms/1000, r.ms%1000, r.text)
	}
	return out.String()
}

// sentPath is a critical path as the page gets it.
type sentPath struct {
	Steps []struct {
		StartNs           int64 `json:"start_ns"`
		FinishNs          int64 `json:"finish_ns"`
		Component, Sender string
		Message           bool
	}
}

// lines writes the steps as in a figure: from where, when, to where, when.
func (p sentPath) lines() (all []string) {
	for _, s := range p.Steps {
		from := s.Component
		if s.Message {
			from = s.Sender
		}
		all = append(all, segment(from, s.StartNs, s.Component, s.FinishNs))
	}
	return all
}

// segment names a timing constraint by the components and the times of its ends.
func segment(from string, fromNs int64, to string, toNs int64) string {
	return from + " " + seconds(fromNs) + " " + to + " " + seconds(toNs)
}

func seconds(ns int64) string { return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) }

// sentTo gets what the served API sends of a run.
func sentTo[T any](t *testing.T, client *http.Client, address string) T {
	t.Helper()
	r := expect.Value(client.Get(address))(t)
	defer r.Body.Close()
	expect.Equal(t, r.StatusCode, http.StatusOK, "%s", address)
	return into[T](t, expect.Value(io.ReadAll(r.Body))(t))
}

// onPaperDrawn are the red lines of a timeline on paper that are so wide, by the lanes that they join and the times of their ends.
func onPaperDrawn(t *testing.T, p *browser.Page, width string, fromNs, toNs float64) (all []string) {
	t.Helper()
	p.Do(emulation.SetEmulatedMedia().WithMedia("print"))
	defer p.Do(emulation.SetEmulatedMedia())
	p.Wait(`document.querySelector("svg.paper > svg > text") !== null`)
	drawn := browser.Eval[struct {
		Paths []string
		Names []string
		Wide  float64
	}](p, fmt.Sprintf(`(() => {
		const inner = document.querySelector("svg.paper > svg");
		const names = [...document.querySelector("svg.paper").lastElementChild.querySelectorAll("text")];
		return {
			Paths: [...inner.querySelectorAll("path[stroke='#b3261e'][stroke-width='%s']")].map(e => e.getAttribute("d")),
			Names: names.map(e => e.textContent + " " + e.getAttribute("y")), Wide: Number(inner.getAttribute("width")),
		};
	})()`, width))
	lane := func(y string) (name string) {
		for _, one := range drawn.Names { // from top to bottom
			of, top, _ := strings.Cut(one, " ")
			if expect.Value(strconv.ParseFloat(top, 64))(t)-14 < expect.Value(strconv.ParseFloat(y, 64))(t) {
				name = of
			}
		}
		return name
	}
	when := func(x string) int64 {
		ns := fromNs + expect.Value(strconv.ParseFloat(x, 64))(t)/drawn.Wide*(toNs-fromNs)
		return int64(math.Round(ns/1e7)) * 1e7 // a tenth of a pixel is at most 2 ms
	}
	for _, d := range drawn.Paths {
		for _, m := range regexp.MustCompile(`M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)`).FindAllStringSubmatch(d, -1) {
			all = append(all, segment(lane(m[2]), when(m[1]), lane(m[4]), when(m[3])))
		}
	}
	return all
}

// TestFiguresOfChart shows the timed message sequence chart of Jonk et al. 2019 (Fig. 1), its timing constraints and its critical path (Fig. 2), and the case
// study in kind: six setpoint adjustments of which the fifth misses its deadline (Fig. 9), and why (Fig. 10).
func TestFiguresOfChart(t *testing.T) {
	if testing.Short() {
		t.Skip("the figures of charts are looked at in full tests")
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"chart.csv": chart, "wafer.txt": wafer()} {
		expect.OK(t, os.WriteFile(name, []byte(text), 0o666))
		expect.OK(t, load(t.Context(), []string{name}, nil, io.Discard, io.Discard))
	}
	said(t, "run")
	address := served(t)
	client, base := admitted(t, address)
	p := browser.New(t, 2100, 1000)
	p.Do(chromedp.Navigate(address))
	open := func(hash, ready string) {
		t.Helper()
		p.Open(base + hash)
		p.Wait(`document.querySelector(".waiting") === null && (document.querySelector("canvas")?.list?.() ?? []).length > 5 && (` + ready + `)`)
	}
	type box struct {
		Function, Lane   string
		Left, Right, Top float64
	}
	const list = `document.querySelector("canvas").list()`

	t.Run("1 lanes, nested executions, messages", func(t *testing.T) {
		open("#/timeline/chart?order=name", "true")
		boxes := browser.Eval[[]box](p, list)
		width := browser.Eval[float64](p, `document.querySelector("canvas").clientWidth`)
		expect.Equal(t, len(boxes), 28, "56 events are 28 executions")
		bottom := make(map[string]float64) // of the call stack, which hangs down from the function that runs on behalf of others
		for _, b := range boxes {
			if top, has := bottom[b.Lane]; !has || b.Top < top {
				bottom[b.Lane] = b.Top
			}
		}
		if !(bottom["C_1"] < bottom["C_2"] && bottom["C_2"] < bottom["C_3"]) {
			t.Errorf("the lanes are at %v, want C_1 above C_2 above C_3", bottom)
		}
		// Executions by the records of the trace: a stack for each component.
		type call struct {
			name   string
			at     float64
			nested bool
		}
		stacks := make(map[string][]call)
		var want []string
		for line := range strings.Lines(chart) {
			f := strings.Split(strings.TrimSpace(line), ",")
			ns, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				continue // the header
			}
			stack := stacks[f[2]]
			if f[4] == "start" {
				stacks[f[2]] = append(stack, call{f[3], ns, len(stack) > 0})
				continue
			}
			c := stack[len(stack)-1]
			stacks[f[2]] = stack[:len(stack)-1]
			want = append(want, fmt.Sprintf("%s.%s %.1f %.1f %v", f[2], c.name, c.at, ns, c.nested))
		}
		var got []string
		for _, b := range boxes {
			got = append(got, fmt.Sprintf("%s.%s %.1f %.1f %v", b.Lane, b.Function, b.Left/width*19, b.Right/width*19, b.Top > bottom[b.Lane]))
		}
		slices.Sort(want)
		slices.Sort(got)
		expect.Deep(t, got, want, "executions with their times, and whether they nest")

		sent := sentTo[struct {
			Slowest []struct {
				From, To       int
				SendNs         int64 `json:"send_ns"`
				ReceiveNs      int64 `json:"receive_ns"`
				Label, Pattern string
			}
		}](t, client, base+"api/run/chart/messages?lanes=0-2")
		lanes := sentTo[struct{ Lanes []struct{ Lifeline string } }](t, client, base+"api/run/chart/lanes").Lanes
		var messages []string
		for _, m := range sent.Slowest {
			messages = append(messages, segment(lanes[m.From].Lifeline, m.SendNs, lanes[m.To].Lifeline, m.ReceiveNs)+" "+m.Label+" "+m.Pattern)
		}
		expect.Equal(t, len(messages), 15, "five messages in each repetition")
		// Section III-A: a non-blocking call from C_1 to C_2, a trigger and a blocking call from C_2 to C_3.
		expect.Deep(t, messages[:5], []string{
			"C_1 0.2 C_2 0.3 g_1call nonblocking", "C_2 0.4 C_3 0.5 h_1trig trigger", "C_2 1.2 C_3 1.6 h_2call blocking",
			"C_3 2.2 C_2 2.3 h_2reply blocking_reply", "C_2 2.5 C_1 3.8 g_1reply nonblocking_reply",
		}, "messages of the first repetition")
	})

	// The red constraints of Fig. 2: in the first and the third repetition through C_1 alone, in the second through h_1 on C_3.
	red := []string{
		"C_1 0 C_1 0.2", "C_1 0.2 C_1 0.8", "C_1 0.8 C_1 1.3", "C_1 1.3 C_1 3.3", "C_1 3.3 C_1 3.6", "C_1 3.6 C_1 3.8", "C_1 3.8 C_1 4", "C_1 4 C_1 5.8", "C_1 5.8 C_1 6.2",
		"C_1 6.2 C_2 6.3", "C_2 6.3 C_2 6.4", "C_2 6.4 C_3 6.5", "C_3 6.5 C_3 8.9", "C_3 8.9 C_3 9.2", "C_3 9.2 C_3 9.8", "C_3 9.8 C_2 9.9", "C_2 9.9 C_2 10.1", "C_2 10.1 C_1 10.2",
		"C_1 10.2 C_1 10.4", "C_1 10.4 C_1 12.2", "C_1 12.2 C_1 12.6", "C_1 12.6 C_1 13.2", "C_1 13.2 C_1 13.7", "C_1 13.7 C_1 15.7", "C_1 15.7 C_1 16", "C_1 16 C_1 16.2",
		"C_1 16.2 C_1 16.4", "C_1 16.4 C_1 18.2", "C_1 18.2 C_1 19",
	}
	t.Run("2 timing constraints and the critical path", func(t *testing.T) {
		// The path says of h_1 from when on the call of h_2 waited: the contention of section III-C.
		h1 := slices.Index(red, "C_3 6.5 C_3 8.9")
		steps := slices.Replace(slices.Clone(red), h1, h1+1, "C_3 6.5 C_3 7.2", "C_3 7.2 C_3 8.9")
		expect.Deep(t, sentTo[sentPath](t, client, base+"api/run/chart/path?to="+url.QueryEscape("C_1.l#1")).lines(), steps, "the path to the finish of l")
		contains(t, string(said(t, "critical-path", "chart", "--to", "C_1.l#1")), "lead to it: 29, on the path: 29", "it is the only maximal one")

		// The constraints on the start and the finish of every execution, with the slack of those that are not critical: the blue ones.
		type wait struct {
			Sender   string
			FromNs   int64  `json:"from_ns"`
			ToNs     int64  `json:"to_ns"`
			SlackNs  *int64 `json:"slack_ns"`
			Critical bool
		}
		executions := into[[]struct {
			Seq       int64
			Component string
			StartNs   int64 `json:"start_ns"`
		}](t, said(t, "query", "SELECT start_seq AS seq, component, start_ns FROM executions WHERE run = 'chart'", "--format", "json"))
		critical := make(map[string]bool)
		var blue []string
		for _, x := range executions {
			related := sentTo[struct{ Waits []wait }](t, client, base+fmt.Sprintf("api/run/chart/related?id=%d&near=%d", x.Seq, x.StartNs))
			for _, w := range related.Waits {
				from := w.Sender
				if from == "" {
					from = x.Component
				}
				name := segment(from, w.FromNs, x.Component, w.ToNs)
				if w.Critical {
					critical[name] = true
				} else {
					blue = append(blue, name+" slack "+seconds(*w.SlackNs))
				}
			}
		}
		for _, one := range red {
			if !critical[one] {
				t.Errorf("%s is on the path, and is not critical", one)
			}
		}
		// 53 constraints between neighbours on components, and 15 of messages, of which 13 meet one that is nearer to the event: equations (1) and (2) with no
		// epsilon. That g_1 starts again is due to f_1, not to itself (section III-B); h_2 waits for h_1 in the second repetition, else for its call.
		expect.Equal(t, len(critical), 68-13, "critical constraints")
		slices.Sort(blue)
		expect.Deep(t, blue, []string{
			"C_1 9.6 C_1 10.2 slack 0.5", "C_2 1.2 C_2 2.3 slack 1", "C_2 10.1 C_2 12.7 slack 2.5", "C_2 13.6 C_2 14.7 slack 1", "C_2 14.9 C_1 16.2 slack 1.1", "C_2 2.5 C_1 3.8 slack 1.1", "C_2 2.5 C_2 6.3 slack 3.7",
			"C_2 7.2 C_2 9.9 slack 2.6", "C_2 7.2 C_3 9.2 slack 1.7", "C_3 0.8 C_3 1.6 slack 0.4", "C_3 13.2 C_3 14 slack 0.4", "C_3 2.2 C_3 6.5 slack 4.2", "C_3 9.8 C_3 12.9 slack 3",
		}, "constraints that are not critical")

		// As they are drawn: the path along lanes and messages, and the constraints on one execution, red where critical.
		open("#/timeline/chart?order=name&path="+url.QueryEscape("C_1.l#1"), `document.querySelector(".label.path") !== null`)
		drawn := append(onPaperDrawn(t, p, "3", 0, 19e9), onPaperDrawn(t, p, "1", 0, 19e9)...)
		slices.Sort(steps)
		slices.Sort(drawn)
		expect.Deep(t, drawn, steps, "the red line")
		for _, x := range executions {
			if x.Component == "C_3" && x.StartNs == 9.2e9 {
				open(fmt.Sprintf("#/timeline/chart?order=name&sel=%d&near=%d", x.Seq, x.StartNs), `document.querySelectorAll(".around li.critical").length > 0`)
			}
		}
		contains(t, p.Text("#selection"), "its start: what was before it on its lane, 300 ms; critical", "h_2 waits for h_1")
		contains(t, p.Text("#selection"), "its start: message h_2call from C_2, 2.00 s; slack 1.70 s", "and not for its call")
		expect.Deep(t, onPaperDrawn(t, p, "2.5", 0, 19e9), []string{"C_3 8.9 C_3 9.2", "C_3 9.2 C_3 9.8"}, "the red constraints of h_2")
	})
	const deadline = "900000000" // what is left of a second of Step and Scan for C, by inequality (3)
	t.Run("9 six setpoint adjustments, of which one is late", func(t *testing.T) {
		open("#/timeline/wafer?order=name&late=C_1.C&deadline="+deadline, `document.querySelector(".label.late") !== null`)
		contains(t, browser.Eval[string](p, `document.querySelector(".label.late").textContent`), "C_1.C, 900 ms", "the deadline")
		boxes := browser.Eval[[]box](p, list)
		slices.SortStableFunc(boxes, func(a, b box) int { return int(math.Copysign(1, a.Left-b.Left)) })
		of := func(function string) (all []box) {
			for _, b := range boxes {
				if b.Function == function {
					all = append(all, b)
				}
			}
			return all
		}
		compute, queue, result, step, scan := of("C"), of("Q"), of("R"), of("Step"), of("Scan")
		expect.Deep(t, []int{len(compute), len(queue), len(result), len(step), len(scan)}, []int{6, 6, 4, 6, 6}, "C, Q, R, Step, Scan")
		for i := range compute {
			if late := compute[i].Right-compute[i].Left > 1.5*(compute[0].Right-compute[0].Left); late != (i == 4) {
				t.Errorf("C(%d) is late: %v", i+1, late)
			}
			if i > 0 {
				if gap := step[i].Left-scan[i-1].Right > 1; gap != (i == 4) {
					t.Errorf("Step(%d) does not follow Scan(%d) at once: %v", i+1, i, gap)
				}
			}
		}
		// After Q(5) the next computation begins at once, since the result that it needs is there.
		if wait := compute[5].Left - queue[4].Right; wait > (compute[4].Left-queue[3].Right)/4 {
			t.Errorf("C(6) begins %v pixels after Q(5)", wait)
		}
		late := sentTo[struct {
			Missed struct {
				Missed []struct {
					Occurrence int64
					Causes     []struct{ Component, Function string }
				}
			}
		}](t, client, base+"api/run/wafer/paths?to=C_1.C&deadline="+deadline).Missed.Missed
		if len(late) != 1 || late[0].Occurrence != 5 || len(late[0].Causes) != 1 || late[0].Causes[0].Component+"."+late[0].Causes[0].Function != "C_2.model" {
			t.Errorf("late are %+v, want the fifth, because of C_2.model", late)
		}
	})
	t.Run("10 the critical path of the late one", func(t *testing.T) {
		// From the start of C(5) to its finish: the trigger, what C_2 does for it, the part of that for which the call waits, the call itself, the rest of C(5).
		want := []string{
			"C_1 3.58 C_1 3.6", "C_1 3.6 C_2 3.61", "C_2 3.61 C_2 3.64", "C_2 3.64 C_2 4.31", "C_2 4.31 C_2 4.32", "C_2 4.32 C_2 4.62", "C_2 4.62 C_1 4.63", "C_1 4.63 C_1 4.78",
		}
		path := sentTo[sentPath](t, client, base+"api/run/wafer/path?to="+url.QueryEscape("C_1.C#5"))
		expect.Deep(t, path.lines(), want, "the path")
		contains(t, string(said(t, "critical-path", "wafer", "--to", "C_1.C#5")), "670 ms      1  contention     C_2.model, while a message waited for C_2", "contention")
		open("#/timeline/wafer?order=name&from=3500000000&to=4900000000&path="+url.QueryEscape("C_1.C#5"), `document.querySelector(".label.path") !== null`)
		drawn := append(onPaperDrawn(t, p, "3", 3.5e9, 4.9e9), onPaperDrawn(t, p, "1", 3.5e9, 4.9e9)...)
		slices.Sort(drawn)
		slices.Sort(want)
		expect.Deep(t, drawn, want, "the red line")
	})
	p.Quiet()
}
