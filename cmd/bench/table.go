package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// machine says what is measured on, and how busy it was.
func machine() string {
	text := fmt.Sprintf("%s %s/%s, %d processors", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		text += ", load " + strings.Fields(string(load))[0]
	}
	return text
}

// median returns the middle one; of an even count, the lower of the two.
func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[(len(sorted)-1)/2]
}

// table prints rows with their columns aligned. A row is split at its tabs.
func (b *bench) table(rows ...string) {
	w := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "  "+row)
	}
	_ = w.Flush() // as of any print of ours
}

// millis is a time for a table.
func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// spread is the median of some times, and their range.
func spread(all []time.Duration) string {
	return fmt.Sprintf("%s\t%s to %s", millis(median(all)), millis(slices.Min(all)), millis(slices.Max(all)))
}
