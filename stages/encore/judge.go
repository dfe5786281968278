package encore

import (
	"fmt"

	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/stream"
)

// Oracle is the right output for the records of a source: each with the sum of
// its key's values so far.
func Oracle(records []stream.Record) []stream.Record {
	sums := map[string]int64{}
	var all []stream.Record
	for _, r := range records {
		sums[r.Key] += r.Value
		r.Value = sums[r.Key]
		all = append(all, r)
	}
	return all
}

// judge compares what readers see with the oracle, as multisets.
func judge(oracle []stream.Record, seen protocol.Contents) []Finding {
	counts := map[stream.Record]int{}
	for _, r := range oracle {
		counts[r]++
	}
	for _, r := range seen.Rows {
		counts[r]--
	}
	var findings []Finding
	add := func(sign, what string, rows []stream.Record) {
		if len(rows) > 0 {
			r := rows[0]
			findings = append(findings, Finding{sign, fmt.Sprintf("%s, the first: key %q, sum %d, time %d", count(len(rows), what), r.Key, r.Value, r.Time)})
		}
	}
	add(Loss, "row is missing", surplus(oracle, counts, 1))
	add(Duplicates, "row is too much", surplus(seen.Rows, counts, -1))
	if len(seen.Orphans) > 0 {
		findings = append(findings, Finding{Orphans, "left at the end: " + seen.Orphans[0]})
	}
	return findings
}

// surplus returns those of rows that are counted on one side only, as often as
// they are; sign is that side's.
func surplus(rows []stream.Record, counts map[stream.Record]int, sign int) []stream.Record {
	var only []stream.Record
	left := map[stream.Record]int{}
	for r, n := range counts {
		left[r] = n * sign
	}
	for _, r := range rows {
		if left[r] > 0 {
			left[r]--
			only = append(only, r)
		}
	}
	return only
}

// count is "1 row is missing" or "3 rows are missing".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d rows are%s", n, what[len("row is"):])
}
