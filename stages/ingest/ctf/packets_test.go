package ctf

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// packetFieldsOf are the headers of a packet as the network stack of Linux tells them: one in the other, each by a choice.
const packetFieldsOf = `fields := struct {
	enum : u8 { _unknown, _ipv4 } network_header_type;
	variant <network_header_type> {
		struct { u8 nothing; } _unknown;
		struct {
			u8 ttl;
			enum : u8 { _other, _tcp } transport_header_type;
			variant <transport_header_type> {
				struct { u8 nothing; } _other;
				struct { u8 source_port; u8 dest_port; u8 seq; u8 ack_seq; u8 flags; } _tcp;
			} transport_header;
		} _ipv4;
	} network_header;
}; };
`

// Segments are messages from where they leave to where they arrive. Other packets, and a segment that is sent again, are skipped.
func TestSegments(t *testing.T) {
	const head = "/* CTF 1.8 */\ntypealias integer { size = 8; } := u8;\ntrace { major = 1; minor = 8; byte_order = le; };\nenv { domain = \"kernel\"; };\n" +
		"stream { event.header := struct { u8 id; u8 timestamp; }; };\n" +
		"event { name = \"net_dev_queue\"; id = 1; " + packetFieldsOf + "event { name = \"netif_receive_skb\"; id = 2; " + packetFieldsOf +
		"event { name = \"irq_softirq_entry\"; id = 3; };\nevent { name = \"irq_softirq_exit\"; id = 4; };\n"
	const segment = "\x01\x40\x01\x50\x51"
	stream := "\x01\x01" + segment + "\x07\x08\x10" + // leaves
		"\x01\x02" + segment + "\x07\x08\x10" + // leaves again
		"\x01\x03\x00\xff" + "\x01\x04\x01\x40\x00\xff" + // no internet, no TCP
		"\x03\x05" + "\x02\x06" + segment + "\x07\x08\x10" + "\x04\x07" // arrives in an interrupt
	got := telling(readFS(t, fstest.MapFS{"metadata": {Data: []byte(head)}, "s": {Data: []byte(stream)}}, schema.ReadingOptions{}, "."))
	expect.Equal(t, got, `1 cpu/0 kernel = message !tcp0 (tcp)
5 cpu/0 kernel > irq_softirq
6 cpu/0 kernel = irq_softirq ?tcp0 (tcp)
7 cpu/0 kernel < irq_softirq
loss skipped_record 3
`, "segments")
}
