package tmsct

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNanoseconds compares numbers with exact arithmetic.
func TestNanoseconds(t *testing.T) {
	for _, text := range []string{
		"0", "1", "1.5", "200e-3", "1e+3", "0.0000000019", "123456789.123456789999", "9223372036.854775807", "9223372036.854775808", "000000000000000000000001",
		"9.99e-10", "10e-10", "1e+99", "1e-99", "0e+999999999999999999999999", "1e+999999999999999999999999", "1e-999999999999999999999999", "0.00e+5", "12345e-12", "922337203685e-2",
	} {
		got, ok := nanoseconds(text)
		if mantissa, exponent, _ := strings.Cut(text, "e"); len(exponent) > 10 { // too much for big.Rat
			if zero, far := mantissa == "0", exponent[0] == '+'; got != 0 || ok == (far && !zero) {
				t.Errorf("%s: %d, %v", text, got, ok)
			}
			continue
		}
		exact, good := new(big.Rat).SetString(text)
		if !good {
			t.Fatal(text)
		}
		exact.Mul(exact, big.NewRat(1e9, 1))
		want := new(big.Int).Quo(exact.Num(), exact.Denom())
		if ok != want.IsInt64() || ok && got != want.Int64() {
			t.Errorf("%s: %d, %v, want %s", text, got, ok, want)
		}
	}
}

// TestDates compares dates, with punctuation and without, with the standard library's.
func TestDates(t *testing.T) {
	const text = "2021-06-16T14:00:05.123456789+02:30"
	at := expect.Value(time.Parse(time.RFC3339Nano, text))(t)
	for _, s := range []string{text, "20210616T140005.123456789+0230", "2021-0616T14:0005.123456789+02:30", "2021-06-16T11:30:05.123456789Z"} {
		expect.Equal(t, instantLength(s+" E"), len(s), "length of %s", s)
		if got := readInstant(s); got.Ns != at.UnixNano() || got.Want != "" {
			t.Errorf("%s: %+v, want %d", s, got, at.UnixNano())
		}
	}
	for _, s := range []string{"", "2021", "2021-06-16", "2021-06-16T14:00", "2021-06-16T14:00:05", "2021-06-16T14:00:05+02", "2021-06-16T14:00:05.+0200", "1.5 A"} {
		expect.Equal(t, instantLength(s), 0, "%q: bytes of a date", s)
	}
}
