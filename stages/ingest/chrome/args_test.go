package chrome

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// argued is a trace of calls with arguments, among them ends that repeat those of their begin, and ends that do not.
const argued = `[{"ph":"B","name":"check","cat":"c","ts":1,"args":{"path":"a.ts","depth":3}},{"ph":"E","name":"check","cat":"c","ts":3,"args":{"path":"a.ts"}},
{"ph":"B","name":"check","cat":"c","ts":4,"args":{"path":"b.ts"}},{"ph":"B","name":"check","cat":"d","ts":5,"args":{"path":"c.ts"}},
{"ph":"E","name":"check","ts":6},{"ph":"E","name":"check","ts":7},
{"ph":"X","args":{"data":{"functionName":"f\u00e9","lineNumber":12},"path":"x"},"name":"FunctionCall","cat":"v8,devtools.timeline","ts":8,"dur":1},
{"ph":"X","args":{"data":{"functionName":""}},"name":"FunctionCall","cat":"devtools.timeline","ts":10,"dur":1},
{"ph":"X","args":{"Input Dims":[[4,4],[],[true,false]],"path":null},"name":"mm","cat":"cpu_op","ts":12,"dur":1},
{"ph":"b","id":1,"name":"load","cat":"net","ts":14,"args":{"path":"u"}},{"ph":"e","id":1,"name":"load","cat":"net","ts":15},
{"ph":"C","name":"heap","ts":16,"args":{"path":4}},{"ph":"M","name":"process_name","args":{"name":"p","path":"q"}}]`

// called are the names of calls, with what else there is of them.
func called(r result) string {
	var names []string
	open := 0
	for _, e := range r.events {
		if e.Kind == schema.Enter {
			names = append(names, e.Function)
			open++
		} else if e.Kind == schema.Exit {
			open--
		}
	}
	return fmt.Sprintf("%s; %d open", strings.Join(names, " "), open)
}

// Arguments that the user asks for are part of the names of calls, of all or of a category; ends find their calls all the same.
func TestNameArgs(t *testing.T) {
	for asked, want := range map[string]string{
		"":                               "check check check FunctionCall FunctionCall mm load; 0 open",
		"path":                           "check(a.ts) check(b.ts) check(c.ts) FunctionCall(x) FunctionCall mm load(u); 0 open",
		"c=path":                         "check(a.ts) check(b.ts) check FunctionCall FunctionCall mm load; 0 open",
		"c=path d=path":                  "check(a.ts) check(b.ts) check(c.ts) FunctionCall FunctionCall mm load; 0 open",
		"depth path":                     "check(3, a.ts) check(b.ts) check(c.ts) FunctionCall(x) FunctionCall mm load(u); 0 open",
		"Input_Dims":                     "check check check FunctionCall FunctionCall mm([[4,4],[],[true,false]]) load; 0 open",
		"net=path v8=lineNumber":         "check check check FunctionCall(12) FunctionCall mm load(u); 0 open",
		"devtools.timeline=functionName": "check check check FunctionCall(fé) FunctionCall mm load; 0 open",
	} {
		var args []schema.NameArg
		for _, one := range strings.Fields(asked) {
			at := strings.LastIndexByte(one, '=')
			args = append(args, schema.NameArg{Category: one[:max(0, at)], Field: strings.ReplaceAll(one[at+1:], "_", " ")})
		}
		expect.Equal(t, called(read(argued, options{nameArgs: args})), want, "%s", asked)
	}
}

// Arguments that have no place are counted by their names; those of events that are left out are not.
func TestSkippedArgs(t *testing.T) {
	for asked, want := range map[string]string{
		"":     "path 7, data 2, Input Dims 1, depth 1",
		"path": "data 2, path 2, Input Dims 1, depth 1", // of an end and a null
	} {
		var got []string
		for _, l := range read(argued, options{nameArgs: []schema.NameArg{{Field: asked}}}).losses {
			if name, found := strings.CutSuffix(l.Meaning, ": "+schema.SkippedAttribute.Meaning); found {
				got = append(got, fmt.Sprint(name, " ", l.Count))
			}
		}
		expect.Equal(t, strings.Join(got, ", "), want, "%s", asked)
	}
}

// A startTime in the data of a call is none of a profile, whatever its value: browsers write those of user timings with a point, and the
// phase behind the arguments. It is kept where the user asks for it, and a profile's is read all the same.
func TestUserTimings(t *testing.T) {
	const timing = `{"args":{"data":{"startTime":%s}},"cat":"blink.user_timing","name":"mark","ph":"I","pid":7,"tid":1,"ts":100}`
	const profile = `,{"args":{"data":{"startTime":%s}},"id":"1","name":"Profile","ph":"P","pid":7,"tid":1,"ts":100},
		{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"f"},"id":1}],"samples":[1,1]},"timeDeltas":[5,10]}},
		"id":"1","name":"ProfileChunk","ph":"P","pid":7,"tid":2,"ts":120}`
	for _, c := range []struct {
		text, bad string
		fromNs    int64 // of the sampled call
	}{
		{fmt.Sprintf(timing, "267.6"), "", 0},
		{fmt.Sprintf(timing, "267.6") + fmt.Sprintf(profile, "100"), "", 105_000},
		{fmt.Sprintf(timing, "267.6") + fmt.Sprintf(profile, "100.5"), "bad_record 1", 5_000},
	} {
		for _, attributes := range [][]string{nil, {"startTime"}} {
			r := read("["+c.text+"]", options{attributes: attributes})
			var bad []string
			for _, l := range r.faults() {
				bad = append(bad, fmt.Sprint(l.Reason, " ", l.Count))
			}
			expect.Equal(t, strings.Join(bad, ", "), c.bad, "%s with %q", c.text, attributes)
			from := int64(0)
			for _, e := range r.events {
				if e.Function == "f" && e.Kind == schema.Enter {
					from = e.TimeNs
				}
			}
			expect.Equal(t, from, c.fromNs, "%s with %q", c.text, attributes)
			skipped := len(r.losses) - len(r.faults())
			expect.Equal(t, skipped == 0, attributes != nil, "%s with %q", c.text, attributes)
		}
	}
}

// Of many names the most frequent ones are listed, and the others together.
func TestManyArgs(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, `{"ph":"i","name":"f","ts":%d,"args":{"common":1,"a%d":1}},`, i, i)
	}
	counts := map[string]int64{}
	for _, l := range read("["+text.String()+"]", options{}).losses {
		name, _, _ := strings.Cut(l.Meaning, ":")
		counts[name] = l.Count
	}
	if len(counts) != mostKinds+1 || counts["common"] != 40 || counts["others"] != 40-(mostKinds-1) {
		t.Errorf("got %v", counts)
	}
}

// An argument called name may stand before the phase that says whether it is a label or part of a name.
func TestArgumentCalledName(t *testing.T) {
	r := read(`[{"args":{"name":"a"},"ph":"i","name":"f","ts":1},{"args":{"name":"p"},"ph":"M","name":"process_name"}]`, options{nameArgs: []schema.NameArg{{Field: "name"}}})
	expect.Equal(t, called(r)+" "+r.events[0].Component, "f(a); 0 open p", "events")
}
