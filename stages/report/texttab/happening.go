package texttab

import "strings"

// Happening says what a call does where a text names its event, which may go on with more:
//
//	exit Curl_poll send to lib_multi_c in ...       Curl_poll returns to lib_multi_c in ...
//	exit lookup receive from server in ...          lookup gets its answer from server in ...
//	enter lookup send to server in ...              lookup calls server in ...
//	enter lookup receive from client in ...         lookup is called by client in ...
//
// Any other text stays as it is.
func Happening(text string) string {
	for _, h := range happenings {
		step, found := strings.CutPrefix(text, h.kind)
		if at := strings.Index(step, h.end); found && at > 0 {
			return step[:at] + h.says + step[at+len(h.end):]
		}
	}
	return text
}

// happenings are the forms of events that are ends of messages, and how they are said.
var happenings = []struct{ kind, end, says string }{
	{"exit ", " send to ", " returns to "},
	{"exit ", " receive from ", " gets its answer from "},
	{"enter ", " send to ", " calls "},
	{"enter ", " receive from ", " is called by "},
}
