package processes

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// plainLifelines keep every lifeline: 1 of each, and of each name the highest number.
type plainLifelines map[string]int

func (l plainLifelines) give(name string, number int) string {
	for ; ; number++ {
		lifeline := name + "/" + strconv.Itoa(number)
		if l[lifeline] == 0 {
			l[lifeline] = 1
			l[name] = max(l[name], number)
			return lifeline
		}
	}
}

// TestLifelines compares names that collide in every way, as those of processes that are called like threads of others, with a table of all.
func TestLifelines(t *testing.T) {
	names := []string{"a", "a/1", "a/2", "a/02", "a/7", "a/1/1", "a/1/2", "a/-1", "a/", "cpu", "cpu/0", "cpu/2", "cpu/3", "h/cpu", "h/cpu/1", "h", "h/1"}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		short, plain := newLifelines(), make(plainLifelines)
		for range 40 {
			name := names[rng.IntN(len(names))]
			if cpu := rng.IntN(4); (name == "cpu" || name == "h/cpu") && rng.IntN(2) == 0 {
				expect.Equal(t, short.from(name, cpu), plain.give(name, cpu), "seed %d: CPU %d of %s", seed, cpu, name)
				continue
			}
			want := plain.give(name, plain[name]+1)
			expect.Equal(t, short.next(name), want, "seed %d: %s", seed, name)
		}
	}
}
