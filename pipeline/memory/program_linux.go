package memory

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// mappings are ranges of addresses that show parts of a file as they are.
type mappings []struct{ from, to uintptr }

// mappingsOfProgram lists where the code and the constants of this program lie. What was written to since it was mapped, as where the
// linker filled in addresses, is none of them: the file does not have it.
func mappingsOfProgram() (all mappings) {
	path, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return nil
	}
	var from, to uint64
	ours := false
	for line := range strings.Lines(string(text)) {
		switch fields := strings.Fields(line); {
		case len(fields) == 6: // addresses, what may be done there, three numbers and the file
			ours = fields[5] == path && !strings.Contains(fields[1], "w")
			first, last, _ := strings.Cut(fields[0], "-")
			from, _ = strconv.ParseUint(first, 16, 64)
			to, _ = strconv.ParseUint(last, 16, 64)
		case ours && len(fields) == 3 && fields[0] == "Anonymous:" && fields[1] == "0":
			all = append(all, struct{ from, to uintptr }{uintptr(from), uintptr(to)})
		}
	}
	return all
}

// unmap gives back the pages of the mappings that lie in memory. Some tens of MB are counted to a process that it needed to start, or
// never: the system maps what lies in its cache beside a page that is needed. Those that are needed come back from there when they are.
func (m mappings) unmap() {
	for _, at := range m {
		syscall.Syscall(syscall.SYS_MADVISE, at.from, at.to-at.from, syscall.MADV_DONTNEED)
	}
}
