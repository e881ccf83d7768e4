package ctf

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// requests describes pairs of which two fields may say which ends belong together. A record of the stream is the number of its
// event, the time, and for requests the two fields.
const requests = `/* CTF 1.8 */
typealias integer { size = 8; } := u8;
trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { u8 id; u8 timestamp; }; };
event { name = "app:request_begin"; id = 1; fields := struct { u8 size; u8 tag; }; };
event { name = "app:request_end"; id = 2; fields := struct { u8 tag; u8 size; }; };
event { name = "app:inner_begin"; id = 3; };
event { name = "app:inner_end"; id = 4; };
event { name = "app:go"; id = 5; };
event { name = "app:done"; id = 6; };
`

func readRequests(t *testing.T, stream string, options schema.ReadingOptions) string {
	t.Helper()
	return telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(requests)}, "s": {Data: []byte(stream)}}, options, "."))
}

// Requests that overlap are paired by the field whose values are unique to pairs, each on a lifeline where no other is open.
func TestKeysByThemselves(t *testing.T) {
	got := readRequests(t, "\x01\x00\x09\x01"+"\x01\x01\x09\x02"+"\x02\x03\x01\x09"+"\x01\x04\x09\x03"+"\x02\x08\x02\x09"+"\x02\x09\x03\x09", schema.ReadingOptions{})
	expect.Equal(t, got, `0 cpu/0 app > request
1 cpu/0#2 app > request
3 cpu/0 app < request
4 cpu/0 app > request
8 cpu/0#2 app < request
9 cpu/0 app < request
`, "overlapping requests")
}

// Where no field is unique the latest begin ends, and that is counted; so it is, uncounted by its wish, with a field that the user names.
func TestKeysOfUsers(t *testing.T) {
	crossing := "\x01\x00\x09\x01" + "\x01\x01\x09\x02" + "\x02\x03\x01\x09" + "\x02\x08\x02\x09" + "\x01\x0a\x09\x01" + "\x01\x0b\x09\x01" + "\x02\x0c\x01\x09"
	got := readRequests(t, crossing, schema.ReadingOptions{})
	if strings.Contains(got, "#2") || !strings.Contains(got, "loss ambiguous_pair 2\n") {
		t.Errorf("no field is unique:\n%s", got)
	}
	got = readRequests(t, crossing, schema.ReadingOptions{PairKey: "tag"})
	if !strings.Contains(got, "8 cpu/0#2 app < request\n") || strings.Contains(got, "ambiguous") {
		t.Errorf("by the tag:\n%s", got)
	}
	nested := "\x01\x00\x09\x01" + "\x03\x01" + "\x04\x02" + "\x02\x03\x01\x09"
	got = readRequests(t, nested, schema.ReadingOptions{})
	expect.Equal(t, got, "0 cpu/0 app > request\n1 cpu/0 app > inner\n2 cpu/0 app < inner\n3 cpu/0 app < request\n", "pairs in pairs")
}

// What begins and ends may have names that say nothing.
func TestPairsOfUsers(t *testing.T) {
	got := readRequests(t, "\x05\x01\x06\x04", schema.ReadingOptions{Pairs: map[string]string{"app:go": "app:done"}})
	expect.Equal(t, got, "1 cpu/0 app > go\n4 cpu/0 app < go\n", "a pair that is given")
	for _, c := range [][3]string{{"a:x_begin", "a:x_end", "a:x"}, {"a:read.issue", "a:read.complete", "a:read"}, {"a:go", "a:done", "a:go"}, {"up", "down", "up"}} {
		expect.Equal(t, commonName(c[0], c[1]), c[2], "%s and %s", c[0], c[1])
	}
}
