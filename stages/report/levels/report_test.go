package levels

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestLetters(t *testing.T) {
	for variant, want := range map[int64]string{0: "-", 1: "A", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 702: "ZZ", 703: "AAA"} {
		expect.Equal(t, letter(variant), want, "variant %d", variant)
	}
}
