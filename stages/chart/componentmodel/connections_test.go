package componentmodel

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOver looks for the connections of calls: by both components, and by what is called, with its parameters or without its component.
func TestOver(t *testing.T) {
	m := expect.Value(Read(strings.NewReader(`
Cart { in shop.Cart.open(int) out shop.Cart.pay(int) in Cart.again(..) }
Bank { in shop.Bank.charge(int) in shop.Bank.charge(int, int) in Bank.refund(..) out shop.Bank.send(..) }
Post { in shop.Bank.send(..) in shop.Post.take(..) }
shop.Cart.pay -> shop.Bank.charge
Cart.again -> Bank.refund
shop.Bank.send -> shop.Post.take
shop.Cart.pay -> shop.Bank.send
`), "shop.arch"))(t)
	const none = -1
	for call, want := range map[[3]string]int{
		{"Cart", "Bank", "void shop.Bank.charge(int)"}:      0,
		{"Cart", "Bank", "void shop.Bank.charge(int, int)"}: 0,
		{"Cart", "Bank", "shop.Bank.charge"}:                0,
		{"Cart", "Bank", "shop.Bank.charge(long)"}:          none,
		{"Cart", "Bank", "refund"}:                          1, // a trace that names the component apart
		{"Cart", "Bank", "charge"}:                          none,
		{"Bank", "Cart", "shop.Bank.charge"}:                none,
		{"Post", "Bank", "shop.Bank.charge"}:                none,
		{"Bank", "Post", "shop.Post.take(x)"}:               2, // called through the one of Bank, which is not the one of Post
		{"Cart", "Post", "shop.Bank.send"}:                  3, // and here Post is called through it
	} {
		got, ok := m.Over(call[0], call[1], call[2])
		if !ok {
			got = none
		}
		expect.Equal(t, got, want, "%v", call)
	}
	from, to := m.Ends(1)
	expect.Slice(t, []int{from, to}, []int{0, 1}, "a connection from an interface that is only called")
}
