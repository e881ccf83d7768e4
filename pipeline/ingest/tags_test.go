package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/jaeger"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/spantable"
	"github.com/tracelake/tracelake/stages/ingest/zipkin"
	"github.com/tracelake/tracelake/testdata/expect"
)

// tagged are traces of a call f, with the attributes file=a.go, ok=true and n=7 and a list or an object, and a call g with file=b.go.
var tagged = []struct {
	format schema.Format
	text   string
	left   string // the losses of a reading of all, and of one that keeps only files
	some   string
}{
	{chrome.Format(), `[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":9,"name":"f","args":{"data":{"file":"a.go"},"ok":true,"n":7,"o":{"p":{"q":1}}}},
		{"args":{"file":"b.go"},"ph":"B","pid":1,"tid":1,"ts":2,"name":"g"},{"ph":"E","pid":1,"tid":1,"ts":3,"args":{"file":"at its end"}}]`,
		"1 skipped_attribute file, 1 skipped_attribute o", "1 skipped_attribute file, 1 skipped_attribute n, 1 skipped_attribute o, 1 skipped_attribute ok"},
	{otlp.Format(), `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},"scopeSpans":[{"spans":[
		{"traceId":"01","spanId":"01","name":"f","startTimeUnixNano":"1","endTimeUnixNano":"9","attributes":[{"key":"file","value":{"stringValue":"a.go"}},
			{"key":"ok","value":{"boolValue":true}},{"key":"n","value":{"intValue":"7"}},{"key":"list","value":{"arrayValue":{"values":[]}}}]},
		{"traceId":"01","spanId":"02","parentSpanId":"01","name":"g","startTimeUnixNano":"2","endTimeUnixNano":"3","attributes":[{"value":{"stringValue":"b.go"},"key":"file"}]}]}]}]}`, "", ""},
	{jaeger.Format(), `{"data":[{"traceID":"1","processes":{"p":{"serviceName":"s","tags":[{"key":"file","value":"of a process"}]}},"spans":[
		{"traceID":"1","spanID":"1","operationName":"f","startTime":1,"duration":9,"processID":"p","tags":[{"key":"file","value":"a.go"},{"key":"ok","value":true},{"key":"n","value":7}]},
		{"traceID":"1","spanID":"2","references":[{"refType":"CHILD_OF","traceID":"1","spanID":"1"}],"operationName":"g","startTime":2,"duration":1,"processID":"p","tags":[{"value":"b.go","key":"file"}]}]}]}`, "", ""},
	{spantable.Format(), "trace,span,parent,name,start_ns,end_ns,file,ok,n,list\n1,1,,f,1,9,a.go,true,7,\n1,2,1,g,2,3,b.go,,,\n", "", ""},
	{spantable.Format(), `[{"trace":1,"span":1,"name":"f","start_ns":1,"end_ns":9,"file":"a.go","ok":true,"n":7,"list":[1]},
		{"trace":1,"span":2,"parent":1,"name":"g","start_ns":2,"end_ns":3,"file":"b.go"}]`, "", ""},
	{zipkin.Format(), `[{"traceId":"1","id":"1","name":"f","timestamp":1,"duration":9,"localEndpoint":{"serviceName":"s"},"tags":{"file":"a.go","ok":"true","n":"7"}},
		{"tags":{"file":"b.go"},"traceId":"1","id":"2","parentId":"1","name":"g","timestamp":2,"duration":1,"localEndpoint":{"serviceName":"s"}}]`, "", ""},
}

// TestAttributesOfCalls keeps all attributes of calls, those of one name, and none. The other tables are the same in each case.
func TestAttributesOfCalls(t *testing.T) {
	all := []string{"f file a.go", "f n 7", "f ok true", "g file b.go"}
	for _, c := range tagged {
		for _, asked := range []struct {
			names []string
			want  []string
			left  string
		}{{[]string{"all"}, all, c.left}, {[]string{"file", "other"}, []string{all[0], all[3]}, c.some}, {nil, nil, ""}} {
			j := job(t, write(t, "t.json", c.text))
			j.Detect = func(string, []byte) (schema.Format, error) { return c.format, nil }
			j.Memory, j.Options.Attributes = 1<<24, asked.names
			run, losses := ingested(t, j)
			expect.Equal(t, run.Events, int64(4), "%s: events", c.format.Name)
			expect.Slice(t, attributesOf(t, j.Lake), asked.want, "%s: attributes %v", c.format.Name, asked.names)
			if asked.names == nil {
				continue
			}
			var told []string
			for _, loss := range losses {
				told = append(told, fmt.Sprint(loss.Count, " ", loss.Reason, " ", loss.Kind()))
			}
			slices.Sort(told)
			expect.Equal(t, strings.Join(told, ", "), asked.left, "%s: losses with %v", c.format.Name, asked.names)
		}
	}
}

