package ctf

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// used are the names of events that have a place, in the tables or as what the package comment says of them: calls, messages, what runs on a
// CPU, and what things are called. unused look like them and are none.
var (
	used = regexp.MustCompile(`[_.](?:entry|exit|begin|end)(?:_|$)|^exit_syscall$|^sys_|:func_(?:entry|exit)$|lcore\.(?:start|stop)$|^Event_(?:Enter|Leave)$|` +
		`sched_switch|sched_process_(?:fork|exit)|sched_wak|statedump_process_state|:bin_info|:dlopen|:procname|` +
		`^net_dev_queue$|^netif_receive_skb$|^inet_sock_local_|^dds:write$|` +
		`^ros2:(?:callback_start|callback_end|rmw_take|rmw_publisher_init|rcl_(?:node|publisher|subscription|service|timer)_init|rclcpp_.*_added|rclcpp_callback_register|rclcpp_timer_link_node|rclcpp_subscription_init)$|` +
		`^dds:create_writer$|^GlobalDef_(?:String|Region|Location|LocationGroup)$`)
	unused = regexp.MustCompile(`statedump_(?:start|end)$|statedump:(?:start|end)$`)
)

// TestEventsAreAccountedFor counts the events of every trace by name: what is not used is lost under its name, all of it and nothing else.
// A trace in which nothing begins or ends anything has an execution of every event.
func TestEventsAreAccountedFor(t *testing.T) {
	archives := expect.Value(filepath.Glob(filepath.Join(readertest.ThirdParty(t, "ctf"), "*", "*.tar.zst")))(t)
	traces := 0
	for _, archive := range archives {
		root := readertest.Unpack(t, archive)
		for _, dir := range tracesIn(t, root) {
			got := readAll(t, root, dir)
			if got.err != nil {
				continue
			}
			traces++
			checkAccount(t, dir, got)
		}
	}
	if t.Logf("%d traces", traces); traces < 60 {
		t.Errorf("%d traces", traces)
	}
}

// checkAccount compares what a trace has with what became of it.
func checkAccount(t *testing.T, dir string, got *result) {
	t.Helper()
	left, tail, executions := int64(0), int64(0), make(map[string]bool)
	for _, r := range got.rows {
		executions[r.Key.Component+":"+r.Key.Function], executions[r.Key.Function] = true, true
	}
	for name, n := range got.events {
		lost := got.skipped[name]
		if executions[name] || used.MatchString(name) && !unused.MatchString(name) {
			left += lost // some may be left out, such as a waker's of what runs already
			continue
		}
		if left += n; lost > 0 {
			expect.Equal(t, lost, n, "%s: %s", dir, name)
		}
	}
	// Of the rarest, which are counted together, some may be of names that are used.
	for kind, n := range got.skipped {
		if strings.HasSuffix(kind, " further kinds") {
			tail = n
		}
	}
	if all := got.losses[schema.SkippedRecord.Name]; all < left || all > left+tail {
		t.Errorf("%s: %d events are left out, %d have no place", dir, all, left)
	}
}
