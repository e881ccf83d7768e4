package sql

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// isDecimal reports whether the type is DECIMAL(width,scale), whose name carries both.
func isDecimal(kind string) bool { return strings.HasPrefix(kind, "DECIMAL") }

// appendText appends a value as table and CSV show it: NULL is empty, lists and maps are JSON.
func appendText(b []byte, v any, kind string) []byte {
	switch v := v.(type) {
	case nil:
		return b
	case string:
		return append(b, v...)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case bool:
		return strconv.AppendBool(b, v)
	case float32:
		return appendFloat(b, float64(v), 32)
	case float64:
		return appendFloat(b, v, 64)
	}
	j := appendJSON(nil, v, kind)
	var text string
	if kind != "JSON" && len(j) > 0 && j[0] == '"' && json.Unmarshal(j, &text) == nil {
		return append(b, text...)
	}
	return append(b, j...)
}

// appendJSON appends a value as JSON. Times are ISO 8601, bytes are hexadecimal; what JSON has no
// number for (infinities, NaN) is null.
func appendJSON(b []byte, v any, kind string) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float32:
		return appendNumber(b, float64(v), 32)
	case float64:
		return appendNumber(b, v, 64)
	case *big.Int:
		return v.Append(b, 10)
	case duckDecimal:
		return append(b, v.String()...)
	case time.Time:
		return append(append(append(b, '"'), v.Format(timeLayout(kind))...), '"')
	case []byte:
		return appendString(b, bytesText(v, kind))
	case duckInterval:
		return appendString(b, intervalText(v))
	}
	return appendNested(b, v)
}

// appendNested appends lists, structs, maps and unions. Keys are sorted, because Go maps have no order and results have one.
func appendNested(b []byte, v any) []byte {
	switch v := v.(type) {
	case []any:
		b = append(b, '[')
		for i, e := range v {
			b = appendJSON(comma(b, i), e, "")
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			b = append(appendString(comma(b, i), k), ':')
			b = appendJSON(b, v[k], "")
		}
		return append(b, '}')
	case duckMap:
		fields := make(map[string]any, len(v))
		for k, e := range v {
			fields[string(appendText(nil, k, ""))] = e
		}
		return appendNested(b, fields)
	case duckUnion:
		return appendJSON(b, v.Value, "")
	default: // the smaller integers
		return fmt.Append(b, v)
	}
}

// comma appends a comma before all but the first element.
func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// appendNumber appends a float, or null for NaN and infinities, which JSON lacks.
func appendNumber(b []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	return appendFloat(b, f, bits)
}

// appendFloat writes the shortest digits that read back the same, with an exponent only for the very
// large and very small, as encoding/json does.
func appendFloat(b []byte, f float64, bits int) []byte {
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, f, 'g', -1, bits)
	}
	return strconv.AppendFloat(b, f, 'f', -1, bits)
}

// appendString appends a JSON string. Most names of a trace need no escape and are copied as they are.
func appendString(b []byte, s string) []byte {
	if plain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return append(b, `""`...)
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// plain reports whether a text needs no escape in JSON.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// timeLayout returns the ISO 8601 layout for a type of DuckDB. Only TIMESTAMPTZ has a zone.
func timeLayout(kind string) string {
	switch kind {
	case "DATE":
		return "2006-01-02"
	case "TIME":
		return "15:04:05.999999"
	case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return "2006-01-02T15:04:05.999999999"
	default:
		return time.RFC3339Nano
	}
}

// bytesText writes bytes in hexadecimal, a UUID with its hyphens.
func bytesText(b []byte, kind string) string {
	h := hex.EncodeToString(b)
	if kind == "UUID" && len(h) == 32 {
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	return h
}

// intervalText is an ISO 8601 duration.
func intervalText(v duckInterval) string {
	seconds := strconv.FormatFloat(float64(v.Micros)/1e6, 'f', -1, 64)
	return fmt.Sprintf("P%dM%dDT%sS", v.Months, v.Days, seconds)
}
