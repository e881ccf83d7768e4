package verdict

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

func TestStatement(t *testing.T) {
	ratio := func(level, kind string, x float64) schema.Finding {
		return schema.Finding{Level: level, Statement: kind, StatementRatio: &x}
	}
	some := func(share float64, ns int64) schema.Finding {
		return schema.Finding{Level: schema.LevelFunction, Statement: schema.SomeCalls, StatementShare: &share, StatementNs: &ns}
	}
	few := func(share float64, ns int64, calls float64) schema.Finding {
		f := some(share, ns)
		f.CountCand = calls
		return f
	}
	for _, c := range []struct {
		f    schema.Finding
		want string
	}{
		{ratio(schema.LevelFunction, schema.EachCall, 1.23), "each call takes 23 % longer"},
		{ratio(schema.LevelFunction, schema.EachCall, 1.052), "each call takes 5.2 % longer"},
		{ratio(schema.LevelFunction, schema.EachCall, .8), "each call takes 20 % less"},
		{ratio(schema.LevelTransition, schema.EachCall, 46.2), "each time it takes 46.2 times as long"},
		{ratio(schema.LevelMessage, schema.EachCall, .5), "each message takes half as long"},
		{ratio(schema.LevelFunction, schema.Called, 2), "called twice as often"},
		{ratio(schema.LevelTransition, schema.Called, .25), "it happens 75 % less often"},
		{ratio(schema.LevelMetric, schema.InTotal, 1.4), "in total it takes 40 % longer"},
		{some(.025, 3e6), "1 call in 40 takes 3.00 ms longer"},
		{some(.9, 3e6), "at most 90 % of the calls take longer, by 3.00 ms or more each"},
		{some(.87, 3e6), "87 % of the calls take 3.00 ms longer"},
		{some(.1, -2000), "at most 1 call in 10 takes less, by 2.00 us or more each"},
		{some(1-.95, -2000), "at most 1 call in 20 takes less, by 2.00 us or more each"},
		{some(.11, -2000), "1 call in 9 takes 2.00 us less"},
		{few(.25, 16e6, 5), "some of the calls take longer"},
		{few(.25, 16e6, 20), "25 % of the calls take 16.0 ms longer"},
		{some(.38, 675), "38 % of the calls take 675 ns longer"},
		{some(.005, 3e6), "1 call in 200 takes 3.00 ms longer"},
		{schema.Finding{}, ""},
	} {
		if got := statement(&c.f); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
