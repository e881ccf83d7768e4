package schema

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestResemblance checks which of two names is nearer to a wrong one.
func TestResemblance(t *testing.T) {
	for _, c := range []struct{ wrong, nearer, farther string }{
		{"shop.sell", "shop.sell", "shop.sells"},
		{"sell", "shop.sell", "shop.resell_all"},
		{"shop.sel", "shop.sell", "market.sell"},
		{"shop.sxll", "shop.sell", "shop.buy"},
		{"shelf.sell", "shop.sell", "shop.buy"},
		{"shop.selling", "shop.sell", "store.unselling_it"},
	} {
		near, far := similarity(c.wrong, c.nearer), similarity(c.wrong, c.farther)
		if near <= far || near == 0 {
			t.Errorf("%s resembles %s by %d, %s by %d", c.wrong, c.nearer, near, c.farther, far)
		}
	}
	for _, c := range [][2]string{{"x", "ox.x"}, {"", "a.b"}, {"shop.sell", "engine.start"}, {"abc", "a.b"}} {
		expect.Equal(t, similarity(c[0], c[1]), 0, "%q resembles %q", c[0], c[1])
	}
}

// TestDistance has the examples of text books.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"sunday", "saturday", 3}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"ab", "ba", 2}} {
		expect.Equal(t, editDistance(c.a, c.b), c.want, "%s and %s", c.a, c.b)
	}
}
