package spans

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestMessages compares the messages between services with what the words of the package comment say of each parent and
// child, looked up one by one. Spans of one service are left out, since what they send depends on their lifelines.
func TestMessages(t *testing.T) {
	total := 0
	stories(false, func(seed uint64, lines []string, _ *rand.Rand) {
		want, sound := plainMessages(lines)
		if !sound {
			return
		}
		out := story(t, strings.Join(lines, "\n"))
		have := messagesOf(out.events)
		want = slices.DeleteFunc(want, func(m string) bool { return strings.HasPrefix(m, late) && !slices.Contains(have, m[len(late):]) })
		for i := range want {
			want[i] = strings.TrimPrefix(want[i], late)
		}
		slices.Sort(want)
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%d: messages\n%s\nand not\n%s\n%s", seed, strings.Join(have, "\n"), strings.Join(want, "\n"), strings.Join(lines, "\n"))
		}
		total += len(want)
	})
	if total < 1000 {
		t.Errorf("only %d messages were compared", total)
	}
}

// late stands before a message from the end of a parent to a child that starts later. It is not sent if clocks differ so
// much that the parent's end has to come after the child's start.
const late = "late "

// messagesOf lists the messages between events of several services.
func messagesOf(events []got) (out []string) {
	sent := map[int64]got{}
	for _, e := range events {
		switch e.mark.Direction {
		case schema.Send:
			sent[e.id] = e
		case schema.Receive:
			s := sent[e.id]
			if s.key.Component != e.key.Component {
				out = append(out, fmt.Sprintf("%s %s %d -> %s %d", s.mark.Label, s.key.Component, s.timeNs, e.key.Component, e.timeNs))
			}
		}
	}
	slices.Sort(out)
	return out
}

// plainMessages is what the messages should be; sound is false where ids stand for several spans, or parents make a circle.
func plainMessages(lines []string) (out []string, sound bool) {
	type span struct {
		parent, kind, service string
		from, to              int64
		follows, left         bool
	}
	all := map[string]*span{}
	for _, line := range lines {
		f := strings.Fields(line)
		s := &span{f[0] + " " + f[2], f[3], f[4], instant(f[6]), instant(f[7]), len(f) > 8, f[6] == "?" || f[7] == "?"}
		if s.to < s.from {
			s.to = s.from
		}
		if all[f[0]+" "+f[1]] != nil {
			return nil, false
		}
		all[f[0]+" "+f[1]] = s
	}
	for _, s := range all {
		p := all[s.parent]
		for steps := 0; p != nil && p.left; steps++ {
			if steps > len(all) {
				return nil, false
			}
			p = all[p.parent]
		}
		for q, steps := p, 0; q != nil; q, steps = all[q.parent], steps+1 {
			if steps > len(all) {
				return nil, false
			}
		}
		component := func(x *span) string { c, _, _ := strings.Cut(x.service, "@"); return c }
		if p == nil || s.left || component(p) == component(s) {
			continue
		}
		waits := p.kind != "producer" && s.kind != "consumer" && !s.follows
		label, back := "inferred", "inferred"
		if p.kind == "client" && s.kind == "server" {
			label, back = "request", "reply"
		}
		if !waits {
			label = "trigger"
		}
		send, received := p.from, p.to
		if p.kind != "client" && p.kind != "producer" {
			send = max(p.from, min(s.from, p.to))
			received = max(p.from, s.to)
			waits = waits && s.to <= p.to
		}
		request := fmt.Sprintf("%s %s %d -> %s %d", label, component(p), send, component(s), s.from)
		if send == p.to && s.from > p.to {
			request = late + request
		}
		out = append(out, request)
		if waits {
			out = append(out, fmt.Sprintf("%s %s %d -> %s %d", back, component(s), s.to, component(p), received))
		}
	}
	slices.Sort(out)
	return out, true
}
