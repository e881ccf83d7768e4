package jsonrows

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestColumns(t *testing.T) {
	type row struct {
		N    int64  `parquet:"n"`
		Name string `parquet:"name,dict"`
		Ns   *int64 `parquet:"ns,optional"`
		None *int64 `parquet:"none,optional"`
		Also string `parquet:"also,optional,dict"`
	}
	seven := int64(7)
	got := Columns([]row{{N: 1, Name: "a"}, {N: 2, Name: "b", Ns: &seven}, {N: 3, Name: "a", Also: "x"}, {N: 4, Name: "a"}})
	text := expect.Value(json.Marshal(got))(t)
	expect.Equal(t, string(text), `{"rows":4,"columns":{"also":{"words":["x"],"at":[-1,-1,0,-1]},"n":[1,2,3,4],`+
		`"name":{"words":["a","b"],"at":[0,1,0,0]},"ns":{"rows":[1],"values":[7]}}}`, "columns")
	type ratio struct {
		X *float64 `parquet:"x,optional"`
		Y float64  `parquet:"y"`
	}
	most := math.Inf(1)
	text = expect.Value(json.Marshal(Columns([]ratio{{&most, math.Inf(-1)}, {nil, 1}, {&most, math.NaN()}})))(t)
	expect.Equal(t, string(text), `{"rows":3,"columns":{"x":["Infinity",null,"Infinity"],"y":["-Infinity",1,"NaN"]}}`, "what is no number of JSON")
	expect.Equal(t, len(Columns([]row{{N: 1, Name: "a"}}, "n").Columns), 1, "columns that are asked for")
}

func TestByColumn(t *testing.T) {
	type row struct {
		Name   string   `parquet:"name,dict"`
		Calls  int64    `parquet:"calls"`
		Also   string   `parquet:"also,optional,dict"`
		Ns     *int64   `parquet:"ns,optional"`
		Ratios []string `parquet:"ratios,list"`
	}
	seven := int64(7)
	rows := []row{{Name: "<b>", Calls: 1, Ns: &seven, Ratios: []string{"x"}}, {Also: "y"}}
	text := expect.Value(json.Marshal(ByColumn(rows)))(t)
	expect.Equal(t, string(text), `[{"also":null,"calls":1,"name":"\u003cb\u003e","ns":7,"ratios":["x"]},{"also":"y","calls":0,"name":"","ns":null,"ratios":null}]`, "rows")
	text = expect.Value(json.Marshal(ByColumn(rows[:1], "calls", "ns")))(t)
	expect.Equal(t, string(text), `[{"also":null,"calls":null,"name":"\u003cb\u003e","ns":null,"ratios":["x"]}]`, "columns that are unknown")
	text = expect.Value(json.Marshal(ByColumn[row](nil)))(t)
	expect.Equal(t, string(text), `[]`, "no rows")
}
