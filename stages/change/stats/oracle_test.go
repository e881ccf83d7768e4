package stats

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// wantChecked is how many reference values the oracle test must compare. A statistic that stops being
// covered lowers the count and fails the test.
const wantChecked = 606

// notCovered are patterns of the names of reference statistics without a Go counterpart, and why. Many were implemented
// and are in the history: code that no command reaches is deleted, and the reference keeps its values for the day when
// a command offers it.
var notCovered = map[string]string{
	`^ks_p_asymp_kstwo$`:         "a one-sample distribution put in for two samples; the exact p covers its range",
	`^ks_p_exact_ignoring_ties$`: "wrong with ties, kept in the file as a trap",
	`^storey_`:                   "no command offers q-values by Storey, and the smoother is erratic on small families",
	`^(BY|holm|bonferroni)_adj$`: "families are adjusted by Benjamini-Hochberg only",
	`^hl_ci\d\d_`:                "intervals are those of the moderated t, not of the Hodges-Lehmann shift",
	`^hl_ratio_`:                 "no command offers the ratio by Hodges and Lehmann",
	`^cliff_(delta_var|ci95)_`:   "no command offers the variance and the interval of Cliff's delta",
	`^prob_superiority_`:         "Cliff's delta states the same on another scale",
	`^mwu_p_exact_.*(less|greater|twice_min_tail)$`: "commands test two-sided, by the distance from the mean",
	`^welch_(t|df|ci95_..)$`:                        "no command offers more of Welch's test than its p",
	`^ad_`:                                          "no command offers the Anderson-Darling test",
	`^(energy_|wasserstein1$)`:                      "no command offers distances between distributions",
	`^brunnermunzel_`:                               "no command offers the Brunner-Munzel test",
	`^tost_mwu_`:                                    "equivalence is that of the moderated t, not of two Mann-Whitney tests",
	`^thd_`:                                         "no command offers trimmed Harrell-Davis quantiles",
	`^edivisive_`:                                   "series are cut by the rank scan, not by E-divisive",
}

var (
	position = regexp.MustCompile(`_\d{3}$`)
	quantile = regexp.MustCompile(`^hd_([xy])_q(\d\d)$`)
)

// reference is one row of reference_values.csv.
type reference struct {
	set, statistic string
	value          float64
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f := expect.Value(os.Open(filepath.Join("..", "..", "..", "testdata", "oracle", name)))(t)
	defer f.Close()
	rows := expect.Value(csv.NewReader(f).ReadAll())(t)
	return rows[1:]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v := expect.Value(strconv.ParseFloat(strings.TrimSpace(text), 64))(t)
	return v
}

// readSamples returns the pairs by name, sorted.
func readSamples(t *testing.T) map[string][2][]float64 {
	pairs := map[string][2][]float64{}
	for _, r := range readCSV(t, "samples.csv") {
		p := pairs[r[0]]
		side := 0
		if r[1] == "y" {
			side = 1
		}
		p[side] = append(p[side], number(t, r[2]))
		pairs[r[0]] = p
	}
	for _, p := range pairs {
		slices.Sort(p[0])
		slices.Sort(p[1])
	}
	return pairs
}

func readFamilies(t *testing.T) map[string][]float64 {
	families := map[string][]float64{}
	for _, r := range readCSV(t, "pvalues.csv") {
		families[r[0]] = append(families[r[0]], number(t, r[2]))
	}
	return families
}

func TestOracle(t *testing.T) {
	pairs, families := readSamples(t), readFamilies(t)
	checked, skipped := 0, map[string]int{}
	for _, r := range readCSV(t, "reference_values.csv") {
		ref := reference{r[0], r[1], number(t, r[2])}
		if reason := unchecked(ref.statistic); reason != "" {
			skipped[reason]++
			continue
		}
		got, ok := familyValue(families[ref.set], ref.statistic)
		if p, isPair := pairs[ref.set]; isPair {
			got, ok = pairValue(p[0], p[1], ref.statistic)
		}
		if !ok {
			t.Errorf("%s: neither computed nor listed as not covered", ref.statistic)
			continue
		}
		checked++
		if !accept(ref, got) {
			t.Errorf("%s %s: got %.15g, want %.15g", ref.set, ref.statistic, got, ref.value)
		}
	}
	expect.Equal(t, checked, wantChecked, "reference values checked (skipped: %v)", skipped)
}

