package textfield

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
)

// plainSplit tries every suffix, the longest first.
func plainSplit(s string) (string, int64) {
	for n := min(18, len(s)); n > 0; n-- {
		digits := s[len(s)-n:]
		v, ok := new(big.Int).SetString(digits, 10)
		if ok && v.String() == digits && v.Sign() >= 0 {
			return s[:len(s)-n], v.Int64()
		}
	}
	return s, schema.NoValue
}

// plainNumber reads a number of units that have so many decimal places, none where it has no point.
func plainNumber(s string, places int) (ns int64, overflow, ok bool) {
	whole, decimals, point := strings.Cut(s, ".")
	if whole == "" || point && decimals == "" || strings.Trim(whole+decimals, "0123456789") != "" {
		return 0, false, false
	}
	v, _ := new(big.Int).SetString(whole+(decimals + "000000000")[:places], 10)
	return v.Int64(), !v.IsInt64(), true
}

// isoShape is stricter than time.Parse, which takes hours of one digit and offsets of a day.
var isoShape = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-](0\d|1[0-8])(:?[0-5]\d)?)$`)

func plainInstant(s string) (ns int64, overflow, ok bool) {
	if !isoShape.MatchString(s) {
		return 0, false, false
	}
	for _, day := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		for _, zone := range []string{"Z07:00", "-0700", "-07"} {
			t, err := time.Parse(day+zone, s)
			if err != nil {
				continue
			}
			v := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
			v.Add(v, big.NewInt(int64(t.Nanosecond())))
			return v.Int64(), t.Unix() > math.MaxInt64/int64(1e9)-1 || t.Unix() < math.MinInt64/int64(1e9)+1, true
		}
	}
	return 0, false, false
}

// plainName takes a name as a whole.
func plainName(s string) bool {
	return len(s) <= 4096 && utf8.ValidString(s) &&
		strings.IndexFunc(s, func(r rune) bool { return r < 32 || r == 127 }) < 0
}
