// Package process tells apart the processes that write files. What a process writes under a passing name says in that name whose it is, so
// that others can tell whether that process still runs, and remove what it left when it was killed. What a process has outside of lakes it
// removes at its end, also where its work is left in the middle.
package process

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Process names a process so that processes on its machine can tell whether it still runs, and others whom to ask.
type Process struct {
	Host    string `json:"host"`    // as it calls itself, for people
	Machine string `json:"machine"` // of this start of the machine and this space of process numbers: see machineID
	Pid     int    `json:"pid"`     // in that space
	Started string `json:"started"` // clock ticks between the machine's start and the process's; numbers of processes come again, these do not
}

// Self is this process.
var Self = Process{hostName(), machineID(), os.Getpid(), ownStart()}

// hostName is the name of this machine, or what stands for it where it has none.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "an unnamed host"
	}
	return name
}

// machineID tells apart what host names do not: containers that were started from one image, and a machine before and
// after a restart. Numbers of processes mean the same only where all of this is the same.
func machineID() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	sum := sha256.Sum256([]byte(hostName() + "\x00" + string(boot) + "\x00" + space))
	return hex.EncodeToString(sum[:4])
}

// readStat reads what the system says of a process. A test hides processes.
var readStat = func(pid int) ([]byte, error) { return os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) }

// startOf returns when a process of this machine started: empty where it does not run, or the system does not say, which is
// an error. A zombie does not run.
func startOf(pid int) (string, error) {
	text, err := readStat(pid)
	if err != nil {
		return "", err
	}
	// The second field is the program's name in parentheses, which may hold anything. The third is the state, the
	// twenty-second the start: proc_pid_stat(5).
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", nil
	}
	return fields[19], nil
}

// ownStart is when this process started, or empty where the system does not say.
func ownStart() string {
	start, _ := startOf(os.Getpid())
	return start
}

// Ended reports whether a process certainly runs no more. Of a process of another machine nothing is known. The system may
// say nothing of a process that runs: it may hide those of other users (hidepid, proc(5)), and this process may have no
// file descriptor left to ask with.
func (p Process) Ended() bool {
	if p.Machine != Self.Machine {
		return false
	}
	start, err := startOf(p.Pid)
	if err == nil && Self.Started != "" {
		return start != p.Started
	}
	return syscall.Kill(p.Pid, 0) == syscall.ESRCH
}

// String names the process in a sentence.
func (p Process) String() string { return fmt.Sprintf("process %d on %s", p.Pid, p.Host) }

// attempts numbers the attempts of this process.
var attempts atomic.Int64

// AttemptPrefix begins the names of attempts.
const AttemptPrefix = "attempt-"

// NewAttempt returns a name that no other attempt to write something has, of this process or another.
func NewAttempt() string {
	return fmt.Sprintf("%s%s-%d-%s-%d", AttemptPrefix, Self.Machine, Self.Pid, Self.Started, attempts.Add(1))
}

// OfAttempt returns the process whose attempt has a name, as far as the name says.
func OfAttempt(name string) (Process, bool) {
	parts := strings.Split(strings.TrimPrefix(name, AttemptPrefix), "-")
	if len(parts) != 4 {
		return Process{}, false
	}
	pid, err := strconv.Atoi(parts[1])
	return Process{Machine: parts[0], Pid: pid, Started: parts[2]}, err == nil
}
