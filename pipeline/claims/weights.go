package claims

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/tracelake/tracelake/stages/timing/claimgraph"
)

// Weight is what dependencies weigh: Ns, or the value of an attribute in units of UnitNs.
type Weight struct {
	Ns        int64
	Attribute string
	UnitNs    int64 // 0: that of the run's signals
}

// ParseWeight reads a duration, or else takes the text as the name of an attribute. 0 needs no unit.
func ParseWeight(text string) (Weight, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return Weight{Ns: d.Nanoseconds()}, nil
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return Weight{}, fmt.Errorf("%q has no unit: write 20us, or the name of an attribute of dependencies", text)
	}
	return Weight{Attribute: text}, nil
}

// UnitError says that nothing tells in which unit an attribute counts.
type UnitError struct{ Run, Attribute string }

// Error implements error.
func (e *UnitError) Error() string {
	return fmt.Sprintf("run %s does not say in which unit of time %s counts, as its trace has no signals: give --unit, the unit of the trace (s, ms, us, ns)", e.Run, e.Attribute)
}

// weighed are the dependencies of a run with their weights, and the positions in Run.Dependency. Those that lack the attribute, or
// whose attribute is no number, are skipped.
func (s *Set) weighed(r *Run, w Weight) (all []claimgraph.Dependency, at []int32, skipped int, err error) {
	unitNs := w.UnitNs
	if unitNs == 0 {
		unitNs = r.UnitNs
	}
	if w.Attribute != "" && unitNs == 0 {
		return nil, nil, 0, &UnitError{r.Name, w.Attribute}
	}
	column := s.column(w.Attribute)
	for i, d := range r.Dependency {
		ns := w.Ns
		if w.Attribute != "" {
			value := d.Weight
			if w.Attribute != "weight" {
				if value, err = strconv.ParseFloat(s.Value(r.dependencies.get(i, column.name, -1)), 64); err != nil {
					value = math.NaN()
				}
			}
			exact := math.Round(value * float64(unitNs))
			if !(math.Abs(exact) < 1<<62) {
				skipped++
				continue
			}
			ns = int64(exact)
		}
		all, at = append(all, claimgraph.Dependency{From: d.From, To: d.To, WeightNs: ns}), append(at, int32(i))
	}
	if len(all) == 0 && len(r.Dependency) > 0 {
		return nil, nil, 0, fmt.Errorf("none of the %d dependencies of run %s has a number as its attribute %s", len(r.Dependency), r.Name, w.Attribute)
	}
	return all, at, skipped, nil
}
