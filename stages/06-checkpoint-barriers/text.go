package checkpointbarriers

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/stages/stream"
)

// maxListed is how many elements or channels a list shows.
const maxListed = 12

// text is a record as label has it, or a barrier as in "|1|", or, if it wrongly
// has a record beside it, as in "|1|+a".
func (i item) text(label func(stream.Record) string) string {
	switch {
	case !i.mark:
		return label(i.record)
	case i.record != stream.Record{}:
		return fmt.Sprintf("|%d|+%s", i.barrier, label(i.record))
	}
	return fmt.Sprintf("|%d|", i.barrier)
}

// text is an arrival as in "barrier 1 on channel 0".
func (a arrival) text(label func(stream.Record) string) string {
	switch {
	case a.end:
		return fmt.Sprintf("the end of channel %d", a.channel)
	case a.item.mark:
		return fmt.Sprintf("barrier %d on channel %d", a.item.barrier, a.channel)
	default:
		return fmt.Sprintf("%s on channel %d", label(a.item.record), a.channel)
	}
}

// list is items as in "[|1| a2 b2]".
func list(is []item, label func(stream.Record) string) string {
	words := make([]string, len(is))
	for n, i := range is[:min(len(is), maxListed+1)] {
		words[n] = i.text(label)
	}
	return bracketed(words)
}

func bracketed(words []string) string {
	if over := len(words) - maxListed; over > 0 {
		words = append(words[:maxListed:maxListed], fmt.Sprintf("and %d more", over))
	}
	return "[" + strings.Join(words, " ") + "]"
}

// channelList is channels as in "channel 0" or "channels 0, 2".
func channelList(channels []int) string {
	words := make([]string, len(channels))
	for i, ch := range channels {
		words[i] = strconv.Itoa(ch)
	}
	if len(words) == 1 {
		return "channel " + words[0]
	}
	return "channels " + strings.Join(words, ", ")
}

// compared has a line for each position, up to a bound, at which two lists
// differ, past what both begin with.
func compared(want, got []item, label func(stream.Record) string) []string {
	rest, _ := fromDifference(want, got)
	at := len(want) - len(rest)
	var lines []string
	for n := max(len(want), len(got)); at < n; at++ {
		if len(lines) == maxListed {
			return append(lines, fmt.Sprintf("... and %d more", n-at))
		}
		w, g := textAt(want, at, label), textAt(got, at, label)
		if w != g {
			lines = append(lines, fmt.Sprintf("! at %d   expected %s   seen %s", at, w, g))
		}
	}
	return lines
}

func textAt(is []item, at int, label func(stream.Record) string) string {
	if at < len(is) {
		return is[at].text(label)
	}
	return "nothing"
}

// labels names records as shortly as the input allows: by key where that tells
// them apart.
func labels(records []stream.Record) func(stream.Record) string {
	byKey := map[string]stream.Record{}
	for _, r := range records {
		if other, ok := byKey[r.Key]; ok && other != r {
			return diff.Record
		}
		byKey[r.Key] = r
	}
	return func(r stream.Record) string {
		if known, ok := byKey[r.Key]; ok && known == r && r.Key != "" {
			return diff.Key(r.Key)
		}
		return diff.Record(r)
	}
}
