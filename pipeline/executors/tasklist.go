package executors

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatTasks writes numbers of tasks in ascending order as engines and shells take them: 0-15,17.
func FormatTasks(tasks []int) string {
	var parts []string
	for i := 0; i < len(tasks); {
		last := i
		for last+1 < len(tasks) && tasks[last+1] == tasks[last]+1 {
			last++
		}
		part := strconv.Itoa(tasks[i])
		if last > i {
			part += "-" + strconv.Itoa(tasks[last])
		}
		parts = append(parts, part)
		i = last + 1
	}
	return strings.Join(parts, ",")
}

// mostTasks is more than a stage ever has.
const mostTasks = 1 << 20

// ParseTasks reads what FormatTasks writes.
func ParseTasks(text string) ([]int, error) {
	wrong := fmt.Errorf("%q are no numbers of tasks: write 3, or 0-15,17", text)
	var tasks []int
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 0 || last < first || last-first >= mostTasks || len(tasks) >= mostTasks {
			return nil, wrong
		}
		for n := first; n <= last; n++ {
			tasks = append(tasks, n)
		}
	}
	return tasks, nil
}
