package pathdiff

// smallShare is the inverse of the share of the time of a fragment's paths below which a part counts as
// small.
const smallShare = 10_000

// foldSmall sums up the small parts of every category of a fragment in one row. A part is small if it
// takes less than 0.01 % of the time of the paths on both sides. A single small part stays as it is.
func foldSmall(parts []*Row, bases int) []*Row {
	var base, cand int64
	// 1. The time of all paths of the fragment, on each side.
	for _, r := range parts {
		base, cand = base+total(r.Ns[:bases]), cand+total(r.Ns[bases:])
	}
	var out []*Row
	// 2. Category by category: keep what is large, sum up the rest.
	for from := 0; from < len(parts); {
		to := from
		var small []*Row
		for ; to < len(parts) && parts[to].Part.Category == parts[from].Part.Category; to++ {
			r := parts[to]
			if isBelow(total(r.Ns[:bases]), base) && isBelow(total(r.Ns[bases:]), cand) {
				small = append(small, r)
			} else {
				out = append(out, r)
			}
		}
		if len(small) > 0 {
			out = append(out, sumRows(small))
		}
		from = to
	}
	return out
}

// isBelow reports whether a time is less than the smallest share of a whole, or nothing.
func isBelow(ns, whole int64) bool { return ns == 0 || ns < (whole+smallShare-1)/smallShare }

// sumRows adds up rows of one fragment and category.
func sumRows(rows []*Row) *Row {
	if len(rows) == 1 {
		return rows[0]
	}
	all := &Row{
		Fragment: rows[0].Fragment, Part: Part{Category: rows[0].Part.Category}, Smaller: len(rows),
		Ns: make([]int64, len(rows[0].Ns)), Occurrences: make([]int64, len(rows[0].Ns)),
	}
	for _, r := range rows {
		for run := range r.Ns {
			all.Ns[run] += r.Ns[run]
			all.Occurrences[run] += r.Occurrences[run]
		}
	}
	return all
}

// total adds up values.
func total(values []int64) (total int64) {
	for _, v := range values {
		total += v
	}
	return total
}