// TestAttributesOfSeveral keeps the attributes of calls of three traces that are one run: those that each has by itself.
func TestAttributesOfSeveral(t *testing.T) {
	texts := []string{tagged[0].text, `[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"h"}]`,
		`[{"ph":"X","pid":1,"tid":1,"ts":2,"dur":9,"name":"k","args":{"other":"a.go","file":"c.go"}},{"ph":"X","pid":1,"tid":1,"ts":2,"dur":2,"name":"g","args":{"file":"b.go"}}]`}
	for _, asked := range [][]string{{"all"}, {"file"}} {
		var want []string
		var paths []string
		for i, text := range texts {
			paths = append(paths, write(t, fmt.Sprint("t", i, ".json"), text))
			j := job(t, paths[i])
			j.Detect = func(string, []byte) (schema.Format, error) { return chrome.Format(), nil }
			j.Memory, j.Options.Attributes = 1<<24, asked
			ingested(t, j)
			want = append(want, attributesOf(t, j.Lake)...)
		}
		slices.Sort(want)
		j := job(t, paths...)
		j.Detect = func(string, []byte) (schema.Format, error) { return chrome.Format(), nil }
		j.Memory, j.Options.Attributes = 1<<24, asked
		ingested(t, j)
		if expect.Slice(t, attributesOf(t, j.Lake), want, "attributes %v", asked); len(want) < 4 {
			t.Errorf("too few attributes: %q", want)
		}
	}
}

// TestTraceIDs keeps the ids of traces at their roots, of every format of spans.
func TestTraceIDs(t *testing.T) {
	for _, c := range tagged[1:] {
		j := job(t, write(t, "t.json", c.text))
		j.Detect = func(string, []byte) (schema.Format, error) { return c.format, nil }
		j.Memory, j.Options.Attributes = 1<<24, []string{schema.TraceIDAttribute}
		ingested(t, j)
		expect.Slice(t, attributesOf(t, j.Lake), []string{"f trace_id 0000000000000001"}, "%s", c.format.Name)
	}
}

// TestTraceIDsAreTexts keeps ids of traces that are no numbers as the trace has them, and names the runs of single traces by them where runs may
// have such names.
func TestTraceIDsAreTexts(t *testing.T) {
	const text = "trace,span,parent,service,name,start_us,end_us\nreq.17-b,1,,web,f,1,5\norder 9/ä,2,,web,f,11,15\n"
	j := job(t, write(t, "t.csv", text))
	j.Detect = func(string, []byte) (schema.Format, error) { return spantable.Format(), nil }
	j.Memory, j.Options.Attributes = 1<<24, []string{schema.TraceIDAttribute}
	ingested(t, j)
	expect.Slice(t, attributesOf(t, j.Lake), []string{"f trace_id order 9/ä", "f trace_id req.17-b"}, "ids")
}

// attributesOf are the attributes of the executions of the run a, in order: function, name and value.
func attributesOf(t *testing.T, l *lake.Lake) (out []string) {
	t.Helper()
	if m := expect.Value(l.Manifest("attributes", lake.Run("a")))(t); m == nil {
		return nil
	}
	functions := make(map[int64]string)
	ev := schema.NewEvents()
	all := lake.ScanOptions{}
	expect.OK(t, l.ScanTable(t.Context(), "events", "a", ev, all, func() error {
		for i, seq := range ev.Seq {
			functions[seq] = ev.Names.Functions.Name(ev.Function[i])
		}
		return nil
	}))
	attributes := schema.NewAttributes(&schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)})
	expect.OK(t, l.ScanTable(t.Context(), "attributes", "a", attributes, all, func() error {
		for i, about := range attributes.About {
			expect.Equal(t, about, schema.OfClaim, "the thing of an attribute")
			out = append(out, fmt.Sprint(functions[attributes.Ref[i]], " ", attributes.Texts.Names.Name(attributes.Name[i]), " ", attributes.Texts.Values.Name(attributes.Value[i])))
		}
		return nil
	}))
	slices.Sort(out)
	return out
}

// TestAttributesAreRefused asks for attributes of a format that keeps none.
func TestAttributesAreRefused(t *testing.T) {
	j := job(t, write(t, "trace", "0.1 a > f\n0.2 a < f\n"))
	j.Options.Attributes = []string{"all"}
	_, _, err := ingest.Run(t.Context(), j)
	expect.Refused(t, err, "--attributes: calls in thesis traces have no attributes that are kept", "text of the thesis")
}
