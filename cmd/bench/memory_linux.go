package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// largest is how much memory the largest of a process and its children, which
// have ended, had at most, in bytes.
func largest(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// tree is how much memory a process and all below it have now, in bytes. One that
// ends meanwhile has none.
func tree(pid int) int64 {
	var pages int64
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, _ = strconv.ParseInt(fields[1], 10, 64)
		}
	}
	sum := pages * int64(os.Getpagesize())
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(child); err == nil {
				sum += tree(n)
			}
		}
	}
	return sum
}
