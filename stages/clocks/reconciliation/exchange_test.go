package reconciliation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// talk makes units of lines of messages, "!1 ?2 !1": an end each.
func talk(lines ...string) (units []*Unit) {
	for i, line := range lines {
		u := &Unit{Name: fmt.Sprint("u", i), Series: []string{"m"}}
		for e, word := range strings.Fields(line) {
			id, _ := strconv.ParseInt(word[1:], 10, 64)
			d := schema.Send
			if word[0] == '?' {
				d = schema.Receive
			}
			u.Ends = append(u.Ends, End{ID: id, Event: u.Event(int64(e), int64(e)), Direction: d})
		}
		units = append(units, u)
	}
	return units
}

// TestPair writes exchanges as "sender.end>receiver.end", then the ends that are kept apart.
func TestPair(t *testing.T) {
	for _, c := range []struct {
		name      string
		lines     []string
		exchanges string
		apart     string
		ambiguous int64
	}{
		{"there and back", []string{"!1 ?2", "?1 !2"}, "0.0>1.0 1.1>0.1", "[] []", 0},
		{"one identifier for both", []string{"!1 ?1", "?1 !1"}, "0.0>1.0 1.1>0.1", "[] []", 0},
		{"again and again", []string{"!1 !1 !1", "?1 ?1"}, "0.0>1.0 0.1>1.1", "[] []", 0},
		{"lost", []string{"!1 ?2", "?3 !4"}, "", "[] []", 0},
		{"within units", []string{"!1 ?1", "!1 ?1"}, "", "[0 1] [0 1]", 0},
		{"within one unit", []string{"!1 ?1", "!2"}, "", "[] []", 0},
		{"two senders", []string{"!1", "!1", "?1"}, "", "[0] [0] [0]", 1},
		{"relayed", []string{"!1", "?1 !1", "?1"}, "", "[0] [0 1] [0]", 1},
		{"three units", []string{"!1 !2", "?1 !3", "?2 ?3"}, "0.0>1.0 0.1>2.0 1.1>2.1", "[] [] []", 0},
	} {
		p := Pair(talk(c.lines...))
		var got []string
		for _, x := range p.Exchanges {
			got = append(got, fmt.Sprintf("%d.%d>%d.%d", x.Sender, x.Send, x.Receiver, x.Receive))
		}
		apart := strings.Trim(fmt.Sprint(p.Apart), "[]")
		if want := strings.Trim(c.apart, "[]"); strings.Join(got, " ") != c.exchanges || apart != want || p.Ambiguous != c.ambiguous {
			t.Errorf("%s: %v, apart %v, %d ambiguous", c.name, got, p.Apart, p.Ambiguous)
		}
	}
}

// TestKeep forgets what stays in a unit, and numbers the rest anew.
func TestKeep(t *testing.T) {
	units := talk("!1 !2 ?2 !3", "?3 !9 ?9 ?1")
	units[0].Tick(5, units[0].Event(1000, 7))
	units[1].Tick(5, 1)
	p := Pair(units)
	Keep(units, p.Exchanges)
	if !slices.Equal(units[0].Position, []int64{0, 3, 1000}) || !slices.Equal(units[1].Position, []int64{0, 1, 3}) ||
		!slices.Equal(units[0].Ticks[5], []int32{2}) || !slices.Equal(units[1].Ticks[5], []int32{1}) ||
		units[0].Ends[3].Event != 1 || units[0].Ends[1].Event != noEvent || units[1].Ends[3].Event != 2 || units[1].TimeNs[2] != 3 {
		t.Errorf("%+v %+v", units[0], units[1])
	}
}
