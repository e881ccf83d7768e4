package extsort

// fewRecords is the number of records up to which insertion sort is faster than merging.
const fewRecords = 16

// sortStable is a merge sort that leaves ordered parts alone, since most traces are in order but for some records;
// aside has room for half of the records.
func sortStable[T any](records, aside []T, compare func(a, b *T) int) {
	if len(records) <= fewRecords {
		insert(records, compare)
		return
	}
	middle := len(records) / 2
	sortStable(records[:middle], aside, compare)
	sortStable(records[middle:], aside, compare)
	// Both halves are in order already, as most of a trace is.
	if compare(&records[middle-1], &records[middle]) <= 0 {
		return
	}
	// Merge from the left into the records themselves: to never passes j, since a place is free for each record of left
	// that is still aside. Of equals the one of the left half comes first, so the sort is stable. What remains of the
	// right half is in place.
	left := aside[:copy(aside, records[:middle])]
	for to, i, j := 0, 0, middle; i < len(left); to++ {
		if j < len(records) && compare(&records[j], &left[i]) < 0 {
			records[to] = records[j]
			j++
		} else {
			records[to] = left[i]
			i++
		}
	}
}

// insert sorts a few records.
func insert[T any](records []T, compare func(a, b *T) int) {
	for i := 1; i < len(records); i++ {
		j := i
		// Find the place first and move once, since most records stay where they are.
		for j > 0 && compare(&records[i], &records[j-1]) < 0 {
			j--
		}
		if j < i {
			r := records[i]
			copy(records[j+1:i+1], records[j:i])
			records[j] = r
		}
	}
}
