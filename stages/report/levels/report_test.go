package levels

import "testing"

func TestLetters(t *testing.T) {
	for variant, want := range map[int64]string{0: "-", 1: "A", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 702: "ZZ", 703: "AAA"} {
		if got := letter(variant); got != want {
			t.Errorf("variant %d is %s, want %s", variant, got, want)
		}
	}
}
