package watermarks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flk-byo/de/grading"
)

// timeline is the run in rows that people can read, up to the first wrong
// answer.
func (r *run) timeline() []grading.Step {
	steps := make([]grading.Step, len(r.seen))
	for i, seen := range r.seen {
		c := r.plan.calls[i]
		steps[i] = grading.Step{
			Object: r.plan.name(c.object), Action: c.op.String(),
			State: r.plan.objects[c.object].state(c.nth),
		}
		if c.nth < 0 {
			continue
		}
		steps[i].State += "  " + seen.words("tells")
		if !seen.equal(c.want) {
			steps[i].Note = "it should tell " + strings.TrimPrefix(c.want.words(""), " ")
		}
	}
	return steps
}

// name is "merger", or "merger 2" where there are several objects.
func (p *plan) name(index int) string {
	kind := "merger"
	if p.objects[index].generator() {
		kind = "generator"
	}
	if len(p.objects) == 1 {
		return kind
	}
	return fmt.Sprintf("%s %d", kind, index+1)
}

// article is the name as it stands in a sentence.
func (p *plan) article(index int) string {
	if len(p.objects) == 1 {
		return "the " + p.name(index)
	}
	return p.name(index)
}

// maxListed is how many channels a state shows.
const maxListed = 8

// state is what is known after the n-th call: "0 at 5  1 idle at 3  2 silent".
func (o object) state(n int) string {
	if o.generator() {
		if n < 0 {
			return "nothing seen"
		}
		return "largest time " + millis(slices.Max(o.times()[:n+1]))
	}
	var parts []string
	for ch, s := range o.standings(o.calls[:n+1]) {
		if ch == maxListed {
			parts = append(parts, fmt.Sprintf("and %d more", int(o.made.Args[0])-ch))
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", ch, s.words()))
	}
	return strings.Join(parts, "  ")
}

func (s standing) words() string {
	switch {
	case s.finished:
		return "finished"
	case !s.reported && s.idle:
		return "idle"
	case !s.reported:
		return "silent"
	case s.idle:
		return "idle at " + number(s.watermark)
	default:
		return "at " + number(s.watermark)
	}
}
