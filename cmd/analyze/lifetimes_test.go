package main

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// browserTrace writes a trace of Chrome: eight frames, each of which posts a message to a worker that decodes. Asynchronous calls are those around that, some of
// which nest, are called like functions, or never end; without is the same trace without them.
func browserTrace(rng *rand.Rand, decodeUs int) (with, without string) {
	var all, work []string
	at := 0
	near := func(us int) int { return us*97/100 + rng.Intn(us*6/100+1) }
	event := func(isWork bool, format string, args ...any) {
		e := fmt.Sprintf(format, args...)
		if all = append(all, e); isWork {
			work = append(work, e)
		}
	}
	event(true, `{"ph":"M","name":"process_name","pid":1,"args":{"name":"app"}}`)
	for k := range 8 {
		layout, wait, decode := near(1000), near(700), near(decodeUs)
		start := at + 160 + wait
		event(true, `{"ph":"X","name":"layout","pid":1,"tid":1,"ts":%d,"dur":%d}`, at, layout)
		event(false, `{"ph":"b","cat":"net","name":"load","id":%d,"pid":1,"tid":1,"ts":%d}`, k, at+150)
		event(false, `{"ph":"b","cat":"net","name":"decode","id":%d,"pid":1,"tid":1,"ts":%d}`, k, at+155)
		event(false, `{"ph":"n","cat":"net","name":"layout","id":%d,"pid":1,"tid":1,"ts":%d}`, k, at+158)
		event(true, `{"ph":"s","cat":"q","name":"post","id":%d,"pid":1,"tid":1,"ts":%d}`, k, at+160)
		event(true, `{"ph":"X","name":"task","pid":1,"tid":2,"ts":%d,"dur":%d}`, start, decode+200)
		event(true, `{"ph":"f","bp":"e","cat":"q","name":"post","id":%d,"pid":1,"tid":2,"ts":%d}`, k, start)
		event(true, `{"ph":"X","name":"decode","pid":1,"tid":2,"ts":%d,"dur":%d}`, start+100, decode)
		event(false, `{"ph":"e","cat":"net","name":"decode","id":%d,"pid":1,"tid":1,"ts":%d}`, k, start+decode+150)
		event(false, `{"ph":"e","cat":"net","name":"load","id":%d,"pid":1,"tid":1,"ts":%d}`, k, start+decode+50+near(400))
		if k%3 == 0 {
			event(false, `{"ph":"b","cat":"idle","name":"layout","id":"i%d","pid":1,"tid":1,"ts":%d}`, k, at+10)
		}
		at = start + decode + 1500
	}
	return "[\n" + strings.Join(all, ",\n") + "\n]", "[\n" + strings.Join(work, ",\n") + "\n]"
}

// TestLifetimesChangeNoVerdict compares traces with asynchronous calls and the same traces without: all rows on what functions do are the same, with their figures,
// and so are the findings, contributions and factors. What the lifetimes do stands beside them, with the function that is behind it.
func TestLifetimesChangeNoVerdict(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewSource(7))
	var names [2][]string
	for _, folder := range []string{"with", "without"} {
		expect.OK(t, os.Mkdir(folder, 0o755))
	}
	for side, decodeUs := range []int{3000, 4200} {
		for i := range 4 {
			name := fmt.Sprintf("%c%d", 'a'+side, i)
			names[side] = append(names[side], name)
			with, without := browserTrace(rng, decodeUs)
			expect.OK(t, os.WriteFile("with/"+name+".json", []byte(with), 0o644))
			expect.OK(t, os.WriteFile("without/"+name+".json", []byte(without), 0o644))
		}
	}
	var results [2]*compare.Result
	for i, folder := range []string{"with", "without"} {
		t.Chdir(folder)
		for _, name := range append(names[0], names[1]...) {
			expect.OK(t, loadAs(t.Context(), name, name+".json", nil))
		}
		var out, problems bytes.Buffer
		args := []string{"compare", "--quiet"}
		for side, flag := range []string{"--base", "--cand"} {
			for _, name := range names[side] {
				args = append(args, flag, name)
			}
		}
		if err := run(t.Context(), args, nil, &out, &problems); err != nil {
			t.Fatalf("%s: %v\n%s", folder, err, &problems)
		}
		l := expect.Value(lake.Open("lake", false))(t)
		all := expect.Value(l.Partitions("comparison"))(t)
		expect.Equal(t, len(all), 1, "comparisons in the lake")
		r, _, err := compare.Read(l, all[0].Name)
		expect.OK(t, err)
		results[i] = r
		t.Chdir("..")
	}
	with, without := results[0], results[1]
	var lifetimes, changes []schema.Change
	for _, c := range with.Changes {
		if c.Level == schema.LevelLifetime {
			lifetimes = append(lifetimes, c)
		} else {
			changes = append(changes, c)
		}
	}
	for _, list := range [][]schema.Change{changes, without.Changes} {
		for i := range list {
			list[i].Rank = 0
		}
	}
	for _, list := range [][]schema.Finding{with.Findings, without.Findings} {
		for i := range list {
			list[i].Rank = 0
		}
	}
	expect.Deep(t, changes, without.Changes, "changes without lifetimes")
	expect.Deep(t, with.Findings, without.Findings, "findings")
	expect.Deep(t, with.Contributions, without.Contributions, "contributions")
	expect.Deep(t, with.Factors, without.Factors, "factors")
	expect.Equal(t, len(with.Findings), 1, "findings")
	expect.Equal(t, with.Findings[0].Function, "decode", "the cause")
	causes := make(map[string]string)
	for _, c := range lifetimes {
		causes[c.Component+"."+c.Subject+" "+c.Verdict] = c.RootCause
	}
	expect.Equal(t, causes["app.load longer"], "in app.decode", "what is behind the lifetime that grew")
	expect.Equal(t, causes["app.decode longer"], "in app.decode", "what is behind the lifetime that is called like a function")
}