// unchecked returns the pattern in notCovered that a statistic falls under, or "".
func unchecked(statistic string) string {
	name := position.ReplaceAllString(statistic, "")
	for pattern := range notCovered {
		if regexp.MustCompile(pattern).MatchString(name) {
			return pattern
		}
	}
	return ""
}

// accept compares with the precision of the reference.
func accept(ref reference, got float64) bool {
	want := ref.value
	if math.IsNaN(want) || math.IsInf(want, 0) || got == want {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= max(1e-9, 1e-8*math.Abs(want))
}

// familyValue is one value of an adjusted family; the statistic names its position.
func familyValue(p []float64, statistic string) (float64, bool) {
	name := position.ReplaceAllString(statistic, "")
	i, err := strconv.Atoi(statistic[len(statistic)-3:])
	if name != "BH_adj" || err != nil || i >= len(p) {
		return 0, false
	}
	return BenjaminiHochberg(p)[i], true
}

func pairValue(x, y []float64, statistic string) (float64, bool) {
	if m := quantile.FindStringSubmatch(statistic); m != nil {
		v := x
		if m[1] == "y" {
			v = y
		}
		p, _ := strconv.ParseFloat("0."+m[2], 64)
		return HarrellDavis(v, p), true
	}
	if f := statistics[statistic]; f != nil {
		return f(x, y), true
	}
	return 0, false
}

type pairStatistic = func(x, y []float64) float64

// statistics computes the statistics of two samples under the names of the reference.
var statistics = map[string]pairStatistic{
	"n_x":  func(x, y []float64) float64 { return float64(len(x)) },
	"n_y":  func(x, y []float64) float64 { return float64(len(y)) },
	"ks_D": KolmogorovSmirnovD[float64],
	"ks_p_asymp_limit": func(x, y []float64) float64 {
		return KolmogorovSmirnovLimit(KolmogorovSmirnovD(x, y), len(x), len(y))
	},
	"ks_p_exact":                 KolmogorovSmirnovExact[float64],
	"mwu_U1":                     func(x, y []float64) float64 { return Rank(x, y).U() },
	"mwu_p_norm_tie_cc":          func(x, y []float64) float64 { return Rank(x, y).Normal(true) },
	"mwu_p_norm_tie_nocc":        plainNormal,
	"mwu_p_exact_noties":         MannWhitneyExact[float64],
	"mwu_p_exact_cond_two.sided": MannWhitneyExact[float64],
	"mwu_p_exact_ert_two.sided":  MannWhitneyExact[float64],
	"hl_shift_y_minus_x":         HodgesLehmann[float64],
	"cliff_delta_y_vs_x":         cliffsDelta,
	"welch_p":                    Welch[float64],
}

// cliffsDelta is P(Y > X) - P(Y < X), as changes.cliffs_delta has it, by U, which counts the pairs with x > y and ties half.
func cliffsDelta(x, y []float64) float64 {
	return 1 - 2*Rank(x, y).U()/(float64(len(x))*float64(len(y)))
}

// plainNormal is undefined in the reference where all values are equal; here such samples have p = 1.
func plainNormal(x, y []float64) float64 {
	p := Rank(x, y).Normal(false)
	if p == 1 && x[0] == y[len(y)-1] && y[0] == x[len(x)-1] {
		return math.NaN()
	}
	return p
}

// TestOracleListsAreHonest fails on a name in notCovered that the reference does not have.
func TestOracleListsAreHonest(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range readCSV(t, "reference_values.csv") {
		seen[unchecked(r[1])] = true
	}
	for name := range notCovered {
		if !seen[name] {
			t.Errorf("%s is not in the reference", name)
		}
	}
}
