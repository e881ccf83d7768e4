package canvas

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestEscape sees that a name of a trace is letters in a picture: it opens no element, colours nothing, and turns no direction of writing.
func TestEscape(t *testing.T) {
	for name, want := range map[string]string{
		"lib.f": "lib.f", "<b>&\"'": "&lt;b&gt;&amp;&#34;&#39;", "a\x1b[31m": `a\u001b[31m`, "a\u202eb\u2066": `a\u202eb\u2066`,
		"two\nlines": "two&#xA;lines", "\xff": `\xff`, "größer": "größer", "~ }": "~ }", "&": "&amp;", ">": "&gt;", `"`: "&#34;", "'": "&#39;", "\x7f": `\u007f`, "\x1f": `\u001f`,
	} {
		expect.Equal(t, Escape(name), want, "%q", name)
	}
}
